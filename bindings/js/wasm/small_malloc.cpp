// malloc for gdvar-core.wasm: wasi-libc's takes 4 kB, compressed. Freed memory is only reused for
// blocks of its own class; there are four classes to each power of two, so a block takes at most a
// quarter more than it needs.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" unsigned char __heap_base;

namespace {

struct Free {
    Free* next;
};
/// Before each block; its size keeps the block aligned for any type.
struct alignas(16) Header {
    std::uint32_t class_;
};

constexpr std::size_t page = 65536;
constexpr std::uint32_t classes = 4 * 32;
Free* free_blocks[classes];
std::size_t unused, end;  // memory never handed out

/// The bytes of a class: 4, 5, 6 or 7 times a power of two.
constexpr std::size_t size_of(std::uint32_t number) noexcept {
    return std::size_t{4 + number % 4} << (number / 4 + 2);
}
/// The smallest class for that many bytes, less than 2^31.
constexpr std::uint32_t class_for(std::size_t size) noexcept {
    if (size <= 16)
        return 0;
    const int shift = static_cast<int>(std::bit_width(size - 1)) - 3;
    return static_cast<std::uint32_t>(4 * (shift - 2)) +
           static_cast<std::uint32_t>((size - 1) >> shift) - 3;
}

void* take(std::size_t size) noexcept {
    if (!unused)
        unused = (reinterpret_cast<std::size_t>(&__heap_base) + 15) & ~std::size_t{15};
    if (!end)
        end = __builtin_wasm_memory_size(0) * page;
    if (const std::size_t left = end - unused; size > left) {
        // At least an eighth more, so that growing stays linear.
        const std::size_t least = (size - left + page - 1) / page;
        const std::size_t wanted = least + end / page / 8;
        if (__builtin_wasm_memory_grow(0, wanted) != static_cast<std::size_t>(-1))
            end += wanted * page;
        else if (__builtin_wasm_memory_grow(0, least) != static_cast<std::size_t>(-1))
            end += least * page;
        else
            return nullptr;
    }
    void* const at = reinterpret_cast<void*>(unused);
    unused += size;
    return at;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
    if (size > std::size_t{1} << 30)
        return nullptr;
    const std::uint32_t number = class_for(size);
    if (Free* const block = free_blocks[number]) {
        free_blocks[number] = block->next;
        return block;
    }
    auto* const header =
        static_cast<Header*>(take(sizeof(Header) + ((size_of(number) + 15) & ~std::size_t{15})));
    if (!header)
        return nullptr;
    header->class_ = number;
    return header + 1;
}
void free(void* block) {
    if (!block)
        return;
    const std::uint32_t number = (static_cast<Header*>(block) - 1)->class_;
    auto* const free_block = static_cast<Free*>(block);
    free_block->next = free_blocks[number];
    free_blocks[number] = free_block;
}
void* realloc(void* block, std::size_t size) {
    if (!block)
        return malloc(size);
    const std::size_t had = size_of((static_cast<Header*>(block) - 1)->class_);
    if (size <= had)
        return block;
    void* const bigger = malloc(size);
    if (bigger) {
        std::memcpy(bigger, block, had);
        free(block);
    }
    return bigger;
}
void* calloc(std::size_t count, std::size_t size) {
    const std::uint64_t bytes = std::uint64_t{count} * size;
    void* const block = bytes <= UINT32_MAX ? malloc(static_cast<std::size_t>(bytes)) : nullptr;
    return block ? std::memset(block, 0, static_cast<std::size_t>(bytes)) : nullptr;
}
/// libc++ has an operator new with an alignment; no type here needs more than a block's.
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    return alignment <= alignof(Header) ? malloc(size) : nullptr;
}

}  // extern "C"
