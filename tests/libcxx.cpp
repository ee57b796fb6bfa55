// Compiled, not run, by libcxx_test.py: all headers with libc++, which has std::format where
// libstdc++ 12 has not.
#include <format>
#include <gdvar/gdvar.hpp>

using namespace gdvar;

template <class... T>
constexpr bool formattable = (std::formattable<T, char> && ...);
static_assert(formattable<Variant, View, VariantStep, ConstVariantStep, Error, Errc, Type, String,
                          StringName, NodePath, Vector3, Vector3d, Color, Array, Dictionary, Object,
                          PackedInt32Array, PackedStringArray>);
static_assert(!formattable<std::vector<Variant>*, Document>);

std::string formatted(Variant& v) {
    return std::format("{:>20}|{}|{:.3}", v, v["a"]["b"], Errc::io);
}
