#include "core/media/image/jpeg_decoder.h"

#include "core/media/format/cmyk.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>

#include <jpeglib.h>

#include <jerror.h>

namespace attnscope {

namespace {

/// libjpeg reports errors by longjmp to its caller: nothing with a destructor may live in between.
struct Decoding {
    jpeg_error_mgr errors;  // first: libjpeg only knows this part
    std::jmp_buf back;
    jpeg_decompress_struct decoder;
};

[[noreturn]] void jumpOut(j_common_ptr common)
{
    // NOLINTNEXTLINE(modernize-avoid-setjmp-longjmp): libjpeg is C, and no exception may pass through it
    std::longjmp(reinterpret_cast<Decoding*>(common->err)->back, 1);
}

void ignoreMessage(j_common_ptr) {}

/// The validator only passes complete files: one that ends before its image does is damaged.
boolean endsTooEarly(j_decompress_ptr decoder)
{
    decoder->err->msg_code = JERR_INPUT_EOF;
    jumpOut(reinterpret_cast<j_common_ptr>(decoder));
}

void begin(Decoding& decoding, std::span<const uint8_t> encoded)
{
    jpeg_create_decompress(&decoding.decoder);
    jpeg_mem_src(&decoding.decoder, encoded.data(), encoded.size());
    decoding.decoder.src->fill_input_buffer = endsTooEarly;
    jpeg_read_header(&decoding.decoder, TRUE);
}

/// Whether libjpeg-turbo can skip columns and rows and still give the same pixels: in progressive images it smooths blocks using their
/// neighbours.
bool canLeaveOut(const jpeg_decompress_struct& decoder)
{
    return decoder.progressive_mode == FALSE && decoder.comps_in_scan == decoder.num_components;
}

/// Chooses the largest fraction whose image has this size, if one has.
void scaleTo(jpeg_decompress_struct& decoder, const ImageSize& size)
{
    const auto scaled = [](JDIMENSION side, unsigned fraction) {
        return int64_t{(side + fraction - 1) / fraction};
    };
    decoder.scale_num = decoder.scale_denom = 1;
    for (const unsigned fraction : {8U, 4U, 2U, 1U})
        if (scaled(decoder.image_width, fraction) == size.width
            && scaled(decoder.image_height, fraction) == size.height)
            decoder.scale_denom = fraction;
}

struct Part {
    JDIMENSION left, columns, top, end;
};

/// The window with one extra block on each side, because chroma is interpolated between neighbours.
Part partFor(const jpeg_decompress_struct& decoder, const PixelWindow& window)
{
    const int64_t block = decoder.min_DCT_scaled_size;
    const int64_t across = decoder.max_h_samp_factor * block, down = decoder.max_v_samp_factor * block;
    const int64_t width = decoder.output_width, height = decoder.output_height;
    const int64_t left = std::max<int64_t>(window.left / across * across - across, 0);
    const int64_t right = std::min((window.left + window.width + across - 1) / across * across + across, width);
    const int64_t top = std::max<int64_t>(window.top / down * down - down, 0);
    const int64_t end = std::min((window.top + window.height + down - 1) / down * down + down, height);
    return {static_cast<JDIMENSION>(left), static_cast<JDIMENSION>(right - left), static_cast<JDIMENSION>(top),
            static_cast<JDIMENSION>(end)};
}

void readRows(jpeg_decompress_struct& decoder, Part part, int64_t rowBytes, uint8_t* pixels)
{
    if (part.columns < decoder.output_width)
        jpeg_crop_scanline(&decoder, &part.left, &part.columns);
    if (part.top > 0)
        jpeg_skip_scanlines(&decoder, part.top);
    // With four channels a row is read to a buffer: libjpeg can't convert CMYK to RGB. It frees that memory itself even on errors.
    const bool cmyk = decoder.out_color_space == JCS_CMYK;
    JSAMPROW inks = cmyk ? *decoder.mem->alloc_sarray(reinterpret_cast<j_common_ptr>(&decoder), JPOOL_IMAGE,
                                                      decoder.output_width * 4, 1)
                         : nullptr;
    while (decoder.output_scanline < part.end) {
        uint8_t* to = pixels + decoder.output_scanline * rowBytes + int64_t{part.left} * 3;
        JSAMPROW row = cmyk ? inks : to;
        jpeg_read_scanlines(&decoder, &row, 1);
        // 255 is no ink, as Adobe writes it, whatever wrote this file: Pillow does the same.
        for (JDIMENSION x = 0; cmyk && x < part.columns; ++x, to += 3)
            cmykToRgb(255 - row[4 * x], 255 - row[4 * x + 1], 255 - row[4 * x + 2], 255 - row[4 * x + 3], to);
    }
}

#define ATTNSCOPE_TEXT(word) #word
#define ATTNSCOPE_TEXT_OF(macro) ATTNSCOPE_TEXT(macro)

}

std::string jpegVersion()
{
    return "libjpeg-turbo " ATTNSCOPE_TEXT_OF(LIBJPEG_TURBO_VERSION);
}

std::optional<DecodeOutcome> decodeJpeg(std::span<const uint8_t> encoded, const ImageSize& size,
                                        const PixelWindow& window, std::span<uint8_t> pixels)
{
    if (encoded.size() < 3 || encoded[0] != 0xff || encoded[1] != 0xd8 || encoded[2] != 0xff)
        return std::nullopt;
    if (pixels.size() != size.bytes())
        return DecodeOutcome::Damaged;
    Decoding decoding{};
    jpeg_decompress_struct& decoder = decoding.decoder;
    decoder.err = jpeg_std_error(&decoding.errors);
    decoding.errors.error_exit = jumpOut;
    decoding.errors.output_message = ignoreMessage;
    if (setjmp(decoding.back) != 0) {  // NOLINT(modernize-avoid-setjmp-longjmp)
        const bool memory = decoding.errors.msg_code == JERR_OUT_OF_MEMORY;
        jpeg_destroy_decompress(&decoder);
        return memory ? DecodeOutcome::NoMemory : DecodeOutcome::Damaged;
    }
    begin(decoding, encoded);
    decoder.out_color_space = decoder.num_components == 4 ? JCS_CMYK : JCS_RGB;
    scaleTo(decoder, size);
    jpeg_start_decompress(&decoder);
    const bool asPromised = decoder.output_width == static_cast<JDIMENSION>(size.width)
                            && decoder.output_height == static_cast<JDIMENSION>(size.height)
                            && decoder.output_components == (decoder.num_components == 4 ? 4 : 3);
    if (asPromised)
        readRows(decoder,
                 canLeaveOut(decoder) ? partFor(decoder, window)
                                      : Part{0, decoder.output_width, 0, decoder.output_height},
                 size.width * 3, pixels.data());
    jpeg_destroy_decompress(&decoder);
    return asPromised ? DecodeOutcome::Done : DecodeOutcome::Damaged;
}

}
