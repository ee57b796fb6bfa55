// Makes binary resources by hand, of any format version and with any fault.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/bytes.hpp"

namespace gdvar::test {

/// Appends what a binary resource consists of.
class ResourceMaker {
public:
    explicit ResourceMaker(bool big = false) : big_(big) {}

    template <class T>
    ResourceMaker& number(T value) {
        std::byte bytes[sizeof(T)];
        detail::store(bytes, big_ ? detail::byteswap(value) : value);
        bytes_.insert(bytes_.end(), bytes, bytes + sizeof(T));
        return *this;
    }
    ResourceMaker& u32(std::uint32_t value) { return number(value); }
    ResourceMaker& u32s(std::initializer_list<std::uint32_t> values) {
        for (const std::uint32_t value : values)
            u32(value);
        return *this;
    }
    ResourceMaker& raw(std::string_view bytes) {
        const ByteView view = as_bytes(bytes);
        bytes_.insert(bytes_.end(), view.begin(), view.end());
        return *this;
    }
    /// A text with its length, which counts the NUL at its end.
    ResourceMaker& text(std::string_view text) {
        u32(static_cast<std::uint32_t>(text.size()) + 1).raw(text);
        return raw({"", 1});
    }
    std::vector<std::byte>& bytes() { return bytes_; }

private:
    std::vector<std::byte> bytes_;
    bool big_;
};

/// A resource of the class Resource. `properties` holds names (numbers in `names`) and values.
struct MadeResource {
    std::uint32_t major = 4, format = 6, flags = 1;
    std::int64_t uid = 0;
    bool big = false;
    std::vector<std::string> names{"value"};
    std::uint32_t count = 1;
    ResourceMaker properties{};
    std::string type = "Resource";
    /// Internal resources before it: the path, and what `properties` is for the resource itself.
    struct Sub {
        std::string path;
        std::uint32_t count;
        std::vector<std::byte> properties;
    };
    std::vector<Sub> subs{};

    /// Forgets the properties; what is returned makes others.
    ResourceMaker& anew() { return properties = ResourceMaker(big); }

    std::vector<std::byte> bytes() const {
        ResourceMaker out(false);
        out.raw("RSRC").u32s({big, 0});
        ResourceMaker rest(big);
        rest.u32s({major, 0, format}).text(type);
        rest.number(std::uint64_t{0}).u32(flags).number(uid);
        for (int i = 0; i < 11; ++i)
            rest.u32(0);
        rest.u32(static_cast<std::uint32_t>(names.size()));
        for (const std::string& name : names)
            rest.text(name);
        rest.u32(0).u32(static_cast<std::uint32_t>(subs.size() + 1));
        std::vector<Sub> all = subs;
        const auto own = ResourceMaker(properties).bytes();
        all.push_back({"local://main", count, own});
        std::uint64_t at = 12 + rest.bytes().size();
        for (const Sub& sub : all)
            at += 4 + sub.path.size() + 1 + 8;
        for (const Sub& sub : all) {
            rest.text(sub.path).number(at);
            at += 4 + type.size() + 1 + 4 + sub.properties.size();
        }
        for (const Sub& sub : all) {
            rest.text(type).u32(sub.count);
            rest.bytes().insert(rest.bytes().end(), sub.properties.begin(), sub.properties.end());
        }
        rest.raw("RSRC");
        out.bytes().insert(out.bytes().end(), rest.bytes().begin(), rest.bytes().end());
        return out.bytes();
    }
};

}  // namespace gdvar::test
