// `try` and `catch` that vanish where the compiler has no exceptions (-fno-exceptions,
// WebAssembly).
#pragma once

#include <cstdlib>
#include <exception>
#include <new>

/// Exceptions come only from memory that runs out. Functions end them and return no_memory. A whole
/// function, or a block, is written so:
///
///     std::expected<std::string, Error> print(const Value& value) GDVAR_TRY {
///         ...
///     }
///     GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))
///
/// The handler is a statement. Without exceptions it is not compiled: the program ends when memory
/// runs out, in WebAssembly with a trap.
#if defined(__cpp_exceptions)
#define GDVAR_TRY try
#define GDVAR_CATCH(exception, ...) \
    catch (exception) {             \
        __VA_ARGS__;                \
    }
#define GDVAR_THROW_NO_MEMORY() throw std::bad_alloc()
#else
#define GDVAR_TRY
#define GDVAR_CATCH(exception, ...)
#define GDVAR_THROW_NO_MEMORY() std::abort()
#endif

#define GDVAR_CATCH_NO_MEMORY(...) GDVAR_CATCH(const std::bad_alloc&, __VA_ARGS__)
/// Also catches std::length_error: a size that a standard container refuses.
#define GDVAR_CATCH_ALL(...) GDVAR_CATCH(const std::exception&, __VA_ARGS__)
