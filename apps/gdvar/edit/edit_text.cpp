#include "edit/edit_text.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/ascii.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/file/save_document.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/json/parse.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"

namespace gdvar::app {
namespace {

constexpr int indent = 2;
constexpr std::string_view record_mark = "record #", setting_mark = "setting ";

TextProblem problem_of(const TextError& error) {
    const std::string what = to_string(error);
    return {static_cast<std::size_t>(error.offset), what.substr(what.find("error["))};
}

/// Reads the values of a text, and the headers between them.
class Reader {
public:
    Reader(std::string_view text, const EditForm& form, Contents contents, std::size_t records)
        : text_(text), form_(form), contents_(contents), records_(records) {}

    std::expected<std::vector<EditedValue>, TextProblem> run() {
        if (text_.starts_with(utf8::byte_order_mark))
            at_ = utf8::byte_order_mark.size();
        while (pass_comments()) {
            if (contents_ == Contents::value && !out_.empty())
                refuse(at_, "error[trailing_bytes]: more text behind the value");
            else if (contents_ == Contents::settings && !header_)
                refuse(at_, "error[bad_syntax]: a line '" + header(form_, "name", 0, true) +
                                "' is missing before the value");
            if (problem_)
                break;
            std::size_t size = 0;
            auto value = parse_value(text_.substr(at_), form_, size);
            if (!value)
                return std::unexpected(
                    TextProblem{at_ + value.error().offset, std::move(value.error().what)});
            pending_.value = *std::move(value);
            out_.push_back(std::exchange(pending_, {}));
            header_.reset();
            at_ += size;
        }
        if (!problem_ && header_)
            refuse(*header_, "error[bad_syntax]: a value is missing behind this line");
        if (problem_)
            return std::unexpected(*std::move(problem_));
        return std::move(out_);
    }

private:
    void refuse(std::size_t at, std::string what) {
        if (what.find('\n') != what.npos)
            what.erase(std::remove(what.begin(), what.end(), '\n'), what.end());
        problem_ = {at, std::move(what)};
    }
    /// Goes to the next value, past headers. False at the end, and after a problem.
    bool pass_comments() {
        while (!problem_) {
            at_ = gdvar::detail::behind_space(text_, at_);
            if (!text_.substr(at_).starts_with(form_.comment()))
                return at_ < text_.size();
            const std::size_t end = std::min(text_.find('\n', at_), text_.size());
            std::string_view line = text_.substr(at_, end - at_);
            line.remove_prefix(form_.comment().size());
            line.remove_prefix(gdvar::detail::behind_space(line));
            line = line.substr(0, line.find_last_not_of(gdvar::detail::space_characters) + 1);
            take_header(line);
            at_ = end;
        }
        return false;
    }
    void take_header(std::string_view line) {
        const bool is_record = contents_ == Contents::records && line.starts_with(record_mark);
        const bool is_setting = contents_ == Contents::settings && line.starts_with(setting_mark);
        if (!is_record && !is_setting)
            return;
        if (header_)
            return refuse(*header_, "error[bad_syntax]: a value is missing behind this line");
        header_ = at_;
        line.remove_prefix(is_record ? record_mark.size() : setting_mark.size());
        return is_record ? take_record(line) : take_setting(line);
    }
    void take_record(std::string_view line) {
        std::size_t number = 0;
        const auto end = std::from_chars(line.data(), line.data() + line.size(), number);
        if (end.ec != std::errc() || end.ptr != line.data() + line.size())
            return refuse(at_, "error[bad_syntax]: expected a record's number");
        if (number >= records_)
            return refuse(at_,
                          "error[index_out_of_range]: there was no such record; a value "
                          "without such a line before it becomes a new one");
        if (!numbers_.insert(number).second)
            return refuse(at_,
                          "error[duplicate_key]: this record stands here twice; a value "
                          "without such a line before it becomes a new one");
        pending_.number = number;
    }
    void take_setting(std::string_view line) {
        pending_.key = line;
        if (line.starts_with('"')) {
            const auto name = parse_plain_json(line);
            if (!name || !name->is(Type::string))
                return refuse(at_, "error[bad_syntax]: the name in quotes has no end");
            pending_.key = name->text();
        }
        if (pending_.key.empty())
            return refuse(at_, "error[bad_syntax]: the setting's name is missing");
        if (!keys_.insert(pending_.key).second)
            return refuse(at_, "error[duplicate_key]: this setting stands here twice");
    }

    std::string_view text_;
    const EditForm& form_;
    const Contents contents_;
    const std::size_t records_;
    std::size_t at_ = 0;
    std::optional<std::size_t> header_;  ///< where the header of the next value stands
    EditedValue pending_;
    std::vector<EditedValue> out_;
    std::set<std::size_t> numbers_;
    std::set<std::string> keys_;
    std::optional<TextProblem> problem_;
};

}  // namespace

const char* EditForm::name() const noexcept {
    constexpr const char* names[] = {"Godot's text", "gdvar's own form", "typed JSON",
                                     "plain JSON"};
    return names[kind];
}

std::expected<std::string, Error> print_value(const View& value, const EditForm& form) {
    switch (form.kind) {
        case EditForm::text:
            return to_file_text(
                value, {.family = form.dialect->family, .exact_digits = true, .indent = indent});
        case EditForm::full:
            return to_text_full(value, indent);
        case EditForm::json:
            return to_json(value, {indent});
        case EditForm::plain:
            break;
    }
    return to_plain_json(value, {indent});
}

std::expected<Variant, TextProblem> parse_value(std::string_view text, const EditForm& form,
                                                std::size_t& size) {
    std::optional<TextProblem> lost;
    const TextLoss loss = [&](std::uint64_t offset, std::string_view what) {
        if (!lost)
            lost = {static_cast<std::size_t>(offset), "error[bad_syntax]: " + std::string(what)};
    };
    const JsonParseOptions json{.whole = false, .strict_numbers = true, .loss = &loss};
    const ParseOptions text_options{.family = form.dialect->family,
                                    .full = form.kind == EditForm::full,
                                    .strict_numbers = true,
                                    .resources = form.objects,
                                    .loss = &loss};
    auto value = form.kind == EditForm::plain  ? parse_plain_json(text, json, &size)
                 : form.kind == EditForm::json ? parse_json(text, json, &size)
                                               : parse_text(text, text_options, &size);
    if (!value)
        return std::unexpected(problem_of(value.error()));
    if (lost)
        return std::unexpected(*std::move(lost));
    return *std::move(value);
}

std::string header(const EditForm& form, std::string_view key, std::size_t number,
                   bool is_setting) {
    std::string out(form.comment());
    out += ' ';
    if (!is_setting)
        return out + std::string(record_mark) + std::to_string(number) + '\n';
    const std::string_view name = setting_name(key);
    // A name that a line does not show as it is stands in quotes.
    const std::string quoted = json_string(name);
    const bool plain = !name.empty() && quoted.substr(1, quoted.size() - 2) == name &&
                       name.front() != ' ' && name.back() != ' ';
    return out + std::string(setting_mark) + (plain ? std::string(name) : quoted) + '\n';
}

std::expected<std::vector<EditedValue>, TextProblem> parse_values(std::string_view text,
                                                                  const EditForm& form,
                                                                  Contents contents,
                                                                  std::size_t records) {
    return Reader(text, form, contents, records).run();
}

std::vector<std::string> shown(const TextProblem& problem, std::string_view text,
                               const std::string& name) {
    constexpr std::size_t most = 100, before = 60;
    const std::size_t at = std::min(problem.offset, text.size());
    const std::size_t back = at ? text.rfind('\n', at - 1) : text.npos;
    const std::size_t begin = back == text.npos ? 0 : back + 1;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const TextError place = text_error_at(text, at, Errc::ok);
    const std::string number = std::to_string(place.line);
    std::vector<std::string> out{name + ":" + number + ":" + std::to_string(place.column) + ": " +
                                 problem.what};
    // A long line is cut to the text near the place.
    std::size_t from = at - begin > before ? at - before : begin;
    while (from < at && utf8::continues(text[from]))
        ++from;
    std::string_view line = text.substr(from, end - from);
    line = line.substr(0, utf8::cut(line, most));
    if (gdvar::detail::all_space(line))
        return out;
    const std::string cut = from > begin ? "..." : "";
    std::string mark;
    for (const char c : text.substr(from, at - from))
        if (!utf8::continues(c))
            mark += c == '\t' ? '\t' : ' ';
    std::string shown_line(line);
    std::erase(shown_line, '\r');
    out.push_back("  " + number + " | " + cut + shown_line);
    out.push_back("  " + std::string(number.size(), ' ') + " | " + std::string(cut.size(), ' ') +
                  mark + "^");
    return out;
}

}  // namespace gdvar::app
