# The one place where targets get their compiler settings.

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release)
endif()

# Programs are compiled as libraries are, so that they can take a library's precompiled header.
set(CMAKE_CXX_COMPILE_OPTIONS_PIE ${CMAKE_CXX_COMPILE_OPTIONS_PIC})

# Where CMAKE_UNITY_BUILD is on (preset release): how many sources are compiled as one. Names in their anonymous namespaces must
# differ, therefore, within a target.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Precompiled headers need these two, see "Precompiled headers" in ccache's manual.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE_PROGRAM})
endif()

# -Wno-restrict: GCC 12 warns about std::string + std::string (its bug 105651).
option(ATTNSCOPE_WERROR "Warnings are errors" OFF)
function(attnscope_settings target)
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-missing-field-initializers -Wno-restrict -Wnon-virtual-dtor -Woverloaded-virtual
        $<$<BOOL:${ATTNSCOPE_WERROR}>:-Werror>)
    if(CMAKE_CXX_COMPILER_LAUNCHER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -fpch-preprocess)
    endif()
    if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT CMAKE_CXX_FLAGS MATCHES "fsanitize")
        target_compile_options(${target} PRIVATE -fstack-protector-strong -D_FORTIFY_SOURCE=2)
    endif()
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
endfunction()

# attnscope_optimise(target -O2): less than the release's -O3, which is for code that computes; the rest is built in half the time.
function(attnscope_optimise target level)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
endfunction()

# For other programs: cmake --install BUILD --component devel.
function(attnscope_install target)
    install(TARGETS ${target} EXPORT attnscope ARCHIVE COMPONENT devel EXCLUDE_FROM_ALL)
endfunction()

# attnscope_library(name SOURCES … [PUBLIC targets …] [PRIVATE targets …])
function(attnscope_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
    attnscope_settings(${name})
    attnscope_install(${name})
endfunction()

# attnscope_torch_library(name …): a library that uses LibTorch, with the precompiled header of attnscope_nn.
function(attnscope_torch_library name)
    attnscope_library(${name} ${ARGN})
    target_precompile_headers(${name} REUSE_FROM attnscope_nn)
endfunction()

# attnscope_program(name SOURCES … LINK targets …)
function(attnscope_program name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE ${ARG_LINK})
    attnscope_settings(${name})
    # RPATH and not RUNPATH, before which LD_LIBRARY_PATH would load another program's LibTorch.
    target_link_options(${name} PRIVATE -Wl,-z,relro,-z,now -Wl,--disable-new-dtags)
    set_target_properties(${name} PROPERTIES INSTALL_RPATH "\$ORIGIN/../lib/attnscope")
endfunction()

# Runs Qt's moc over test classes, without the target's include paths: AUTOMOC has it read LibTorch's headers, seconds for each class, in
# which it has nothing to find.
function(attnscope_test_moc program)
    foreach(_source IN LISTS ARGN)
        file(STRINGS ${_source} _includes REGEX "^#include \".*\\.moc\"")
        if(_includes)
            get_filename_component(_class ${_source} NAME_WE)
            set(_moc ${PROJECT_BINARY_DIR}/tests/moc/${_class}.moc)
            qt_generate_moc(${_source} ${_moc})
            add_custom_target(${_class}_moc DEPENDS ${_moc})
            add_dependencies(${program} ${_class}_moc)
        endif()
    endforeach()
endfunction()

# What every program of tests is given.
function(attnscope_test_program name)
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/test_main.cpp)
    set_target_properties(${name} PROPERTIES AUTOMOC OFF UNITY_BUILD OFF)
    target_include_directories(${name} PRIVATE ${PROJECT_BINARY_DIR}/tests/moc)
    target_link_libraries(${name} PRIVATE Qt6::Test)
    target_compile_definitions(${name} PRIVATE
        TEST_DATA_DIR="${PROJECT_SOURCE_DIR}/tests/data" RESOURCE_DIR="${PROJECT_SOURCE_DIR}/resources")
    attnscope_settings(${name})
    attnscope_optimise(${name} -O1)
endfunction()

# attnscope_test_group(name [LINK targets …] [HEADERS precompiled …] [REUSE_FROM group]): a program that attnscope_test(… GROUP name) fills with test classes.
function(attnscope_test_group name)
    cmake_parse_arguments(ARG "" "REUSE_FROM" "LINK;HEADERS" ${ARGN})
    add_executable(${name})
    target_link_libraries(${name} PRIVATE ${ARG_LINK})
    attnscope_test_program(${name})
    if(ARG_REUSE_FROM)
        target_precompile_headers(${name} REUSE_FROM ${ARG_REUSE_FROM})
    else()
        target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
    endif()
endfunction()

# The instruction sets that this machine has, as ATTNSCOPE_CPU calls them, without the best one.
set(ATTNSCOPE_LOWER_ISAS portable)
if(EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo _flags REGEX "^flags" LIMIT_COUNT 1)
    set(_isas portable)
    if(_flags MATCHES " avx2( |$)" AND _flags MATCHES " fma( |$)")
        list(APPEND _isas avx2)
        if(_flags MATCHES " avx512f( |$)" AND _flags MATCHES " avx512vl( |$)" AND _flags MATCHES " avx512dq( |$)" AND _flags MATCHES " avx512bw( |$)")
            list(APPEND _isas avx512)
            if(_flags MATCHES " avx512_bf16( |$)")
                list(APPEND _isas avx512bf16)
                if(_flags MATCHES " amx_bf16( |$)")
                    list(APPEND _isas amx)
                endif()
            endif()
        endif()
    endif()
    list(POP_BACK _isas)
    set(ATTNSCOPE_LOWER_ISAS ${_isas})
endif()

# attnscope_add_test(name ENVIRONMENT variables COMMAND words LABELS … [EACH_ISA] [PROPERTIES …]): an entry of ctest; EACH_ISA adds name@avx2 and its like, one
# for every lower instruction set that this machine has.
function(attnscope_add_test name)
    cmake_parse_arguments(ARG "EACH_ISA" "" "ENVIRONMENT;COMMAND;LABELS;PROPERTIES" ${ARGN})
    add_test(NAME ${name} COMMAND ${ARG_COMMAND})
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${ARG_ENVIRONMENT}" LABELS "${ARG_LABELS}" ${ARG_PROPERTIES})
    if(ARG_EACH_ISA)
        foreach(_isa IN LISTS ATTNSCOPE_LOWER_ISAS)
            add_test(NAME ${name}@${_isa} COMMAND ${ARG_COMMAND})
            set_tests_properties(${name}@${_isa} PROPERTIES ENVIRONMENT "${ARG_ENVIRONMENT};ATTNSCOPE_CPU=${_isa}" LABELS "${ARG_LABELS}" ${ARG_PROPERTIES})
        endforeach()
    endif()
endfunction()

# attnscope_test(name [GROUP program] [SOURCES …] [LINK targets …] [LABELS …] [SERIAL] [EACH_ISA] [COST seconds]): a Qt Test class in name.cpp, run by ctest; in the
# program of a group, else in one of its own. SERIAL where it looks at the clock, which a neighbour would disturb; EACH_ISA as for attnscope_add_test;
# COST where it takes minutes, so that it does not begin last.
function(attnscope_test name)
    cmake_parse_arguments(ARG "SERIAL;EACH_ISA" "GROUP;COST" "SOURCES;LINK;LABELS" ${ARGN})
    if(NOT ARG_SOURCES)
        set(ARG_SOURCES ${name}.cpp)
    endif()
    if(NOT ARG_LABELS)
        set(ARG_LABELS unit)
    endif()
    list(APPEND ARG_LABELS ${ARG_GROUP})
    if(ARG_GROUP)
        set(_program ${ARG_GROUP})
        target_sources(${_program} PRIVATE ${ARG_SOURCES})
        target_link_libraries(${_program} PRIVATE ${ARG_LINK})
        add_custom_target(${name} DEPENDS ${_program})
    else()
        set(_program ${name})
        add_executable(${name} ${ARG_SOURCES})
        target_link_libraries(${name} PRIVATE ${ARG_LINK})
        attnscope_test_program(${name})
    endif()
    attnscope_test_moc(${_program} ${ARG_SOURCES})
    set(_environment "QT_QPA_PLATFORM=offscreen;OMP_WAIT_POLICY=PASSIVE")
    if(TARGET attnscope-decoder)
        # A test program lies nowhere near it.
        list(APPEND _environment "ATTNSCOPE_DECODER=$<TARGET_FILE:attnscope-decoder>" "ATTNSCOPE_VIDEO_DECODER=$<TARGET_FILE:attnscope-video-decoder>")
    endif()
    if(TARGET attnscope-cuda)
        list(APPEND _environment "ATTNSCOPE_CUDA_LIBRARY=$<TARGET_FILE:attnscope-cuda>")
    endif()
    if(TARGET attnscope-commands)
        list(APPEND _environment "ATTNSCOPE_COMMANDS=$<TARGET_FILE:attnscope-commands>")
    endif()
    if(TARGET attnscope-torchscript)
        list(APPEND _environment "ATTNSCOPE_TORCHSCRIPT=$<TARGET_FILE:attnscope-torchscript>")
    endif()
    if(NOT ARG_COST)
        set(ARG_COST 0)
    endif()
    set(_limit 300)
    if(CMAKE_CXX_FLAGS MATCHES "fsanitize")
        set(_limit 1800)
    endif()
    set(_each)
    if(ARG_EACH_ISA)
        set(_each EACH_ISA)
    endif()
    attnscope_add_test(${name} ${_each} COMMAND ${_program} ${name} ENVIRONMENT ${_environment} LABELS ${ARG_LABELS}
        PROPERTIES TIMEOUT ${_limit} RUN_SERIAL ${ARG_SERIAL} COST ${ARG_COST})
endfunction()
