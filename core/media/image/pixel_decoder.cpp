#include "core/media/image/pixel_decoder.h"

#include "core/media/format/image_validator.h"
#include "core/media/format/plain_formats.h"
#include "core/media/image/jpeg_decoder.h"
#include "core/media/image/tiff_decoder.h"

#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include <algorithm>
#include <climits>
#include <exception>
#include <new>
#include <optional>
#include <vector>

namespace attnscope {

namespace {

/// OpenCV prints what it throws; the exception is enough for us.
int printNothing(int, const char*, const char*, const char*, int, void*)
{
    return 0;
}

cv::Mat decodeWithOpenCv(std::span<const uint8_t> bytes)
{
    const cv::Mat encoded(1, int(bytes.size()), CV_8UC1, const_cast<uint8_t*>(bytes.data()));
    return cv::imdecode(encoded, cv::IMREAD_COLOR | cv::IMREAD_ANYDEPTH | cv::IMREAD_IGNORE_ORIENTATION);
}

/// How Pillow reduces 16-bit samples: colours keep their high byte; grey is clipped to 0 … 255.
enum class Reduction { HighByte, Clip };

template <Reduction reduction, typename Sample>
uint8_t reduced(Sample sample)
{
    if constexpr (sizeof sample == 1)
        return sample;
    return uint8_t(reduction == Reduction::HighByte ? sample >> 8 : std::min<int>(sample, 255));
}

/// BGR of 8 or 16 bits → 8-bit RGB.
template <typename Sample, Reduction reduction>
void copyReversed(const cv::Mat& from, uint8_t* to)
{
    for (int y = 0; y < from.rows; ++y) {
        const auto* row = from.ptr<Sample>(y);
        for (int x = 0; x < from.cols; ++x, row += 3, to += 3) {
            to[0] = reduced<reduction>(row[2]);
            to[1] = reduced<reduction>(row[1]);
            to[2] = reduced<reduction>(row[0]);
        }
    }
}

DecodeOutcome decodeByOpenCv(std::span<const uint8_t> encoded, const ImageHeader& header,
                             std::span<uint8_t> pixels)
{
    if (encoded.size() > size_t(INT_MAX))  // cv::Mat counts columns in int
        return DecodeOutcome::NoMemory;
    cv::redirectError(printNothing);
    const cv::Mat decoded = decodeWithOpenCv(encoded);
    if (decoded.rows != header.height || decoded.cols != header.width || decoded.channels() != 3)
        return DecodeOutcome::Damaged;
    if (decoded.depth() == CV_8U)
        copyReversed<uint8_t, Reduction::HighByte>(decoded, pixels.data());
    else if (decoded.depth() == CV_16U && header.clipsGrey)
        copyReversed<uint16_t, Reduction::Clip>(decoded, pixels.data());
    else if (decoded.depth() == CV_16U)
        copyReversed<uint16_t, Reduction::HighByte>(decoded, pixels.data());
    else
        return DecodeOutcome::Damaged;
    return DecodeOutcome::Done;
}

DecodeOutcome decodeByFormat(std::span<const uint8_t> encoded, const ImageSize& size, std::span<uint8_t> pixels)
{
    // The size is within the caller's limits.
    Limits limits;
    limits.imagePixels = size.width * size.height;
    limits.imageSide = std::max(size.width, size.height);
    const HeaderReader file(encoded, "picture", limits);
    const std::optional<ImageFormat> format = sniffImage(encoded);
    if (format == ImageFormat::Tiff)
        return decodeTiff(file, pixels);
    if (format == ImageFormat::Bmp) {
        decodeBmp(file, pixels);
        return DecodeOutcome::Done;
    }
    if (format == ImageFormat::Png)
        return decodeByOpenCv(encoded, readPngHeader(file), pixels);
    if (format == ImageFormat::Webp)
        return decodeByOpenCv(encoded, readWebpHeader(file), pixels);
    return DecodeOutcome::Damaged;
}

}

DecodeOutcome decodePixels(std::span<const uint8_t> encoded, const ImageSize& size, const PixelWindow& window,
                           std::span<uint8_t> pixels)
{
    if (const auto outcome = decodeJpeg(encoded, size, window, pixels))
        return *outcome;
    if (pixels.size() != size.bytes())
        return DecodeOutcome::Damaged;
    try {
        return decodeByFormat(encoded, size, pixels);
    } catch (const std::bad_alloc&) {
        return DecodeOutcome::NoMemory;
    } catch (const cv::Exception& error) {
        return error.code == cv::Error::StsNoMem ? DecodeOutcome::NoMemory : DecodeOutcome::Damaged;
    } catch (const std::exception&) {
        return DecodeOutcome::Damaged;
    }
}

void warmUpDecoders()
{
    cv::setNumThreads(0);
    cv::redirectError(printNothing);
    const cv::Mat sample(16, 16, CV_8UC3, cv::Scalar(40, 80, 120));
    for (const char* suffix : {".jpg", ".png", ".webp", ".tiff"}) {
        std::vector<uint8_t> encoded;
        cv::imencode(suffix, sample, encoded);
        std::vector<uint8_t> pixels(16 * 16 * 3);
        decodePixels(encoded, {16, 16}, {0, 0, 16, 16}, pixels);
    }
}

}
