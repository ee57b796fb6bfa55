# gdvar_compile_options(TARGET): the language level, warnings and visibility of everything built here.
#
# Nothing here reaches whoever links gdvar, except that C++23 is required and that GDVAR_SHARED marks shared libraries.

if(GDVAR_LIBFUZZER)
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "GDVAR_LIBFUZZER needs clang")
    endif()
    set(GDVAR_SANITIZE "address,undefined")
    # fuzz/cost.cpp counts edges with these guards. The fuzzer has counters of its own.
    add_compile_options(-fsanitize=fuzzer-no-link -fsanitize-coverage=trace-pc-guard)
endif()
if(GDVAR_SANITIZE)
    add_compile_options(-fsanitize=${GDVAR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${GDVAR_SANITIZE})
endif()

# Options that make a remaining fault harder to exploit. Sanitizers have checks of their own. The builder's own flags (CXXFLAGS
# and LDFLAGS, those of a distribution) have precedence.
if(GDVAR_HARDEN AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT GDVAR_SANITIZE)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
    set(flags " ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${config}} ${CMAKE_EXE_LINKER_FLAGS} ${CMAKE_SHARED_LINKER_FLAGS} ")
    if(NOT flags MATCHES " -f(no-)?stack-protector")
        add_compile_options(-fstack-protector-strong)
    endif()
    if(NOT flags MATCHES "_FORTIFY_SOURCE")
        # It needs optimisation. Some compilers define a level themselves. Level 3 changes what g++ inlines.
        add_compile_options($<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
    endif()
    if(NOT flags MATCHES "-z[, ](-Wl,)?(relro|norelro)")
        add_link_options(-Wl,-z,relro)
    endif()
    if(NOT flags MATCHES "-z[, ](-Wl,)?(now|lazy)")
        add_link_options(-Wl,-z,now)
    endif()
    if(NOT flags MATCHES " -(fno-|no-|f)?(pie|PIE) ")
        include(CheckPIESupported)
        check_pie_supported(LANGUAGES CXX)
        set(CMAKE_POSITION_INDEPENDENT_CODE ON)
    endif()
endif()

function(gdvar_compile_options target)
    target_compile_features(${target} PUBLIC cxx_std_23)
    # A shared library exports what GDVAR_EXPORT names (base/export.hpp). A program or plugin that links an archive does
    # not re-export it.
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF
        CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    if(BUILD_SHARED_LIBS)
        target_compile_definitions(${target} PUBLIC GDVAR_SHARED)
    endif()
    # g++ 12 warns of overlaps inside std::string's own operator+ (GCC bug 105329).
    target_compile_options(${target} PRIVATE
        $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
        -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
        $<$<BOOL:${GDVAR_WERROR}>:-Werror>)
endfunction()

# gdvar_check_containers(TARGET): the program stops if it misuses std::span, std::optional and the like. The core, text
# and json go without this check: it makes validating the settings of the benchmarks 4% slower.
function(gdvar_check_containers target)
    if(GDVAR_HARDEN)
        target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
        # The same of libc++, for which zig sets that there are no checks.
        target_compile_options(${target} PRIVATE $<$<BOOL:${GDVAR_TARGET}>:-U_LIBCPP_HARDENING_MODE>
            $<$<BOOL:${GDVAR_TARGET}>:-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_FAST>)
    endif()
endfunction()

# gdvar_quick(TARGET [SANITIZED]): what only tests run is compiled with little optimisation (GDVAR_QUICK_TESTS). With
# SANITIZED, only under a sanitizer: for a target that takes long to compile there, and whose speed the tests hardly notice.
function(gdvar_quick target)
    if(GDVAR_QUICK_TESTS AND GDVAR_SANITIZE AND NOT GDVAR_LIBFUZZER)
        target_compile_options(${target} PRIVATE -O0)
    elseif(GDVAR_QUICK_TESTS AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT "SANITIZED" IN_LIST ARGN)
        # With less optimisation, g++ 12 follows values less far and warns of what can't be.
        target_compile_options(${target} PRIVATE -O1 $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized
            -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>)
    endif()
endfunction()
