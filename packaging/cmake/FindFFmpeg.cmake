# Finds the four FFmpeg libraries that read videos, without pkg-config.
#
# Defines FFmpeg::avutil, FFmpeg::avcodec, FFmpeg::avformat and FFmpeg::swscale, and FFmpeg_VERSION, which is that of
# libavutil (57 comes with FFmpeg 5).

find_path(FFmpeg_INCLUDE_DIR libavformat/avformat.h)
# Debian keeps the version in the architecture's folder, next to the other headers.
set(_version_header ${FFmpeg_INCLUDE_DIR}/libavutil/version.h)
if(FFmpeg_INCLUDE_DIR AND EXISTS ${_version_header})
    file(STRINGS ${_version_header} _parts REGEX "define LIBAVUTIL_VERSION_(MAJOR|MINOR|MICRO) +[0-9]+")
    list(TRANSFORM _parts REPLACE "[^0-9]" "")
    list(JOIN _parts "." FFmpeg_VERSION)
endif()

set(_libraries)
foreach(_name IN ITEMS avutil avcodec avformat swscale)
    string(TOUPPER ${_name} _upper)
    find_library(FFmpeg_${_upper}_LIBRARY ${_name})
    mark_as_advanced(FFmpeg_${_upper}_LIBRARY)
    list(APPEND _libraries FFmpeg_${_upper}_LIBRARY)
endforeach()
mark_as_advanced(FFmpeg_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FFmpeg
    REQUIRED_VARS ${_libraries} FFmpeg_INCLUDE_DIR
    VERSION_VAR FFmpeg_VERSION
    REASON_FAILURE_MESSAGE "install libavformat-dev, libavcodec-dev, libavutil-dev and libswscale-dev (Debian, Ubuntu: FFmpeg 5 or later), or build without images and videos: -DATTNSCOPE_MEDIA=OFF")

if(FFmpeg_FOUND)
    foreach(_name IN ITEMS avutil avcodec avformat swscale)
        string(TOUPPER ${_name} _upper)
        if(NOT TARGET FFmpeg::${_name})
            add_library(FFmpeg::${_name} UNKNOWN IMPORTED)
            set_target_properties(FFmpeg::${_name} PROPERTIES
                IMPORTED_LOCATION "${FFmpeg_${_upper}_LIBRARY}"
                INTERFACE_INCLUDE_DIRECTORIES "${FFmpeg_INCLUDE_DIR}")
        endif()
    endforeach()
endif()
