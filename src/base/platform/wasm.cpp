// WebAssembly has no files: everything that needs one is refused with ENOSYS.
#include <cerrno>

#include "base/platform/attributes.hpp"
#include "base/platform/resolved_path.hpp"

namespace gdvar::platform {
namespace {
std::unexpected<SystemError> no_files() {
    return refuse(ENOSYS);
}
}  // namespace

std::unexpected<SystemError> refuse_last() {
    return no_files();
}

Descriptor::Descriptor(int number) noexcept : number_(number) {}
Descriptor::~Descriptor() = default;
Result<void> Descriptor::close() noexcept {
    number_ = -1;
    return {};
}

Result<FileInfo> info_of(const std::string&) {
    return no_files();
}
Result<FileInfo> info_of(int) {
    return no_files();
}
Result<int> open_to_read(const std::string&) {
    return no_files();
}
Result<int> make_nameless(const std::string&) {
    return no_files();
}
void close(int) noexcept {}
Result<std::size_t> read(int, std::span<std::byte>) {
    return no_files();
}
Result<std::size_t> read_at(int, std::span<std::byte>, std::uint64_t) {
    return no_files();
}
Result<void> write_all(int, ByteView) {
    return no_files();
}
Result<void> sync(int) {
    return no_files();
}
Result<std::int64_t> position(int) {
    return no_files();
}
Result<void> set_position(int, std::int64_t) {
    return no_files();
}
Result<void> advance(int, std::int64_t) {
    return no_files();
}
Result<LockResult> try_to_lock(int) {
    return no_files();
}

void sleep(std::chrono::milliseconds) {}

Result<void> copy_attributes(int, int) {
    return no_files();
}

std::string ResolvedPath::beside(const std::string& other) const {
    return other;
}
Result<FileInfo> ResolvedPath::look_beside(const std::string&) const {
    return no_files();
}
Result<ResolvedPath> resolve_path(const std::string&) {
    return no_files();
}
Result<ResolvedPath> resolve_below(const std::string&, const std::string&) {
    return no_files();
}
Result<ResolvedPath> folder_and_name(const std::string&) {
    return no_files();
}
bool same_name(const ResolvedPath&, const ResolvedPath&) {
    return false;
}
Result<void> can_be_replaced(const ResolvedPath&) {
    return no_files();
}
std::string temporary_name(const std::string& name) {
    return name;
}
Result<Descriptor> make_file(const ResolvedPath&, const std::string&, unsigned) {
    return no_files();
}
unsigned bits_for_copy_of(const std::string&, const ResolvedPath&) {
    return for_all;
}
Result<Descriptor> open_file(const ResolvedPath&, Access) {
    return no_files();
}
void remove(const ResolvedPath&, const std::string&) noexcept {}
const std::chrono::milliseconds longest_absence{0};

Result<void> rename(const ResolvedPath&, const std::string&, const std::string&) {
    return no_files();
}
Result<void> swap_names(const ResolvedPath&, const std::string&, const std::string&) {
    return no_files();
}
Result<void> add_name(const ResolvedPath&, const ResolvedPath&, const std::string&) {
    return no_files();
}
Result<void> sync_folder(const ResolvedPath&) {
    return no_files();
}

}  // namespace gdvar::platform
