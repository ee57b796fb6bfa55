# What the net room needs: Boost::headers (Asio and Beast), OpenSSL::SSL, PkgConfig::enet. Included by the
# build and by the installed package. A cross build, which is for the core, goes without.
include(CMakeFindDependencyMacro)

if(NOT CMAKE_CROSSCOMPILING)
    find_dependency(Boost 1.81)
    find_dependency(OpenSSL COMPONENTS SSL)
    find_dependency(Threads)
    find_dependency(PkgConfig)
    if(NOT TARGET PkgConfig::enet)
        pkg_check_modules(enet REQUIRED QUIET IMPORTED_TARGET GLOBAL libenet)
    endif()
endif()
