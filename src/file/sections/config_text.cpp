#include <algorithm>
#include <map>
#include <vector>

#include "base/sort.hpp"
#include "file/sections/outline_parts.hpp"
#include "file/sections/section_scanner.hpp"
#include "gdvar/file/sections.hpp"

namespace gdvar {
namespace detail {
namespace {

/// A stretch of a section: a header and the lines below it.
struct Segment {
    std::uint32_t section = 0;
    TextSpan header;
    PartRange lines;
};

class ConfigReader {
public:
    ConfigReader(std::string_view text, const SectionsOptions& options)
        : text_(text), scan_(text, options) {}

    bool run();
    SectionsText result();
    TextError error() const { return scan_.fault.in(text_); }

private:
    bool header();
    bool pair();
    bool begin(std::string name, TextSpan header);

    std::string_view text_;
    SectionScanner scan_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;
    std::vector<Dictionary> sections_;
    std::vector<Segment> segments_;
};

bool ConfigReader::run() {
    for (;;) {
        SectionScanner::Item item{};
        if (!scan_.next(item))
            return false;
        if (item == SectionScanner::Item::end)
            return true;
        if (!(item == SectionScanner::Item::tag ? header() : pair()))
            return false;
    }
}

bool ConfigReader::header() {
    std::string name;
    if (!scan_.section_name(name))
        return false;
    if (name.empty() && !segments_.empty()) {
        scan_.note(scan_.header().begin, SectionScanner::nameless);
        return true;
    }
    return begin(std::move(name), scan_.header());
}

bool ConfigReader::begin(std::string name, TextSpan header) {
    const auto next = static_cast<std::uint32_t>(sections_.size());
    const auto [at, added] = numbers_.try_emplace(std::move(name), next);
    if (added)
        sections_.emplace_back();
    const auto first = static_cast<std::uint32_t>(scan_.nodes.nodes.size());
    segments_.push_back({at->second, header, {first, first, 0}});
    return scan_.options().limits.max_nodes > sections_.size() + first ||
           scan_.fail(Errc::node_limit, header.begin, {});
}

bool ConfigReader::pair() {
    const TextSpan key = scan_.key_span();
    const std::string name = scan_.key();
    Variant value;
    const std::size_t nodes = scan_.nodes.nodes.size();
    if (!scan_.value(value, 2))
        return false;
    if (name.empty()) {
        scan_.note(key.begin, SectionScanner::keyless);
        scan_.nodes.nodes.resize(nodes);
        return true;
    }
    if (value.type() == Type::nil)
        scan_.note(key.begin, SectionScanner::dropped);
    if (segments_.empty()) {
        if (!begin({}, {}))
            return false;
        segments_.back().lines.first = static_cast<std::uint32_t>(nodes);
    }
    Segment& segment = segments_.back();
    segment.lines.end = static_cast<std::uint32_t>(scan_.nodes.nodes.size());
    ++segment.lines.count;
    sections_[segment.section].append(Variant(std::string_view(name)), std::move(value));
    return true;
}

SectionsText ConfigReader::result() {
    SectionsText out;
    detail::sort(segments_, {}, [](const Segment& segment) {
        return std::pair(segment.section, segment.header.begin);
    });
    out.outline.nodes.reserve(scan_.nodes.nodes.size() + sections_.size() + 1);
    OutlineMaker make(out.outline, scan_.nodes);
    const auto size = static_cast<std::uint32_t>(text_.size());
    const std::uint32_t root = make.open(OutlineKind::sections, {0, size});
    for (std::size_t i = 0; i < segments_.size();) {
        const Segment& first = segments_[i];
        const TextSpan header = first.header;
        const bool named = header.end != 0;
        const std::uint32_t section =
            make.open(OutlineKind::section, header,
                      named ? TextSpan{header.begin + 1, header.end - 1} : TextSpan{}, header.end);
        for (; i < segments_.size() && segments_[i].section == first.section; ++i) {
            if (segments_[i].header.end)
                make.add_span(section, segments_[i].header);
            make.add(section, segments_[i].lines);
        }
        make.close(section, root);
    }
    make.close(root, root);
    Dictionary all;
    all.reserve(sections_.size());
    std::vector<const std::string*> names(sections_.size());
    for (const auto& [name, number] : numbers_)
        names[number] = &name;
    for (std::size_t i = 0; i < sections_.size(); ++i)
        all.append(Variant(std::string_view(*names[i])), std::move(sections_[i]));
    out.value = std::move(all);
    return out;
}

}  // namespace
}  // namespace detail

std::expected<SectionsText, TextError> read_config(std::string_view text,
                                                   const SectionsOptions& options) {
    return detail::read_whole<detail::ConfigReader>(text, options);
}

}  // namespace gdvar
