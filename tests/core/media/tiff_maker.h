#pragma once

#include "image_bytes.h"

#include <tiffio.h>

#include <filesystem>
#include <string>
#include <unistd.h>

namespace image {

/// A compressed TIFF by libtiff's own hand: `pixels` are the samples, row by row.
struct TiffMaker {
    uint32_t width = 1, height = 1;
    int channels = 3, bits = 8;
    int compression = COMPRESSION_LZW, photometric = PHOTOMETRIC_RGB;
    uint32_t tile = 0;  ///< side of a tile of which the image has one; 0: strips
    uint32_t rowsPerStrip = 4;
    const char* mode = "w";  ///< "w8": BigTIFF; "wb": big endian
    Bytes pixels;

    Bytes bytes() const
    {
        std::string path = (std::filesystem::temp_directory_path() / "attnscope-tiff-XXXXXX").string();
        ::close(::mkstemp(path.data()));
        TIFF* tiff = TIFFOpen(path.c_str(), mode);
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, channels);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, photometric);
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
        if (photometric == PHOTOMETRIC_YCBCR && compression == COMPRESSION_JPEG)
            TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        else if (photometric == PHOTOMETRIC_YCBCR)
            TIFFSetField(tiff, TIFFTAG_YCBCRSUBSAMPLING, 1, 1);
        Bytes samples = pixels;
        if (tile > 0) {
            TIFFSetField(tiff, TIFFTAG_TILEWIDTH, tile);
            TIFFSetField(tiff, TIFFTAG_TILELENGTH, tile);
            TIFFWriteEncodedTile(tiff, 0, samples.data(), tmsize_t(samples.size()));
        } else {
            TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, rowsPerStrip);
            for (uint32_t y = 0; y < height; ++y)
                TIFFWriteScanline(tiff, samples.data() + samples.size() / height * y, y);
        }
        TIFFClose(tiff);
        const Bytes result = file(path);
        std::filesystem::remove(path);
        return result;
    }
};

}
