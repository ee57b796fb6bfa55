// For most programs: Variant, Document, encoding and decoding them, and the text of errors. Needs
// gdvar::core alone. Structs are bound by gdvar/value/binding.hpp; gdvar/gdvar.hpp has everything.
#pragma once

#include "gdvar/value/codec.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/version.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/validate.hpp"
