// The path language: what it finds, what set puts there and del takes away. The input is a packet,
// then a path, then a byte that says how long the path is.
#include "gdvar/gdvar.hpp"
#include "packet.hpp"

using namespace gdvar;
using namespace gdvar::inspect;

namespace {

constexpr std::size_t most_looked_up = 32;

std::string bytes_of(ByteView view) {
    return {reinterpret_cast<const char*>(view.data()), view.size()};
}

EncodeOptions writing(const DecodeOptions& options) {
    return {.dialect = options.dialect,
            .allow_objects = options.allow_objects,
            .real_width = options.real_width,
            .max_depth = options.limits.max_depth};
}

/// Puts a value where one was found, and looks for it there.
void set_and_look(const std::vector<std::byte>& packet, const std::string& path, const Variant& put,
                  const Found& old, const DecodeOptions& options) {
    const auto set = set_value(packet, path, put, options);
    if (!set)
        return;
    const auto again = Document::parse(as_bytes(*set), options);
    fuzz::require(again.has_value(), "what was set can be read");
    const EncodeOptions how = writing(options);
    fuzz::require(!check_value(put, how) || check_edited(packet, as_bytes(*set), how),
                  "a sound value makes nothing worse");
    const auto there = lookup(std::as_const(*again).root(), path);
    fuzz::require(there.has_value(), "and is there");
    if (old.part()) {
        fuzz::require(set->size() == packet.size() || old.is(Type::string),
                      "a part of a value keeps its size");
    } else {
        const std::string before = bytes_of(packet), after = bytes_of(as_bytes(*set));
        const std::size_t tail = packet.size() - old.offset() - old.raw().size();
        fuzz::require(after.substr(0, old.offset()) == before.substr(0, old.offset()),
                      "what stands before it stays");
        fuzz::require(after.substr(after.size() - tail) == before.substr(before.size() - tail),
                      "what stands behind it stays");
    }
}

void check_found(const std::vector<std::byte>& packet, const std::string& path, const Found& found,
                 const View& root, const DecodeOptions& options) {
    const auto all = lookup_all(root, path);
    fuzz::require(all && all->size() == 1 && all->front().value.type() == found.type(),
                  "lookup_all finds what lookup finds");
    set_and_look(packet, path, Variant(7), found, options);
    set_and_look(packet, path, Variant("seven"), found, options);
    // A part set to itself changes nothing, but a NaN's bits.
    const auto itself = found.get<Variant>();
    const bool number =
        found.is(Type::integer) || (found.is(Type::real) && found.real() == found.real());
    if (found.part() && number) {
        const auto same = set_value(packet, path, *itself, options);
        fuzz::require(same && bytes_of(as_bytes(*same)) == bytes_of(packet),
                      "a part set to itself");
    }
    const auto less = erase_value(packet, path, options);
    fuzz::require(!less || validate(as_bytes(*less), options).has_value(),
                  "what is left can be read");
    fuzz::require(!less || check_edited(packet, as_bytes(*less), writing(options)),
                  "what is left is no worse");
}

/// The matches of a path to several values.
void check_each(const View& root, const std::string& path) {
    const auto parsed = Path::parse(path);
    if (!parsed)
        return;
    // Only paths of one step are checked: on longer ones a repeated key may lead elsewhere.
    // A look-up can take time linear in the container, and a path may hold a long key, so only
    // some are made.
    const bool one = parsed->steps.size() == 1 && !parsed->steps[0].descends;
    std::size_t seen = 0;
    std::uint64_t last = 0;
    (void)lookup_each(root, *parsed, [&](const MatchView& match) {
        const bool look = seen++ < most_looked_up;
        fuzz::require(!look || !one || lookup(root, match.path).has_value(),
                      "a path that lookup_each gives leads somewhere");
        fuzz::require(!look || Path::parse(match.path).has_value(), "and is a path");
        if (!match.value.part()) {
            fuzz::require(match.value.offset() >= last, "matches come in the order of the bytes");
            last = match.value.offset() + 1;
        }
        return true;
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2)
        return 0;
    const std::size_t length = std::min<std::size_t>(data[size - 1], size - 1);
    const std::string path(reinterpret_cast<const char*>(data) + size - 1 - length, length);
    const auto parsed = Path::parse(path);
    if (parsed) {
        const auto again = Path::parse(parsed->to_string());
        fuzz::require(again && *again == *parsed, "a path that is printed is the same path");
    } else {
        fuzz::require(parsed.error().position <= path.size(), "what is no path has a position");
    }
    const fuzz::Input input(data, size - 1 - length);
    DecodeOptions options = input.decoding;
    options.strict = false;
    std::size_t used = 0;
    if (auto valid = validate(input.bytes, options))
        used = *valid;
    const std::vector<std::byte> packet(input.bytes.begin(),
                                        input.bytes.begin() + static_cast<std::ptrdiff_t>(used));
    const auto document = Document::parse(packet, options);
    if (!document)
        return 0;
    const View root = document->root();
    if (const auto found = lookup(root, path)) {
        check_found(packet, path, *found, root, options);
    } else {
        // Where nothing is, something can be added, or not.
        const auto set = set_value(packet, path, Variant(7), options);
        fuzz::require(!set || validate(as_bytes(*set), options).has_value(),
                      "what was added can be read");
        fuzz::require(!erase_value(packet, path, options), "what is not there can't be erased");
        check_each(root, path);
    }
    return 0;
}
