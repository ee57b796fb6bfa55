// How the time grows when the input doubles, in size, width and depth: a median of at most 2.3 is
// linear.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include "gdvar/gdvar.hpp"

using namespace gdvar;
using namespace gdvar::inspect;

namespace {

double seconds(const std::function<void()>& work) {
    using Clock = std::chrono::steady_clock;
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
        const auto start = Clock::now();
        int times = 0;
        do {
            work();
            ++times;
        } while (Clock::now() - start < std::chrono::milliseconds(4));
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count() / times);
    }
    return best;
}

/// Makes an input of each size, doubling, and prints the median of the factors.
void series(const char* name, std::size_t first, int doublings,
            const std::function<std::function<void()>(std::size_t)>& make) {
    std::vector<double> factors;
    double before = 0;
    for (int i = 0; i <= doublings; ++i) {
        const double now = seconds(make(first << i));
        if (before > 0)
            factors.push_back(now / before);
        before = now;
    }
    std::sort(factors.begin(), factors.end());
    const double median = factors[factors.size() / 2];
    std::printf("%-44s %5.2f times for twice the input  %s\n", name, median,
                median <= 2.3 ? "linear" : "NOT LINEAR");
}

Variant wide(std::size_t n) {
    Dictionary out;
    for (std::size_t i = 0; i < n; ++i)
        out.append("key_" + std::to_string(i), Array{static_cast<std::int64_t>(i), 0.1, "text"});
    return out;
}
Variant deep(std::size_t n) {
    Variant out = 1;
    for (std::size_t i = 0; i < n; ++i) {
        Array around;  // an initializer list would copy all below, at every level
        around.push_back(std::move(out));
        out = std::move(around);
    }
    return out;
}
Variant big(std::size_t n) {
    return Array{std::string(n, 'x'), std::string(n, 'y')};
}

/// The tasks on one shape; the Document, the value and the bytes are made outside of the time.
void shape(const char* name, Variant (*make)(std::size_t), std::size_t first, int doublings) {
    DecodeOptions reading;
    reading.limits.max_depth = 1u << 30;
    EncodeOptions writing;
    writing.max_depth = 1u << 30;
    struct Made {
        Variant value;
        PackedByteArray packet;
        Document document;
    };
    const auto made = [=](std::size_t n) {
        auto out = std::make_shared<Made>();
        out->value = make(n);
        out->packet = *encode(out->value, writing);
        out->document = *Document::parse(as_bytes(out->packet), reading);
        return out;
    };
    const auto task = [&](const char* what, auto&& work) {
        series((std::string(name) + ": " + what).c_str(), first, doublings,
               [&](std::size_t n) { return [m = made(n), &work] { work(*m); }; });
    };
    task("to Document", [&](Made& m) { (void)!Document::parse(as_bytes(m.packet), reading); });
    task("to Variant", [&](Made& m) { (void)!decode(as_bytes(m.packet), reading); });
    task("encode", [&](Made& m) { (void)!encode(m.value, writing); });
    task("text",
         [&](Made& m) { (void)!to_text(std::as_const(m.document).root(), TextFamily::godot_4); });
    task("text --full", [&](Made& m) { (void)!to_text_full(std::as_const(m.document).root()); });
    task("JSON", [&](Made& m) { (void)!to_json(std::as_const(m.document).root()); });
    task("compare", [&](Made& m) { (void)!identical(m.value, m.value); });
    task("copy and free", [&](Made& m) { Variant copy = m.value; });
}

}  // namespace

int main() {
    shape("size", big, 1 << 16, 4);
    shape("width", wide, 4000, 4);
    shape("depth", deep, 4000, 4);
    series("100,000 keys: lookups in a Dictionary", 6250, 4, [](std::size_t n) {
        auto value = std::make_shared<Variant>(wide(n));
        return [value, n] {
            for (std::size_t i = 0; i < n; ++i)
                (void)value->get_if<Dictionary>()->find("key_" + std::to_string(i));
        };
    });
    series("100,000 keys: lookups in a View", 6250, 4, [](std::size_t n) {
        auto packet = std::make_shared<PackedByteArray>(*encode(wide(n)));
        auto document = std::make_shared<Document>(*Document::parse(as_bytes(*packet)));
        return [packet, document, n] {
            for (std::size_t i = 0; i < n; ++i)
                (void)std::as_const(*document)["key_" + std::to_string(i)].type();
        };
    });
    series("strings that are not UTF-8 in a file of Godot 3", 6250, 4, [](std::size_t n) {
        std::string text = "[";
        for (std::size_t i = 0; i < n; ++i)
            text += "\"\xED\xA0\xBD\xED\xB1\xBE\", ";
        text += "0]";
        return [text] { (void)!parse_text(text, {.family = TextFamily::godot_3_6, .file = true}); };
    });
    return 0;
}
