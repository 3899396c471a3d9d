# What `cmake --install` adds to the programs (each of which is installed where it is made): LibTorch, resources, and what a desktop wants to
# know. Components: cli, desktop, and devel (headers and libraries, only when it is named). Nothing installed knows where it lies: programs
# find the rest by their own place, libraries by $ORIGIN, so that the folder can be moved.

set(_share share/attnscope)
install(FILES LICENSE NOTICE docs/licences.md DESTINATION share/doc/attnscope COMPONENT cli)
install(DIRECTORY LICENSES DESTINATION share/doc/attnscope COMPONENT cli)
install(DIRECTORY resources/demo DESTINATION ${_share} COMPONENT cli)
# What `attnscope-cli gpu install` runs.
install(FILES packaging/fetch_libtorch.sh packaging/lib.sh packaging/unpack_wheel.py packaging/libtorch-cuda.txt DESTINATION ${_share}/packaging COMPONENT cli)

# LibTorch's CPU libraries come along, stripped (a quarter smaller). Those for CUDA are gigabytes, and found when a program runs.
get_filename_component(_torch_lib "${LibTorch_CPU_LIBRARY}" DIRECTORY)
set(_torch_files ${LibTorch_CPU_LIBRARY} ${LibTorch_C10_LIBRARY} ${LibTorch_OPENMP_LIBRARY})
install(FILES ${_torch_files} DESTINATION lib/attnscope COMPONENT cli)
list(TRANSFORM _torch_files REPLACE ".*/" "")
install(CODE "
    foreach(name IN ITEMS ${_torch_files})
        set(file \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/attnscope/\${name}\")
        execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-unneeded \"\${file}\" COMMAND_ERROR_IS_FATAL ANY)
        file(RPATH_SET FILE \"\${file}\" NEW_RPATH \"\\\$ORIGIN:\\\$ORIGIN/no-cuda\")
    endforeach()" COMPONENT cli)
install(DIRECTORY ${_torch_lib}/../licenses/ DESTINATION share/doc/attnscope/LICENSES COMPONENT cli OPTIONAL
    FILES_MATCHING PATTERN "torch-*/*" PATTERN "nvidia*" EXCLUDE)
# Stand-ins for NVIDIA's two libraries that the CPU library of the torch wheel refers to, under the names that this version uses; in a folder of
# their own, since the real ones take their place where there is a GPU (core/device/cuda/cuda_libraries.h).
foreach(_name IN ITEMS cudart cupti)
    file(GLOB _real ${_torch_lib}/lib${_name}.so.*)
    if(_real)
        get_filename_component(_file ${_real} NAME)
        set(_versions ${PROJECT_BINARY_DIR}/generated/no_${_name}.map)
        file(CONFIGURE OUTPUT ${_versions} CONTENT "${_file} { global: cu*; local: *; };\n")
        string(REGEX REPLACE ".*(\\.so.*)" "\\1" _suffix ${_file})
        add_library(attnscope_no_${_name} SHARED packaging/no_cuda/${_name}.cpp)
        attnscope_settings(attnscope_no_${_name})
        target_link_options(attnscope_no_${_name} PRIVATE -Wl,--version-script=${_versions} -Wl,-soname,${_file})
        set_target_properties(attnscope_no_${_name} PROPERTIES OUTPUT_NAME ${_name} SUFFIX ${_suffix} NO_SONAME ON
            LINK_DEPENDS ${_versions} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/packaging/no_cuda)
        install(TARGETS attnscope_no_${_name} LIBRARY DESTINATION lib/attnscope/no-cuda COMPONENT cli)
    endif()
endforeach()

if(TARGET attnscope)
    set(_desktop packaging/desktop)
    install(FILES ${_desktop}/attnscope.desktop DESTINATION share/applications COMPONENT desktop)
    install(FILES ${_desktop}/org.attnscope.Attnscope.metainfo.xml DESTINATION share/metainfo COMPONENT desktop)
    install(DIRECTORY docs DESTINATION ${_share} COMPONENT desktop)  # the manual, opened by F1
    install(FILES ${_desktop}/attnscope.xml DESTINATION share/mime/packages COMPONENT desktop)
    configure_file(${_desktop}/attnscope.1.in packaging/attnscope.1 @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/packaging/attnscope.1 DESTINATION share/man/man1 COMPONENT desktop)
    # Icons in all sizes, drawn by Qt from the one that the window has.
    set(_icon ${PROJECT_SOURCE_DIR}/resources/icons/attnscope.svg)
    set(_icons ${PROJECT_BINARY_DIR}/packaging/icons)
    add_executable(attnscope_icons ${_desktop}/draw_icons.cpp)
    attnscope_settings(attnscope_icons)
    set_target_properties(attnscope_icons PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/packaging)
    target_link_libraries(attnscope_icons PRIVATE Qt6::Gui Qt6::Svg)
    add_custom_command(OUTPUT ${_icons}/drawn COMMAND attnscope_icons ${_icon} ${_icons}/hicolor 16 22 24 32 48 64 96 128 256 512
        COMMAND ${CMAKE_COMMAND} -E touch ${_icons}/drawn DEPENDS ${_icon} VERBATIM COMMENT "Drawing the icons")
    add_custom_target(attnscope_drawn_icons ALL DEPENDS ${_icons}/drawn)
    install(DIRECTORY ${_icons}/hicolor DESTINATION share/icons COMPONENT desktop)
    install(FILES ${_icon} DESTINATION share/icons/hicolor/scalable/apps COMPONENT desktop)
endif()

# What packages are made of: everything but the tests.
add_custom_target(attnscope_package DEPENDS attnscope-cli)
foreach(_target IN ITEMS attnscope attnscope_mpi attnscope_drawn_icons attnscope_no_cudart attnscope_no_cupti attnscope-cuda)
    if(TARGET ${_target})
        add_dependencies(attnscope_package ${_target})
    endif()
endforeach()
