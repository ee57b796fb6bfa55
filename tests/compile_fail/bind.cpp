// Compiled by compile_fail_test.py, with one wrong thing at a time.
#include <functional>
#include <set>

#include "gdvar/value/binding.hpp"

struct Parent {
#ifdef BASE
    int id = 0;
#endif
};

struct Sound
#if defined(BASE) || defined(EMPTY_BASE)
    : Parent
#endif
{
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
#ifdef C_ARRAY
    std::string name;
    float position[3];
    int level = 0;
#endif
#ifdef LAST_C_ARRAY
    char name[64];
#endif
#ifdef MANY
    int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9;
    int c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9;
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
