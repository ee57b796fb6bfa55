# gdvar_test(NAME SOURCES file... [LIBS target...] [LABELS label...] [COMMAND] [TIMEOUT seconds])
#
# Makes the test program NAME (GoogleTest with GoogleMock and RapidCheck, the main included) and one
# ctest entry of the same name for all of it.
#   LIBS     what it links; gdvar::gdvar when left out. gdvar_allocations: the program counts its allocations
#   LABELS   ctest labels; `live` marks tests that start a real engine
#   COMMAND  builds the gdvar command first; its path is in the environment as GDVAR_COMMAND
# tests/ is on the include path. The sources of one folder are compiled together (gdvar_unity): they share one anonymous
# namespace. Sources named posix_*_test.cpp are for POSIX alone: a program for Windows goes without them, and is not made if
# it has no others. Each says why in a comment, for the table of what was not tried (tests/support/wine).
#
# gdvar_python_test(NAME SCRIPT [ARGS argument...] [LABELS label...]): a ctest entry that runs a script.

if(GDVAR_GTEST_SOURCE)
    # For cross builds: no package of GoogleTest for the target is needed. RapidCheck's below is the same.
    set(INSTALL_GTEST OFF)
    add_subdirectory(${GDVAR_GTEST_SOURCE} ${PROJECT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL SYSTEM)
    if(NOT TARGET GTest::gmock)
        add_library(GTest::gtest ALIAS gtest)
        add_library(GTest::gmock ALIAS gmock)
    endif()
else()
    find_package(GTest REQUIRED)
endif()
if(GDVAR_RAPIDCHECK_SOURCE)
    add_subdirectory(${GDVAR_RAPIDCHECK_SOURCE} ${PROJECT_BINARY_DIR}/rapidcheck EXCLUDE_FROM_ALL SYSTEM)
    # It uses this header without including it; of libc++ no other header does.
    target_compile_options(rapidcheck INTERFACE "SHELL:-include exception")
else()
    find_path(RAPIDCHECK_INCLUDE_DIR rapidcheck.h REQUIRED)
    find_library(RAPIDCHECK_LIBRARY rapidcheck REQUIRED)
    add_library(rapidcheck STATIC IMPORTED)
    set_target_properties(rapidcheck PROPERTIES IMPORTED_LOCATION ${RAPIDCHECK_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${RAPIDCHECK_INCLUDE_DIR})
endif()
# Where a compiler for another system looks in no folder of this one.
find_path(NLOHMANN_INCLUDE_DIR nlohmann/json.hpp)
find_package(Threads REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

add_library(gdvar_source_dir STATIC ${PROJECT_SOURCE_DIR}/tests/support/source_dir.cpp)
gdvar_compile_options(gdvar_source_dir)
target_include_directories(gdvar_source_dir PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_compile_definitions(gdvar_source_dir PRIVATE "GDVAR_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")

# Code that asks for the system, and the main of all programs.
set(support children.cpp main.cpp socket.cpp system.cpp)
list(TRANSFORM support PREPEND ${PROJECT_SOURCE_DIR}/tests/support/)
add_library(gdvar_test_support STATIC ${support})
gdvar_compile_options(gdvar_test_support)
target_include_directories(gdvar_test_support PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(gdvar_test_support PUBLIC GTest::gtest Threads::Threads $<$<BOOL:${WIN32}>:ws2_32>)
# Windows' headers without their macros of common words.
target_compile_definitions(gdvar_test_support PUBLIC $<$<BOOL:${WIN32}>:NOMINMAX> $<$<BOOL:${WIN32}>:WIN32_LEAN_AND_MEAN>)

# Objects, not an archive: from that, each program would get its operator new.
add_library(gdvar_allocations OBJECT ${PROJECT_SOURCE_DIR}/tests/support/allocations.cpp)
gdvar_compile_options(gdvar_allocations)

function(gdvar_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "COMMAND" "TIMEOUT" "SOURCES;LIBS;LABELS")
    if(NOT arg_LIBS)
        set(arg_LIBS gdvar::gdvar)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 600)
    endif()
    if(WIN32)
        list(FILTER arg_SOURCES EXCLUDE REGEX "posix_[a-z_]+_test\\.cpp$")
        if(NOT arg_SOURCES)
            return()
        endif()
    endif()
    add_executable(${name} ${arg_SOURCES})
    gdvar_compile_options(${name})
    # Where a test replaces operator new, g++ 12 takes the free() in its operator delete for a mistake.
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-mismatched-new-delete>)
    gdvar_quick(${name})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    if(NLOHMANN_INCLUDE_DIR)
        target_include_directories(${name} SYSTEM PRIVATE ${NLOHMANN_INCLUDE_DIR})
    endif()
    target_link_libraries(${name} PRIVATE
        ${arg_LIBS} gdvar_source_dir gdvar_test_support GTest::gmock rapidcheck)
    gdvar_unity(${name})
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
    # Tests with engines run in the build of g++ alone (scripts/test).
    if((GDVAR_SANITIZE OR CMAKE_CROSSCOMPILING) AND "live" IN_LIST arg_LABELS)
        set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
    if(arg_COMMAND)
        if(TARGET gdvar)
            add_dependencies(${name} gdvar)
            set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT GDVAR_COMMAND=$<TARGET_FILE:gdvar>)
        else()
            set_tests_properties(${name} PROPERTIES DISABLED ON)
        endif()
    endif()
endfunction()

function(gdvar_python_test name script)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "ARGS;LABELS")
    add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${arg_ARGS})
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 600)
endfunction()
