#include "edit/sides.hpp"

#include "gdvar/inspect/convert.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/wire/validate.hpp"
#include "output/messages.hpp"

namespace gdvar::app {
namespace {

void append(std::vector<std::byte>& to, ByteView bytes) {
    to.insert(to.end(), bytes.begin(), bytes.end());
}

/// Appends one packet to the whole. Returns an exit code: `different` if its value changes in `to`.
int join_item(const Item& item, const DecodeOptions& decoding, const EncodeOptions& to,
              Side& side) {
    const auto size = validate(item.packet, decoding);
    if (!size) {
        side.input->complain(item, size.error(), decoding);
        return refused;
    }
    if (side.contents == Contents::settings) {
        const std::string name(setting_name(item.key));
        if (!side.keys.emplace(name, item.key).second) {
            say(side.input->name() +
                ": a setting occurs twice, so settings can't be compared or changed by name");
            return refused;
        }
        const auto key = encode(Variant(name), to);
        if (!key) {
            side.input->complain(item, key.error(), decoding);
            return refused;
        }
        append(side.bytes, as_bytes(*key));
    }
    if (to.dialect == decoding.dialect) {
        append(side.bytes, item.packet.first(*size));
    } else {
        Losses losses;
        ConversionReport report{losses};
        const auto done = convert(item.packet, decoding, to, {}, &report);
        if (!done || !losses.empty())
            return different;
        append(side.bytes, as_bytes(done->bytes));
    }
    // A final PackedByteArray may lack its padding.
    if (const std::size_t lacking = -side.bytes.size() % 4) {
        side.bytes.resize(side.bytes.size() + lacking);
        side.lent.push_back({side.bytes.size(), static_cast<std::uint8_t>(lacking)});
    }
    return fine;
}

/// "#3 $.hp" for "$[3].hp"; for a setting, its name and then the path in it. `first` is the text of
/// the first step.
std::string place_text(std::string_view path, Contents contents, std::string_view first,
                       std::string_view name) {
    if (contents == Contents::packet || first.empty())
        return std::string(path);
    const std::string before = contents == Contents::settings
                                   ? std::string(name)
                                   : "#" + std::string(first.substr(1, first.size() - 2));
    return before + " $" + std::string(path.substr(1 + first.size()));
}

}  // namespace

std::string name_of(Contents contents) {
    constexpr const char* names[] = {"one packet", "records", "settings"};
    return names[static_cast<std::size_t>(contents)];
}

Contents contents_of(const Input& input) {
    return input.is_numbered()                  ? Contents::records
           : input.kind() == InputKind::project ? Contents::settings
                                                : Contents::packet;
}

int join(const DecodeOptions& decoding, const Dialect& dialect, Side& side) {
    const EncodeOptions to{
        .dialect = &dialect, .allow_objects = true, .real_width = decoding.real_width};
    side.bytes.clear();
    side.lent.clear();
    side.keys.clear();
    side.bytes.reserve(static_cast<std::size_t>(side.input->size()) + 64);
    append(side.bytes,
           as_bytes(side.contents == Contents::settings ? encode(Dictionary(), to).value()
                                                        : encode(Array(), to).value()));
    const std::size_t head = side.bytes.size() - 4;
    std::uint32_t count = 0;
    int worst = fine;
    const int exit = side.input->each([&](const Item& item) {
        worst = join_item(item, decoding, to, side);
        ++count;
        return worst == fine;
    });
    gdvar::detail::store(side.bytes.data() + head, count);
    return exit != fine ? exit : worst;
}

DecodeOptions reading_joined(DecodeOptions decoding, const Dialect& dialect) {
    decoding.dialect = &dialect;
    decoding.strict = false;
    ++decoding.limits.max_depth;
    return decoding;
}

std::string Places::operator()(const Difference& d) {
    if (contents_ == Contents::packet || d.at.empty())
        return cut_(d.path);
    const void* const setting = d.at[0].key_view.raw().data();
    if (contents_ != Contents::settings || !setting || setting != setting_) {
        setting_ = setting;
        std::string first;
        append_step(first, d.at[0]);
        first_size_ = first.size();
        before_ = contents_ == Contents::settings ? cut_(d.at[0].key_view.text())
                                                  : "#" + first.substr(1, first.size() - 2);
    }
    return before_ + " $" + cut_(d.path.substr(1 + first_size_));
}
std::string place_text(const Change& change, Contents contents) {
    std::string first, name;
    if (contents != Contents::packet && !change.at.empty()) {
        first = path_text(Array{change.at[0]}).substr(1);
        name = change.at[0].is(Type::string) ? std::string(change.at[0].text()) : "?";
    }
    return place_text(path_text(change.at), contents, first, name);
}

}  // namespace gdvar::app
