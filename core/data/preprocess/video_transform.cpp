#include "core/data/preprocess/video_transform.h"

#include "core/base/error.h"
#include "core/data/preprocess/clones.h"
#include "core/data/preprocess/normalise.h"
#include "core/data/preprocess/transform_window.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attnscope {

namespace {

void requireVideo(bool holds, std::string_view problem)
{
    if (!holds)
        throw UsageError("preprocessing", problem);
}

/// floor(long / short · side), in the authors' order of float64 operations.
int64_t scaled(int64_t longSide, int64_t shortSide, int64_t side)
{
    return int64_t(std::floor(double(longSide) / double(shortSide) * double(side)));
}

/// The frame covers resize/short · crop: for square crops, its short side becomes `resize`.
FrameSize resized(const FrameSize& in, const Transform& transform)
{
    const int64_t shortCrop = std::min(transform.cropWidth, transform.cropHeight);
    const int64_t width = transform.cropWidth * transform.resize / shortCrop;
    const int64_t height = transform.cropHeight * transform.resize / shortCrop;
    const bool wide = in.width * height > in.height * width;
    if (wide)
        return in.height == height ? in : FrameSize{std::max(scaled(in.width, in.height, height), width), height};
    return in.width == width ? in : FrameSize{width, std::max(scaled(in.height, in.width, width), height)};
}

/// Crops along an axis: the first at the beginning, the last at the end.
std::vector<int64_t> offsetsAlong(int64_t size, int64_t crop, int64_t crops)
{
    const int64_t room = size - crop, centre = (room + 1) / 2;
    return crops == 1 ? std::vector{centre} : std::vector{int64_t{0}, centre, room};
}

/// at::native's coordinates in float32: ratio · (output + ½) − ½, at least 0; with the fused multiply-add that it is compiled to.
void addOutput(CropAxis& axis, int64_t output)
{
    if (axis.inSize == axis.outSize) {
        axis.first.push_back(int32_t(output));
        axis.second.push_back(int32_t(output));
        axis.weight.push_back(0);
        return;
    }
    const float ratio = float(axis.inSize) / float(axis.outSize);
    const float position = std::max(std::fma(ratio, float(output) + 0.5f, -0.5f), 0.0f);
    const int64_t first = std::min(int64_t(position), axis.inSize - 1);
    axis.first.push_back(int32_t(first));
    axis.second.push_back(int32_t(std::min(first + 1, axis.inSize - 1)));
    axis.weight.push_back(std::clamp(position - float(first), 0.0f, 1.0f));
}

CropAxis makeAxis(int64_t inSize, int64_t outSize, int64_t crop, std::vector<int64_t> offsets)
{
    CropAxis axis{inSize, outSize, crop, std::move(offsets), {}, {}, {}, {}};
    int64_t next = 0;  // outputs before it are computed or not needed
    for (const int64_t offset : axis.offsets) {
        for (next = std::max(next, offset); next < offset + crop; ++next)
            addOutput(axis, next);
        axis.starts.push_back(axis.computed() - crop);
    }
    return axis;
}

/// One input row, resized along it: (3,columns).
void resizeRow(const uint8_t* row, const CropAxis& axis, const float* values, float* out)
{
    const int64_t columns = axis.computed();
    const int32_t* first = axis.first.data();
    const int32_t* second = axis.second.data();
    const float* weight = axis.weight.data();
    for (int64_t i = 0; i < columns; ++i) {
        const uint8_t* a = row + 3 * first[i];
        const uint8_t* b = row + 3 * second[i];
        const float w = weight[i], rest = 1.0f - w;
        out[i] = values[a[0]] * rest + values[b[0]] * w;
        out[columns + i] = values[256 + a[1]] * rest + values[256 + b[1]] * w;
        out[2 * columns + i] = values[512 + a[2]] * rest + values[512 + b[2]] * w;
    }
}

ATTNSCOPE_CLONES
void blend(const float* a, const float* b, float weight, int64_t count, float* out)
{
    const float rest = 1.0f - weight;
    for (int64_t i = 0; i < count; ++i)
        out[i] = a[i] * rest + b[i] * weight;
}

/// The two input rows around an output, resized horizontally; a row that the next output also needs is kept.
class RowPair {
public:
    RowPair(const uint8_t* rgb, int64_t stride, const CropAxis& axis, const float* values)
        : m_rgb(rgb)
        , m_stride(stride)
        , m_axis(axis)
        , m_values(values)
    {
        for (Slot& slot : m_slots)
            slot.values.resize(size_t(3 * axis.computed()));
    }

    const float* row(int64_t number)
    {
        Slot& slot = m_slots[size_t(number % 2)];  // neighbours never share a slot
        if (slot.number != number)
            resizeRow(m_rgb + number * m_stride, m_axis, m_values, slot.values.data());
        slot.number = number;
        return slot.values.data();
    }

private:
    struct Slot {
        int64_t number = -1;
        std::vector<float> values;
    };
    const uint8_t* m_rgb;
    int64_t m_stride;
    const CropAxis& m_axis;
    const float* m_values;
    std::array<Slot, 2> m_slots;
};

}

VideoTransform::VideoTransform(int64_t width, int64_t height, const Transform& transform, int64_t crops)
    : m_values(normalisedValues(transform))
{
    requireSizes(transform);
    requireVideo(transform.resize >= std::min(transform.cropWidth, transform.cropHeight),
                 "resize must not be smaller than the crop");
    requireVideo(width >= 1 && height >= 1 && width <= 1 << 24 && height <= 1 << 24,
                 "the video's frames have no pixels");
    requireVideo(crops == 1 || crops == 3, "the number of crops must be 1 (the centre) or 3");
    const FrameSize size = resized({width, height}, transform);
    const int64_t roomAcross = size.width - transform.cropWidth, roomDown = size.height - transform.cropHeight;
    const bool across = roomAcross >= roomDown;
    const auto offsets = [&](int64_t out, int64_t crop, bool spread) {
        return spread ? offsetsAlong(out, crop, crops) : std::vector<int64_t>(size_t(crops), (out - crop + 1) / 2);
    };
    m_horizontal = makeAxis(width, size.width, transform.cropWidth,
                            offsets(size.width, transform.cropWidth, across));
    m_vertical = makeAxis(height, size.height, transform.cropHeight,
                          offsets(size.height, transform.cropHeight, !across));
}

VideoTransform::Frame VideoTransform::frame(const uint8_t* rgb, int64_t stride) const
{
    const int64_t rows = m_vertical.computed(), columns = m_horizontal.computed();
    std::vector<float> out(size_t(3 * rows * columns));
    RowPair pair(rgb, stride, m_horizontal, m_values.data());
    for (int64_t y = 0; y < rows; ++y) {
        const float* upper = pair.row(m_vertical.first[y]);
        const float* lower = pair.row(m_vertical.second[y]);
        for (int64_t c = 0; c < 3; ++c)
            blend(upper + c * columns, lower + c * columns, m_vertical.weight[y], columns,
                  out.data() + (c * rows + y) * columns);
    }
    return out;
}

const float* VideoTransform::cropRow(const Frame& frame, int64_t crop, int64_t channel, int64_t y) const
{
    const int64_t rows = m_vertical.computed(), columns = m_horizontal.computed();
    return frame.data() + (channel * rows + m_vertical.starts[crop] + y) * columns + m_horizontal.starts[crop];
}

void VideoTransform::copyCrop(const Frame& frame, int64_t crop, float* out, int64_t planeStride) const
{
    for (int64_t c = 0; c < 3; ++c)
        for (int64_t y = 0; y < m_vertical.crop; ++y)
            std::copy_n(cropRow(frame, crop, c, y), m_horizontal.crop,
                        out + c * planeStride + y * m_horizontal.crop);
}

CropRectangle VideoTransform::rectangle(int64_t crop) const
{
    const auto toInput = [](const CropAxis& axis, int64_t size) {
        return double(size) * double(axis.inSize) / double(axis.outSize);
    };
    return {toInput(m_horizontal, m_horizontal.offsets[crop]), toInput(m_vertical, m_vertical.offsets[crop]),
            toInput(m_horizontal, m_horizontal.crop), toInput(m_vertical, m_vertical.crop)};
}

}
