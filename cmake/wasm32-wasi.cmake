# WebAssembly by Debian's clang 22. The modules are reactors: they have functions, and no main.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-22)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
# wasm-ld needs no index in an archive, so GNU ar will do. An older llvm-ar does not know the objects.
set(CMAKE_AR ar)
set(CMAKE_C_ARCHIVE_FINISH "")
set(CMAKE_CXX_ARCHIVE_FINISH "")
# CMake's test programs have no main either.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# The sources find nothing in this machine's own folders that wasi-libc lacks.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# All of it is optimised when it is linked. Memory that runs out ends the module with a trap. clang calls the name of the
# target deprecated, but Debian has its libraries under it.
set(CMAKE_C_FLAGS_INIT "-flto -Wno-deprecated")
set(CMAKE_CXX_FLAGS_INIT "-flto -Wno-deprecated -fno-exceptions -fno-rtti")
