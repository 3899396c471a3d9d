# Finds LibTorch without its own TorchConfig.cmake, which insists on a CUDA toolkit even for a CPU program.
#
# Looked for in this order: ATTNSCOPE_LIBTORCH, Torch_DIR, Torch_ROOT, CMAKE_PREFIX_PATH (CMake or environment variables), and the
# folder that packaging/fetch_libtorch.sh fills. A folder is a LibTorch (include, lib), or
# holds one under torch, as Python's site-packages does.
# Its CUDA libraries play no part: programs look for them when they run (core/device/cuda).
# Defines LibTorch::LibTorch, LibTorch::OpenMP (the library of its threads) and LibTorch_VERSION.

# Cached, so that a build folder keeps its LibTorch when CMake runs again from another shell.
set(ATTNSCOPE_LIBTORCH "$ENV{ATTNSCOPE_LIBTORCH}" CACHE PATH "An existing LibTorch to use")
if(NOT "$ENV{ATTNSCOPE_LIBTORCH}" STREQUAL "")
    set_property(CACHE ATTNSCOPE_LIBTORCH PROPERTY VALUE "$ENV{ATTNSCOPE_LIBTORCH}")
endif()

set(_asked_for)  # by a variable that can only mean LibTorch
foreach(_dir IN ITEMS "${ATTNSCOPE_LIBTORCH}" "${Torch_DIR}" "$ENV{Torch_DIR}"
                      "${Torch_ROOT}" "$ENV{Torch_ROOT}")
    if(_dir)
        list(APPEND _asked_for ${_dir} ${_dir}/torch ${_dir}/../../..)  # Torch_DIR is …/share/cmake/Torch
    endif()
endforeach()

set(_hints)
if(DEFINED ENV{CMAKE_PREFIX_PATH})
    string(REPLACE ":" ";" _environment_prefixes "$ENV{CMAKE_PREFIX_PATH}")
endif()
foreach(_prefix IN LISTS CMAKE_PREFIX_PATH _environment_prefixes)
    list(APPEND _hints ${_prefix} ${_prefix}/torch)
endforeach()

if(NOT "$ENV{ATTNSCOPE_CACHE}" STREQUAL "")
    set(_cache $ENV{ATTNSCOPE_CACHE})
elseif(NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
    set(_cache $ENV{XDG_CACHE_HOME}/attnscope)
else()
    set(_cache $ENV{HOME}/.cache/attnscope)
endif()
list(APPEND _hints ${_cache}/libtorch-2.11.0-cpu)
if(_asked_for)
    set(_hints ${_asked_for})  # no silent fallback to another LibTorch than the one asked for
endif()

# What an earlier run found holds until another LibTorch is asked for, or it is gone.
set(_question "${_asked_for}")
if(NOT _question STREQUAL "${LibTorch_QUESTION}" OR NOT EXISTS "${LibTorch_INCLUDE_DIR}/ATen/ATen.h")
    foreach(_name IN ITEMS INCLUDE_DIR CPU_LIBRARY C10_LIBRARY OPENMP_LIBRARY)
        unset(LibTorch_${_name} CACHE)
    endforeach()
    set(LibTorch_QUESTION "${_question}" CACHE INTERNAL "For which folders the LibTorch below was looked up")
endif()

find_path(LibTorch_INCLUDE_DIR ATen/ATen.h HINTS ${_hints} PATH_SUFFIXES include NO_DEFAULT_PATH)
# Headers and libraries come from the same place: a mixture of two versions compiles and then crashes.
get_filename_component(_root "${LibTorch_INCLUDE_DIR}/.." ABSOLUTE)
find_library(LibTorch_CPU_LIBRARY torch_cpu HINTS ${_root}/lib NO_DEFAULT_PATH)
find_library(LibTorch_C10_LIBRARY c10 HINTS ${_root}/lib NO_DEFAULT_PATH)
find_file(LibTorch_OPENMP_LIBRARY libgomp.so.1 HINTS ${_root}/lib NO_DEFAULT_PATH)
mark_as_advanced(LibTorch_INCLUDE_DIR LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY LibTorch_OPENMP_LIBRARY)

foreach(_header IN ITEMS torch/headeronly/version.h torch/csrc/api/include/torch/version.h)
    if(LibTorch_INCLUDE_DIR AND EXISTS ${LibTorch_INCLUDE_DIR}/${_header})
        file(STRINGS ${LibTorch_INCLUDE_DIR}/${_header} _parts REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) [0-9]+")
        list(TRANSFORM _parts REPLACE "[^0-9]" "")
        list(JOIN _parts "." LibTorch_VERSION)
        break()
    endif()
endforeach()

if(_asked_for)
    list(GET _asked_for 0 _first)
    set(_reason "${_first} is not a LibTorch (include/ATen/ATen.h and lib/libtorch_cpu.so are expected under it)")
else()
    set(_reason "run packaging/fetch_libtorch.sh, or give an existing LibTorch by ATTNSCOPE_LIBTORCH, Torch_DIR or CMAKE_PREFIX_PATH")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
    REQUIRED_VARS LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY LibTorch_INCLUDE_DIR
    VERSION_VAR LibTorch_VERSION
    REASON_FAILURE_MESSAGE "${_reason}")

if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
    set(_includes ${LibTorch_INCLUDE_DIR} ${LibTorch_INCLUDE_DIR}/torch/csrc/api/include)
    add_library(LibTorch::OpenMP INTERFACE IMPORTED)
    if(LibTorch_OPENMP_LIBRARY)
        target_link_libraries(LibTorch::OpenMP INTERFACE ${LibTorch_OPENMP_LIBRARY})
    else()
        target_link_libraries(LibTorch::OpenMP INTERFACE gomp)  # the system's, which LibTorch then uses too
    endif()
    add_library(LibTorch::LibTorch INTERFACE IMPORTED)
    set_target_properties(LibTorch::LibTorch PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${_includes}" INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${_includes}")
    target_link_libraries(LibTorch::LibTorch INTERFACE ${LibTorch_CPU_LIBRARY} ${LibTorch_C10_LIBRARY})
endif()
