# What each component needs besides the standard library. Read by the build and by the installed package.
#
# gdvar_find_needs(COMPONENT): finds the packages of that component alone. Sets in the caller's scope
#   gdvar_needs     the targets to link, such as ZLIB::ZLIB; empty for a component that needs none
#   gdvar_missing   those of them that were not found

set(gdvar_needs_of_save ZLIB::ZLIB OpenSSL::Crypto PkgConfig::zstd PkgConfig::brotli PkgConfig::brotli_encoder)
set(gdvar_needs_of_net OpenSSL::SSL PkgConfig::enet Threads::Threads)
if(GDVAR_WASM)
    # Those of bindings/js/wasm/libraries.sh.
    set(gdvar_needs_of_save gdvar_wasm_libraries)
endif()

# Windows' own, which the others of these libraries need. They come behind them.
if(WIN32)
    if(NOT TARGET gdvar_windows)
        add_library(gdvar_windows INTERFACE IMPORTED GLOBAL)
        set_property(TARGET gdvar_windows PROPERTY INTERFACE_LINK_LIBRARIES ws2_32 mswsock crypt32 bcrypt winmm)
    endif()
    list(APPEND gdvar_needs_of_save gdvar_windows)
    list(APPEND gdvar_needs_of_net gdvar_windows)
endif()

# gdvar_find_module(NAME MODULE): the target PkgConfig::NAME, for libraries without a CMake package.
function(gdvar_find_module name module)
    if(TARGET PkgConfig::${name})
        return()
    endif()
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
        pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${module})
    endif()
endfunction()

function(gdvar_find_needs component)
    if(component STREQUAL "save" AND GDVAR_WASM)
        if(EXISTS ${GDVAR_WASM_LIBRARIES}/made AND NOT TARGET gdvar_wasm_libraries)
            set(libraries mbedcrypto brotli zstd z)
            list(TRANSFORM libraries REPLACE "(.+)" "${GDVAR_WASM_LIBRARIES}/lib/lib\\1.a")
            add_library(gdvar_wasm_libraries INTERFACE)
            target_include_directories(gdvar_wasm_libraries SYSTEM INTERFACE ${GDVAR_WASM_LIBRARIES}/include)
            target_compile_definitions(gdvar_wasm_libraries INTERFACE
                "MBEDTLS_CONFIG_FILE=\"gdvar_mbedtls_config.h\"")
            target_link_libraries(gdvar_wasm_libraries INTERFACE ${libraries})
        endif()
    elseif(component STREQUAL "save")
        find_package(ZLIB QUIET)
        find_package(OpenSSL QUIET COMPONENTS Crypto)
        gdvar_find_module(zstd libzstd)
        gdvar_find_module(brotli libbrotlidec)
        gdvar_find_module(brotli_encoder libbrotlienc)
    elseif(component STREQUAL "net")
        find_package(OpenSSL QUIET COMPONENTS SSL)
        find_package(Threads QUIET)
        gdvar_find_module(enet libenet)
    endif()
    set(missing)
    foreach(target IN LISTS gdvar_needs_of_${component})
        if(NOT TARGET ${target})
            list(APPEND missing ${target})
        endif()
    endforeach()
    set(gdvar_needs ${gdvar_needs_of_${component}} PARENT_SCOPE)
    set(gdvar_missing ${missing} PARENT_SCOPE)
endfunction()
