# What the save room needs for compressed and encrypted files: ZLIB::ZLIB, OpenSSL::Crypto,
# PkgConfig::zstd, PkgConfig::brotli. Included by the build and by the installed package. A cross build,
# which is for the core, goes without.
include(CMakeFindDependencyMacro)

if(NOT CMAKE_CROSSCOMPILING)
    find_dependency(ZLIB)
    find_dependency(OpenSSL COMPONENTS Crypto)
    find_dependency(PkgConfig)
    foreach(gdvar_name IN ITEMS zstd brotli)
        if(NOT TARGET PkgConfig::${gdvar_name})
            set(gdvar_module lib${gdvar_name})
            if(gdvar_name STREQUAL "brotli")
                set(gdvar_module libbrotlidec)
            endif()
            pkg_check_modules(${gdvar_name} REQUIRED QUIET IMPORTED_TARGET GLOBAL ${gdvar_module})
        endif()
    endforeach()
endif()
