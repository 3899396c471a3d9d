# SPDX-License-Identifier: Apache-2.0
# The one place where targets get their compiler settings.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Precompiled headers need these two, see "Precompiled headers" in ccache's manual.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE_PROGRAM})
endif()

# -Wno-restrict: GCC 12 warns about std::string + std::string (its bug 105651).
function(attnscope_settings target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-missing-field-initializers -Wno-restrict -Wnon-virtual-dtor -Woverloaded-virtual)
    if(CMAKE_CXX_COMPILER_LAUNCHER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -fpch-preprocess)
    endif()
    if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT CMAKE_CXX_FLAGS MATCHES "fsanitize")
        target_compile_options(${target} PRIVATE -fstack-protector-strong -D_FORTIFY_SOURCE=2)
    endif()
    if(ATTNSCOPE_CUDA)
        # For every target alike: a precompiled header is reused only where the definitions are the same.
        target_compile_definitions(${target} PRIVATE ATTNSCOPE_CUDA $<$<BOOL:${ATTNSCOPE_CUDA_KERNELS}>:ATTNSCOPE_CUDA_KERNELS>)
    endif()
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
endfunction()

# attnscope_library(name SOURCES … [PUBLIC targets …] [PRIVATE targets …])
function(attnscope_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
    attnscope_settings(${name})
endfunction()

# attnscope_program(name SOURCES … LINK targets …)
function(attnscope_program name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE ${ARG_LINK})
    attnscope_settings(${name})
    target_link_options(${name} PRIVATE -Wl,-z,relro,-z,now)
endfunction()

# attnscope_test(name SOURCES … LINK targets … [LABELS …] [SERIAL]): a Qt Test program, run by ctest; SERIAL where it looks at
# the clock, which a neighbour would disturb.
function(attnscope_test name)
    cmake_parse_arguments(ARG "SERIAL" "" "SOURCES;LINK;LABELS" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    set_target_properties(${name} PROPERTIES AUTOMOC ON)
    target_link_libraries(${name} PRIVATE ${ARG_LINK} Qt6::Test)
    target_compile_definitions(${name} PRIVATE
        TEST_DATA_DIR="${PROJECT_SOURCE_DIR}/tests/data" RESOURCE_DIR="${PROJECT_SOURCE_DIR}/resources")
    attnscope_settings(${name})
    add_test(NAME ${name} COMMAND ${name})
    if(NOT ARG_LABELS)
        set(ARG_LABELS unit)
    endif()
    set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 300 RUN_SERIAL ${ARG_SERIAL}
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;OMP_WAIT_POLICY=PASSIVE")
    if(TARGET attnscope-decoder)
        # A test program lies nowhere near it.
        set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT "ATTNSCOPE_DECODER=$<TARGET_FILE:attnscope-decoder>")
    endif()
endfunction()
