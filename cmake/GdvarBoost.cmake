# gdvar_private_boost(TARGET): compiles the target with Boost's headers under the name gdvar_boost instead of boost.
#
# Asio and Beast are headers: what of them a library uses is compiled into it. An archive would bring their symbols into the
# program that links it, and a linker keeps one of each. A program with an Asio of its own, of another version or with
# another configuration, would then run a mixture of both: no packet arrives, or it crashes. So all of Boost that is inside
# gdvar has a namespace of its own.
#
# `#include <boost/...>` finds Boost as ever, because the preprocessor replaces no name there. Where Boost computes the name
# of a header, it is gdvar_boost/...: a link in the build folder leads from there to the same headers.
# Asio's names outside of its namespace are renamed one by one; a test looks at what is in the library.
set(gdvar_boost_names boost boost_asio_detail_posix_thread_function boost_asio_signal_handler)
foreach(name IN ITEMS execution_bulk_execute_fn execution_connect_fn execution_execute_fn execution_schedule_fn
        execution_set_done_fn execution_set_error_fn execution_set_value_fn execution_start_fn execution_submit_fn
        handler_alloc_helpers handler_cont_helpers handler_invoke_helpers prefer_fn query_fn require_concept_fn require_fn)
    list(APPEND gdvar_boost_names boost_asio_${name})
endforeach()

function(gdvar_private_boost target)
    find_package(Boost 1.81 QUIET)
    if(NOT TARGET Boost::headers)
        message(FATAL_ERROR "gdvar::net needs Boost's headers (1.81). Install them (on Debian 12: scripts/setup build), "
            "or leave this component out with -DGDVAR_NET=OFF.")
    endif()
    unset(boost_folder)
    get_target_property(folders Boost::headers INTERFACE_INCLUDE_DIRECTORIES)
    find_path(boost_folder boost/asio.hpp PATHS ${folders} ${Boost_INCLUDE_DIRS} NO_DEFAULT_PATH NO_CACHE)
    if(NOT boost_folder OR NOT EXISTS ${boost_folder}/boost/config.hpp)
        message(FATAL_ERROR "gdvar::net needs all of Boost's headers in one folder: set Boost_INCLUDE_DIR to it.")
    endif()
    set(private ${PROJECT_BINARY_DIR}/private_boost)
    file(MAKE_DIRECTORY ${private})
    cmake_path(APPEND boost_folder boost OUTPUT_VARIABLE headers)
    file(CREATE_LINK ${headers} ${private}/gdvar_boost SYMBOLIC)
    foreach(name IN LISTS gdvar_boost_names)
        target_compile_definitions(${target} PRIVATE ${name}=gdvar_${name})
    endforeach()
    # Its exceptions, and its calls of OpenSSL, say in which header they are: paths of the machine that builds.
    target_compile_definitions(${target} PRIVATE BOOST_DISABLE_CURRENT_LOCATION OPENSSL_NO_FILENAMES)
    target_include_directories(${target} SYSTEM PRIVATE ${private} ${boost_folder})
endfunction()
