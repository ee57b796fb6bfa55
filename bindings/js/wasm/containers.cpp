// gdvar_wrap and gdvar_unwrap of gdvar-tools.wasm: containers recognised by their first bytes. All
// other layers need to read documents, which is most of gdvar-saves.wasm.
#include <algorithm>
#include <cstring>
#include <optional>

#include "common.hpp"
#include "gdvar/save/container.hpp"

namespace gdvar::c {
namespace {

/// Only the password or key and `max_bytes` of gdvar_save_options count.
gdvar_save_options complete_save(const gdvar_save_options* options) noexcept {
    gdvar_save_options out = GDVAR_SAVE_OPTIONS_INIT;
    if (options)
        std::memcpy(&out, options, std::min<std::size_t>(options->size, sizeof out));
    return out;
}
std::expected<std::optional<ContainerKey>, Error> key_of(const gdvar_save_options& options) {
    if (!options.password.size && !options.key.size)
        return std::nullopt;
    return options.password.size ? key_from_password(view(options.password))
                                 : key_from_bytes(view(options.key));
}

std::expected<WriteOptions, Error> container_named(std::string_view name) {
    WriteOptions out;
    constexpr std::string_view gcpf = "gcpf-";
    if (name.starts_with(gcpf)) {
        const auto mode = find_compression(name.substr(gcpf.size()));
        if (mode && mode != Compression::brotli) {
            out.compression = *mode;
            return out;
        }
    }
    for (const Wrapping kind : {Wrapping::gdec_3, Wrapping::gdec_4, Wrapping::gzip, Wrapping::zstd})
        if (wrapping_name(kind) == name) {
            out.kind = kind;
            return out;
        }
    return std::unexpected(
        Error{Errc::bad_mode}.about_reason("there is no container of this name here"));
}

bool begins(ByteView bytes, std::string_view magic) noexcept {
    return bytes.size() >= magic.size() &&
           std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}
bool is_container(ByteView bytes) noexcept {
    return begins(bytes, "GCPF") || begins(bytes, "GDEC") || begins(bytes, "\x1f\x8b\x08") ||
           begins(bytes, "\x28\xb5\x2f\xfd");
}

struct Opened {
    std::vector<std::byte> bytes;
    std::string name;
};
std::expected<Opened, FileError> open_one(ByteView outer, const ContainerKey* key,
                                          std::uint64_t most) {
    MemorySource source(outer);
    const auto inside = open_container(source, {.key = key, .max_bytes = most});
    if (!inside)
        return std::unexpected(inside.error());
    const ContainerSource& container = **inside;
    std::string name(wrapping_name(container.kind()));
    if (container.kind() == Wrapping::gcpf) {
        if (container.compression() == Compression::brotli)
            return std::unexpected(Error{Errc::bad_mode}.about_reason("Brotli is for gdvar/saves"));
        name.append("-").append(compression_name(container.compression()));
    }
    auto bytes = read_all(**inside, most);
    if (!bytes)
        return std::unexpected(bytes.error());
    return Opened{*std::move(bytes), std::move(name)};
}

/// Nested containers are rare, and a file that holds itself is endless.
constexpr int most_containers = 16;

}  // namespace
}  // namespace gdvar::c

using namespace gdvar;

uint16_t gdvar_wrap(gdvar_bytes inner, gdvar_text layers, const gdvar_save_options* options,
                    gdvar_buffer* to, gdvar_error* error) {
    return c::call(error, to, c::given(options, to), [&] {
        const auto key = c::key_of(c::complete_save(options));
        if (!key)
            return c::fail(error, key.error());
        const ByteView given = c::view(inner);
        std::vector<std::byte> bytes(given.begin(), given.end());
        // The innermost is put around the bytes first.
        for (std::string_view rest = c::view(layers); !rest.empty();) {
            const std::size_t space = rest.find_last_of(' ');
            const std::size_t begin = space == rest.npos ? 0 : space + 1;
            auto how = c::container_named(rest.substr(begin));
            if (!how)
                return c::fail(error, how.error());
            how->key = *key ? &**key : nullptr;
            MemorySource source(bytes);
            std::vector<std::byte> wrapped;
            MemoryTarget target(wrapped);
            if (const auto written = write_container(source, target, *how); !written)
                return c::fail(error, written.error());
            bytes = std::move(wrapped);
            rest = rest.substr(0, space == rest.npos ? 0 : space);
        }
        c::append(*to, ByteView(bytes));
        return c::succeed(error);
    });
}

uint16_t gdvar_unwrap(gdvar_bytes outer, const gdvar_save_options* options, gdvar_buffer* to,
                      gdvar_buffer* layers, gdvar_error* error) {
    return c::call(error, to, c::given(options, to), [&] {
        const gdvar_save_options o = c::complete_save(options);
        const auto key = c::key_of(o);
        if (!key)
            return c::fail(error, key.error());
        std::vector<std::byte> held;
        ByteView bytes = c::view(outer);
        std::string names;
        for (int count = 0; c::is_container(bytes); ++count) {
            if (count == c::most_containers)
                return c::fail(error, Error{Errc::depth_limit});
            auto opened = c::open_one(bytes, *key ? &**key : nullptr, o.max_bytes);
            if (!opened)
                return c::fail(error, opened.error());
            names.append(names.empty() ? "" : " ").append(opened->name);
            held = std::move(opened->bytes);
            bytes = held;
        }
        c::append(*to, bytes);
        if (layers)
            c::append(*layers, std::string_view(names));
        return c::succeed(error);
    });
}
