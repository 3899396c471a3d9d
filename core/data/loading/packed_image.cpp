#include "core/data/loading/packed_image.h"

#include <algorithm>
#include <cstring>

namespace attnscope {

namespace {

constexpr int64_t numbersInFront = 2;  // of an output's weights

kernels::cuda::PackedAxis described(const AxisWeights& axis, int64_t offset, int64_t& at)
{
    const int64_t stride = axis.stride + numbersInFront;
    const kernels::cuda::PackedAxis description{at, int32_t(axis.taps.size()), int32_t(stride), int32_t(offset)};
    at += std::ssize(axis.taps) * stride * int64_t(sizeof(int32_t));
    return description;
}

void writeAxis(const AxisWeights& axis, const kernels::cuda::PackedAxis& description, uint8_t* to)
{
    auto* row = reinterpret_cast<int32_t*>(to + description.at);
    for (int64_t i = 0; i < description.count; ++i, row += description.stride) {
        row[0] = int32_t(axis.begin[size_t(i)] - axis.inputBegin());
        row[1] = int32_t(axis.taps[size_t(i)]);
        std::copy_n(axis.row(i), axis.stride, row + numbersInFront);
    }
}

}

PackedImage::PackedImage(int64_t width, int64_t height, const Transform& transform)
{
    constexpr int64_t alignment = 8;
    const CropPlan plan = cropPlan(width, height, transform);
    m_across = axisWeights(plan.horizontal.window, plan.filter);
    m_down = axisWeights(plan.vertical.window, plan.filter);
    int64_t at = sizeof m_description;
    m_description.across = described(m_across, plan.horizontal.offset, at);
    m_description.down = described(m_down, plan.vertical.offset, at);
    m_description.at = at;
    m_description.rows = int32_t(m_down.inputEnd() - m_down.inputBegin());
    m_description.columns = int32_t(m_across.inputEnd() - m_across.inputBegin());
    at += int64_t{3} * m_description.rows * m_description.columns;
    m_bytes = (at + alignment - 1) / alignment * alignment;
}

void PackedImage::write(RgbView<const uint8_t> image, uint8_t* to) const
{
    std::memcpy(to, &m_description, sizeof m_description);
    writeAxis(m_across, m_description.across, to);
    writeAxis(m_down, m_description.down, to);
    const int64_t rowBytes = int64_t{3} * m_description.columns;
    const uint8_t* from = image.pixels + m_down.inputBegin() * image.rowBytes + m_across.inputBegin() * 3;
    uint8_t* pixels = to + m_description.at;
    for (int64_t y = 0; y < m_description.rows; ++y)
        std::copy_n(from + y * image.rowBytes, rowBytes, pixels + y * rowBytes);
}

int64_t packedRoom(const Transform& transform)
{
    // An image whose short side is twice that of the resize; weights and description are small in comparison.
    constexpr int64_t pixels = 4, weights = 1024, bytesOfWeights = 32;
    return 3 * pixels * transform.cropHeight * transform.cropWidth
           + bytesOfWeights * (transform.cropHeight + transform.cropWidth) + weights;
}

void writePacked(RgbView<const uint8_t> image, int64_t width, int64_t height, const Transform& transform,
                 const std::function<uint8_t*(int64_t bytes)>& place)
{
    const PackedImage packed(width, height, transform);
    const int64_t room = packedRoom(transform);
    if (packed.bytes() <= room && packed.betweenBytes() <= room) {
        packed.write(image, place(packed.bytes()));
        return;
    }
    std::vector<uint8_t> crop(size_t(3 * transform.cropHeight * transform.cropWidth));
    resizeAndCropInto(image, width, height, transform, crop.data());
    Transform same = transform;
    same.fit = ResizeFit::Squash;
    same.resize = std::min(transform.cropHeight, transform.cropWidth);
    const PackedImage whole(transform.cropWidth, transform.cropHeight, same);
    whole.write({crop.data(), 3 * transform.cropWidth}, place(whole.bytes()));
}

}
