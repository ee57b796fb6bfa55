// Everything that the library offers. Smaller parts can be included by room.
#pragma once

#include "gdvar/value/builder.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/value/walk.hpp"
#include "gdvar/version.hpp"
#include "gdvar/wire/encoder.hpp"
#include "gdvar/wire/reader.hpp"
