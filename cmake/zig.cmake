# Another system, by zig's clang: -DGDVAR_TARGET=x86_64-windows-gnu. tools/native/build.sh makes what this needs:
# GDVAR_NATIVE, a folder with the compilers (bin/) and the libraries of that target (include/, lib/).
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GDVAR_TARGET GDVAR_NATIVE)
if(GDVAR_TARGET MATCHES "windows")
    set(CMAKE_SYSTEM_NAME Windows)
elseif(GDVAR_TARGET MATCHES "macos")
    set(CMAKE_SYSTEM_NAME Darwin)
elseif(GDVAR_TARGET MATCHES "wasi")
    # CMake 3.31 is the first to know it, and sets WASI.
    set(CMAKE_SYSTEM_NAME Generic)
    set(WASI ON)
else()
    set(CMAKE_SYSTEM_NAME Linux)
endif()
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR ${GDVAR_TARGET})
set(CMAKE_C_COMPILER ${GDVAR_NATIVE}/bin/cc)
set(CMAKE_CXX_COMPILER ${GDVAR_NATIVE}/bin/c++)
set(CMAKE_AR ${GDVAR_NATIVE}/bin/ar)
set(CMAKE_RANLIB ${GDVAR_NATIVE}/bin/ranlib)
set(CMAKE_RC_COMPILER ${GDVAR_NATIVE}/bin/rc)
# The runner of the tests here.
if(GDVAR_TARGET STREQUAL "x86_64-windows-gnu")
    set(CMAKE_CROSSCOMPILING_EMULATOR python3 ${CMAKE_CURRENT_LIST_DIR}/../tests/support/wine/run.py)
elseif(GDVAR_TARGET MATCHES "aarch64-linux")
    set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
endif()
# Libraries that are not built for the target are not taken from this machine.
set(CMAKE_FIND_ROOT_PATH ${GDVAR_NATIVE})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(OPENSSL_USE_STATIC_LIBS ON)
# Users get the file alone, and ten times its size are symbols. On Windows they would be in a file beside it, whose name and
# hash are in the program.
set(CMAKE_EXE_LINKER_FLAGS_RELEASE_INIT -s)
set(CMAKE_SHARED_LINKER_FLAGS_RELEASE_INIT -s)
set(CMAKE_MODULE_LINKER_FLAGS_RELEASE_INIT -s)
# The C++ library with exceptions.
if(WASI)
    set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostdlib++ -L${GDVAR_NATIVE}/lib")
    set(CMAKE_CXX_STANDARD_LIBRARIES "-lgdvar_filesystem -lgdvar_cxx -lgdvar_unwind -lwasi-emulated-getpid")
endif()
