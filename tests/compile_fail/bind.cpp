// Compiled by compile_fail_test.py, with one wrong thing at a time.
#include <functional>
#include <set>

#include "gdvar/value/binding.hpp"

struct Sound {
    int hp = 0;
#ifdef POINTER
    int* next = nullptr;
#endif
#ifdef FUNCTION
    std::function<void()> call;
#endif
#ifdef SET
    std::set<int> tags;
#endif
#ifdef CHARACTER
    char letter = 'a';
#endif
#ifdef BYTES
    std::vector<std::byte> bytes;
#endif
};

int main() {
    const gdvar::PackedByteArray bytes;
#if defined(DANGLING_ROOT)
    return gdvar::Document::parse(gdvar::as_bytes(bytes)).value().root().is_nil();
#elif defined(DANGLING_KEY)
    return gdvar::Document()["key"].is_nil();
#elif defined(DANGLING_OPTIONS)
    gdvar::CountOutput output;
    gdvar::Encoder<gdvar::CountOutput> encoder(output, gdvar::EncodeOptions{});
#endif
    Sound sound;
    return gdvar::decode_to(sound, gdvar::as_bytes(bytes)) && gdvar::encode(sound);
}
