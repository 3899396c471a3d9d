# SPDX-License-Identifier: Apache-2.0
# cmake -DNVCC=… -DROOT=… -DSOURCES=a.cu,b.cu -DOUT=… -P CompileCuda.cmake: compiles each for compute capability 8.0 and 9.0 (from the same
# intermediate code: no source asks for the capability, and it takes half the time). Warnings are errors,
# and so is a kernel that keeps registers in memory.
string(REPLACE "," ";" SOURCES "${SOURCES}")
foreach(_source IN LISTS SOURCES)
    get_filename_component(_name ${_source} NAME_WE)
    execute_process(COMMAND ${NVCC} -std=c++17 -O3 -gencode=arch=compute_80,code=[sm_80,sm_90] --threads=2
        -Werror=all-warnings -Xptxas=-v -I${ROOT} -c ${ROOT}/core/kernels/${_source} -o ${OUT}/${_name}.o
        RESULT_VARIABLE _result OUTPUT_VARIABLE _output ERROR_VARIABLE _errors)
    if(NOT _result EQUAL 0)
        message(FATAL_ERROR "${_source} does not compile:\n${_output}${_errors}")
    endif()
    string(REGEX MATCHALL "[1-9][0-9]* bytes spill stores" _spills "${_output}${_errors}")
    if(_spills)
        message(FATAL_ERROR "A kernel of ${_source} has more registers than there are: ${_spills}.")
    endif()
    string(REGEX MATCHALL "Compiling entry function" _kernels "${_output}${_errors}")
    list(LENGTH _kernels _count)
    message("${_source}: ${_count} kernels")
endforeach()
