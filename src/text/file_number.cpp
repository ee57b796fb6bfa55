#include "file_number.hpp"

#include <charconv>
#include <cmath>

#include "base/engine_real.hpp"
#include "base/number.hpp"
#include "gdvar/text/number.hpp"

namespace gdvar::detail {
namespace {

/// True if the engines read the digits from `begin` on as the value, sign included. Texts without a
/// leading digit, such as `inf`, pass: they have no other form.
template <class Real>
bool reads_as(const std::string& out, std::size_t begin, double value) noexcept {
    const auto read = static_cast<Real>(engine_real(std::string_view(out).substr(begin)));
    return read == static_cast<Real>(value) && std::signbit(read) == std::signbit(value);
}

template <class Real, class Print>
void append(std::string& out, double value, Print&& print) {
    const std::size_t begin = out.size();
    print();
    if (!std::isfinite(value) || reads_as<Real>(out, begin, value))
        return;
    out.resize(begin);
    append_finite(out, static_cast<Real>(value), WholeMark::yes);
    if (reads_as<Real>(out, begin, value))
        return;
    out.resize(begin);
    // Prefers digits that exact readers take for the same float.
    for (const EngineDigits wanted : {EngineDigits::nearest_too, EngineDigits::any})
        if (append_engine_digits(out, value, wanted))
            return;
    // With an exponent: the reader counts leading zeros among its 18 digits.
    char text[32];
    out.append(text,
               std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr);
}

}  // namespace

void append_file_float(std::string& out, double value, TextFamily family) {
    append<double>(out, value, [&] { gdvar::append_float(out, value, family); });
}

void append_file_component(std::string& out, double value, bool wide, TextFamily family) {
    const auto print = [&] { append_component(out, value, family); };
    if (wide)
        append<double>(out, value, print);
    else
        append<float>(out, value, print);
}

}  // namespace gdvar::detail
