# Finds the two OpenCV modules that decode images.
#
# OpenCV's own OpenCVConfig.cmake is used where it is installed. Debian keeps it in libopencv-dev, which pulls in well over
# a hundred packages; with libopencv-core-dev and libopencv-imgcodecs-dev alone, the headers and libraries are found here.
# Defines the targets opencv_core and opencv_imgcodecs, and OpenCV_VERSION.

find_package(OpenCV QUIET CONFIG COMPONENTS core imgcodecs)
if(OpenCV_FOUND AND TARGET opencv_core AND TARGET opencv_imgcodecs)
    return()
endif()

find_path(OpenCV_INCLUDE_DIR opencv2/imgcodecs.hpp PATH_SUFFIXES opencv4)
find_library(OpenCV_CORE_LIBRARY opencv_core)
find_library(OpenCV_IMGCODECS_LIBRARY opencv_imgcodecs)
mark_as_advanced(OpenCV_DIR OpenCV_INCLUDE_DIR OpenCV_CORE_LIBRARY OpenCV_IMGCODECS_LIBRARY)

set(_version_header ${OpenCV_INCLUDE_DIR}/opencv2/core/version.hpp)
if(OpenCV_INCLUDE_DIR AND EXISTS ${_version_header})
    file(STRINGS ${_version_header} _parts REGEX "define CV_VERSION_(MAJOR|MINOR|REVISION) +[0-9]+")
    list(TRANSFORM _parts REPLACE "[^0-9]" "")
    list(JOIN _parts "." OpenCV_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenCV
    REQUIRED_VARS OpenCV_CORE_LIBRARY OpenCV_IMGCODECS_LIBRARY OpenCV_INCLUDE_DIR
    VERSION_VAR OpenCV_VERSION
    REASON_FAILURE_MESSAGE "install libopencv-core-dev and libopencv-imgcodecs-dev (Debian, Ubuntu), or build without image files: -DATTNSCOPE_MEDIA=OFF")

if(OpenCV_FOUND)
    foreach(_module IN ITEMS core imgcodecs)
        string(TOUPPER ${_module} _upper)
        if(NOT TARGET opencv_${_module})
            add_library(opencv_${_module} UNKNOWN IMPORTED)
            set_target_properties(opencv_${_module} PROPERTIES
                IMPORTED_LOCATION "${OpenCV_${_upper}_LIBRARY}"
                INTERFACE_INCLUDE_DIRECTORIES "${OpenCV_INCLUDE_DIR}")
        endif()
    endforeach()
    set_property(TARGET opencv_imgcodecs APPEND PROPERTY INTERFACE_LINK_LIBRARIES opencv_core)
endif()
