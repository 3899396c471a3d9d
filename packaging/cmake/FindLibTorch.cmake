# SPDX-License-Identifier: Apache-2.0
# Finds LibTorch without its own TorchConfig.cmake, which insists on a CUDA toolkit even for a CPU program.
#
# Looked for in ATTNSCOPE_LIBTORCH, Torch_DIR, CMAKE_PREFIX_PATH and the folder that packaging/fetch_libtorch.sh fills.
# Defines LibTorch::LibTorch, LibTorch_VERSION and LibTorch_CUDA (true when its CUDA libraries are beside it).

set(_hints ${ATTNSCOPE_LIBTORCH} $ENV{ATTNSCOPE_LIBTORCH})
foreach(_dir IN ITEMS "${Torch_DIR}" "$ENV{Torch_DIR}")
    if(_dir)
        list(APPEND _hints ${_dir} ${_dir}/../../..)  # …/share/cmake/Torch
    endif()
endforeach()
foreach(_prefix IN LISTS CMAKE_PREFIX_PATH)
    list(APPEND _hints ${_prefix} ${_prefix}/torch)
endforeach()
if(DEFINED ENV{ATTNSCOPE_CACHE})
    set(_cache $ENV{ATTNSCOPE_CACHE})
elseif(DEFINED ENV{XDG_CACHE_HOME})
    set(_cache $ENV{XDG_CACHE_HOME}/attnscope)
else()
    set(_cache $ENV{HOME}/.cache/attnscope)
endif()
if(ATTNSCOPE_CUDA)
    list(APPEND _hints ${_cache}/libtorch-2.11.0-cuda)
endif()
list(APPEND _hints ${_cache}/libtorch-2.11.0-cpu ${_cache}/libtorch-2.11.0-cuda)

find_path(LibTorch_INCLUDE_DIR ATen/ATen.h HINTS ${_hints} PATH_SUFFIXES include NO_DEFAULT_PATH)
find_library(LibTorch_CPU_LIBRARY torch_cpu HINTS ${_hints} PATH_SUFFIXES lib NO_DEFAULT_PATH)
find_library(LibTorch_C10_LIBRARY c10 HINTS ${_hints} PATH_SUFFIXES lib NO_DEFAULT_PATH)
find_library(LibTorch_CUDA_LIBRARY torch_cuda HINTS ${_hints} PATH_SUFFIXES lib NO_DEFAULT_PATH)
find_library(LibTorch_C10_CUDA_LIBRARY c10_cuda HINTS ${_hints} PATH_SUFFIXES lib NO_DEFAULT_PATH)
mark_as_advanced(LibTorch_INCLUDE_DIR LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY
    LibTorch_CUDA_LIBRARY LibTorch_C10_CUDA_LIBRARY)

if(LibTorch_INCLUDE_DIR AND EXISTS ${LibTorch_INCLUDE_DIR}/torch/headeronly/version.h)
    file(STRINGS ${LibTorch_INCLUDE_DIR}/torch/headeronly/version.h _version REGEX "define TORCH_VERSION ")
elseif(LibTorch_INCLUDE_DIR AND EXISTS ${LibTorch_INCLUDE_DIR}/torch/csrc/api/include/torch/version.h)
    file(STRINGS ${LibTorch_INCLUDE_DIR}/torch/csrc/api/include/torch/version.h _version REGEX "define TORCH_VERSION ")
endif()
if(_version MATCHES "\"([0-9.]+)")
    set(LibTorch_VERSION ${CMAKE_MATCH_1})
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
    REQUIRED_VARS LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY LibTorch_INCLUDE_DIR
    VERSION_VAR LibTorch_VERSION
    REASON_FAILURE_MESSAGE "run packaging/fetch_libtorch.sh, or give an existing LibTorch by CMAKE_PREFIX_PATH or Torch_DIR")

if(LibTorch_CUDA_LIBRARY AND LibTorch_C10_CUDA_LIBRARY)
    set(LibTorch_CUDA TRUE)
endif()
if(ATTNSCOPE_CUDA AND LibTorch_FOUND AND NOT LibTorch_CUDA)
    message(FATAL_ERROR "ATTNSCOPE_CUDA is on, but the LibTorch at ${LibTorch_INCLUDE_DIR}/.. has no CUDA libraries: "
        "run packaging/fetch_libtorch.sh --cuda, or give a LibTorch with CUDA by CMAKE_PREFIX_PATH.")
endif()

if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
    add_library(LibTorch::LibTorch INTERFACE IMPORTED)
    set_target_properties(LibTorch::LibTorch PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${LibTorch_INCLUDE_DIR};${LibTorch_INCLUDE_DIR}/torch/csrc/api/include"
        INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${LibTorch_INCLUDE_DIR};${LibTorch_INCLUDE_DIR}/torch/csrc/api/include")
    target_link_libraries(LibTorch::LibTorch INTERFACE ${LibTorch_CPU_LIBRARY} ${LibTorch_C10_LIBRARY})
    if(ATTNSCOPE_CUDA)
        # Nothing refers to a symbol of torch_cuda: it registers itself when it is loaded, so the linker must keep it.
        target_link_libraries(LibTorch::LibTorch INTERFACE
            "-Wl,--no-as-needed" ${LibTorch_CUDA_LIBRARY} ${LibTorch_C10_CUDA_LIBRARY} "-Wl,--as-needed")
        # Its own dependencies (cuBLAS, cuDNN …) are found at run time through its RPATH.
        target_link_options(LibTorch::LibTorch INTERFACE "-Wl,--allow-shlib-undefined")
    endif()
endif()
