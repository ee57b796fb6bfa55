// Draws the browser on a canvas.
#pragma once

#include "browse/browser.hpp"

namespace gdvar::app::browse {

class Painter {
public:
    /// Both are borrowed.
    Painter(Browser& browser, Canvas& canvas)
        : browser_(browser), session_(browser.session_), canvas_(canvas) {}
    void draw();

private:
    struct Keys {
        std::string key, what;
    };
    void title(int y);
    void tree(int y, int width, int height);
    void row(Tree::Row row, int y, int width);
    int stem(Tree::Row row, int y, int width, Style style);
    void bytes(int x, int y, int width, int height);
    void path(int y);
    void message(int above, int y);
    void upwards(std::string_view text, int y, int most, Style style);
    void prompt(int above, int y);
    void keys(int y);
    void keys_line(int y, const std::vector<Keys>& all);
    void help(int y, int height);
    Browser& browser_;
    Session& session_;
    Canvas& canvas_;
};

}  // namespace gdvar::app::browse
