#include "gdvar/wire/encoder.hpp"

namespace gdvar {

template class Encoder<BufferOutput>;
template class Encoder<ReservedOutput>;
template class Encoder<RetriedOutput>;

}  // namespace gdvar
