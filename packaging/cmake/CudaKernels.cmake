# Whether the CUDA kernels (core/kernels/cuda) are built: with ATTNSCOPE_CUDA, where the CUDA compiler is of the same major version as the
# runtime that LibTorch brings. Sets ATTNSCOPE_CUDA_KERNELS and enables the language. Included at the top level, behind FindLibTorch.

set(ATTNSCOPE_CUDA_ARCHITECTURES 80-real 90 CACHE STRING "GPUs that the kernels are compiled for; code for the last runs on later ones too")
find_program(ATTNSCOPE_NVCC nvcc HINTS $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda PATH_SUFFIXES bin)
mark_as_advanced(ATTNSCOPE_NVCC)

set(ATTNSCOPE_CUDA_KERNELS OFF)
if(ATTNSCOPE_CUDA AND NOT ATTNSCOPE_NVCC)
    message(WARNING "There is no CUDA compiler (nvcc), so attention on GPUs is LibTorch's operators: install a CUDA toolkit, or set CUDA_HOME.")
elseif(ATTNSCOPE_CUDA)
    set(CMAKE_CUDA_COMPILER ${ATTNSCOPE_NVCC} CACHE FILEPATH "The CUDA compiler")
    set(CMAKE_CUDA_ARCHITECTURES ${ATTNSCOPE_CUDA_ARCHITECTURES})
    enable_language(CUDA)
    file(STRINGS ${LibTorch_CUDART_INCLUDE_DIR}/cuda_runtime_api.h _version REGEX "define CUDART_VERSION +[0-9]+")
    string(REGEX REPLACE ".* ([0-9]+)[0-9][0-9][0-9]$" "\\1" _runtime_major "${_version}")
    string(REGEX MATCH "^[0-9]+" _compiler_major "${CMAKE_CUDA_COMPILER_VERSION}")
    if(_runtime_major EQUAL _compiler_major)
        set(ATTNSCOPE_CUDA_KERNELS ON)
    else()
        message(WARNING "The CUDA compiler is of version ${CMAKE_CUDA_COMPILER_VERSION} and LibTorch's runtime of version ${_runtime_major}, "
            "so attention on GPUs is LibTorch's operators: set CUDA_HOME to a toolkit of version ${_runtime_major}.")
    endif()
endif()
