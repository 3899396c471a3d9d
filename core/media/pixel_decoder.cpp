// SPDX-License-Identifier: Apache-2.0
#include "core/media/pixel_decoder.h"

#include "core/media/jpeg_decoder.h"

#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include <climits>
#include <exception>
#include <new>
#include <vector>

namespace attnscope {

namespace {

/// OpenCV prints what it throws; the exception says it to us alone.
int printNothing(int, const char*, const char*, const char*, int, void*)
{
    return 0;
}

cv::Mat decodeWithOpenCv(std::span<const std::uint8_t> bytes)
{
    const cv::Mat encoded(1, static_cast<int>(bytes.size()), CV_8UC1, const_cast<std::uint8_t*>(bytes.data()));
    return cv::imdecode(encoded, cv::IMREAD_COLOR | cv::IMREAD_ANYDEPTH | cv::IMREAD_IGNORE_ORIENTATION);
}

/// BGR of 8 or 16 bits → RGB of 8.
template <typename Sample>
void copyReversed(const cv::Mat& from, std::uint8_t* to)
{
    constexpr int shift = 8 * (sizeof(Sample) - 1);
    for (int y = 0; y < from.rows; ++y) {
        const Sample* row = from.ptr<Sample>(y);
        for (int x = 0; x < from.cols; ++x, row += 3, to += 3) {
            to[0] = static_cast<std::uint8_t>(row[2] >> shift);
            to[1] = static_cast<std::uint8_t>(row[1] >> shift);
            to[2] = static_cast<std::uint8_t>(row[0] >> shift);
        }
    }
}

}  // namespace

DecodeOutcome decodePixels(std::span<const std::uint8_t> encoded, const PictureSize& size, const PixelWindow& window,
                           std::span<std::uint8_t> pixels)
{
    if (const auto outcome = decodeJpeg(encoded, size, window, pixels))
        return *outcome;
    if (encoded.size() > static_cast<std::size_t>(INT_MAX))  // cv::Mat counts columns in int
        return DecodeOutcome::NoMemory;
    cv::redirectError(printNothing);
    try {
        const cv::Mat decoded = decodeWithOpenCv(encoded);
        if (decoded.rows != size.height || decoded.cols != size.width || decoded.channels() != 3
            || pixels.size() != size.bytes())
            return DecodeOutcome::Damaged;
        if (decoded.depth() == CV_8U)
            copyReversed<std::uint8_t>(decoded, pixels.data());
        else if (decoded.depth() == CV_16U)
            copyReversed<std::uint16_t>(decoded, pixels.data());
        else
            return DecodeOutcome::Damaged;
        return DecodeOutcome::Done;
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
    for (const char* suffix : {".jpg", ".png", ".webp", ".bmp", ".tiff"}) {
        std::vector<std::uint8_t> encoded;
        cv::imencode(suffix, sample, encoded);
        std::vector<std::uint8_t> pixels(16 * 16 * 3);
        decodePixels(encoded, {16, 16}, {0, 0, 16, 16}, pixels);
        decodeWithOpenCv(encoded);
    }
}

}  // namespace attnscope
