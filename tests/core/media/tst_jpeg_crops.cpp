#include "core/data/preprocess/transform_window.h"
#include "core/media/image/decoder_process.h"
#include "core/media/image/jpeg_decoder.h"
#include "tests/support/test_class.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include <jpeglib.h>

using namespace attnscope;

namespace {

struct Kind {
    const char* name;
    int components, across, down;
    bool progressive = false;
    int restart = 0;  ///< blocks from one restart marker to the next
};

const std::vector<Kind> kinds{{"4:4:4", 3, 1, 1},
                              {"4:2:2", 3, 2, 1},
                              {"4:2:0", 3, 2, 2},
                              {"4:4:0", 3, 1, 2},
                              {"4:1:1", 3, 4, 1},
                              {"grey", 1, 1, 1},
                              {"CMYK", 4, 1, 1},
                              {"YCCK", 4, 2, 2},
                              {"progressive", 3, 2, 2, true},
                              {"restarts", 3, 2, 2, false, 3}};

/// Random patches with random pixels between them: edges in every block.
std::vector<uint8_t> encoded(const Kind& kind, int width, int height, std::minstd_rand& random)
{
    jpeg_compress_struct encoder;
    jpeg_error_mgr errors;
    encoder.err = jpeg_std_error(&errors);
    jpeg_create_compress(&encoder);
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&encoder, &bytes, &size);
    encoder.image_width = static_cast<JDIMENSION>(width);
    encoder.image_height = static_cast<JDIMENSION>(height);
    encoder.input_components = kind.components;
    encoder.in_color_space = kind.components == 1 ? JCS_GRAYSCALE : kind.components == 4 ? JCS_CMYK : JCS_RGB;
    jpeg_set_defaults(&encoder);
    if (kind.components == 4 && kind.across > 1)
        jpeg_set_colorspace(&encoder, JCS_YCCK);
    jpeg_set_quality(&encoder, 85, TRUE);
    encoder.comp_info[0].h_samp_factor = kind.across;
    encoder.comp_info[0].v_samp_factor = kind.down;
    encoder.restart_interval = unsigned(kind.restart);
    if (kind.progressive)
        jpeg_simple_progression(&encoder);
    jpeg_start_compress(&encoder, TRUE);
    std::vector<uint8_t> row(size_t(width * kind.components));
    uint8_t level = 0;
    for (int y = 0; y < height; ++y) {
        for (uint8_t& value : row) {
            if (random() % 11 == 0)
                level = uint8_t(random() >> 8);
            value = level;
        }
        JSAMPROW rows = row.data();
        jpeg_write_scanlines(&encoder, &rows, 1);
    }
    jpeg_finish_compress(&encoder);
    jpeg_destroy_compress(&encoder);
    std::vector<uint8_t> result(bytes, bytes + size);
    std::free(bytes);
    return result;
}

std::vector<uint8_t> readBytes(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Transform square(int64_t resize, int64_t crop, ResizeFilter filter)
{
    Transform transform;
    transform.resize = resize;
    transform.cropHeight = transform.cropWidth = crop;
    transform.filter = filter;
    return transform;
}

}

class TestJpegCrops : public QObject {
    Q_OBJECT

private slots:
    void windowHasThePixelsOfTheWholePicture_data()
    {
        columns<int>("index");
        for (size_t i = 0; i < kinds.size(); ++i)
            row(kinds[i].name, int(i));
    }

    void windowHasThePixelsOfTheWholePicture()
    {
        QFETCH(int, index);
        std::minstd_rand random(static_cast<unsigned>(index) + 1);
        for (int turn = 0; turn < 150; ++turn) {
            const int fraction = 1 << turn % 4, wholeWidth = 1 + int(random() % 150) * fraction,
                      wholeHeight = 1 + int(random() % 150) * fraction;
            const auto bytes = encoded(kinds[size_t(index)], wholeWidth, wholeHeight, random);
            const int width = (wholeWidth + fraction - 1) / fraction,
                      height = (wholeHeight + fraction - 1) / fraction;
            const ImageSize size{width, height};
            std::vector<uint8_t> all(size.bytes()), part(size.bytes());
            QVERIFY(decodeJpeg(bytes, size, {0, 0, width, height}, all) == DecodeOutcome::Done);
            PixelWindow window{int64_t(random()) % width, int64_t(random()) % height, 0, 0};
            window.width = 1 + int64_t(random()) % (width - window.left);
            window.height = 1 + int64_t(random()) % (height - window.top);
            QVERIFY(decodeJpeg(bytes, size, window, part) == DecodeOutcome::Done);
            for (int64_t y = window.top; y < window.top + window.height; ++y) {
                const int64_t at = (y * width + window.left) * 3;
                QVERIFY2(std::equal(all.begin() + at, all.begin() + at + window.width * 3, part.begin() + at),
                         qPrintable(QString("%1×%2, %3,%4 %5×%6, row %7")
                                        .arg(width)
                                        .arg(height)
                                        .arg(window.left)
                                        .arg(window.top)
                                        .arg(window.width)
                                        .arg(window.height)
                                        .arg(y)));
            }
        }
    }

    void cropEqualsThatOfTheWholePicture_data() { windowHasThePixelsOfTheWholePicture_data(); }
    void cropEqualsThatOfTheWholePicture()
    {
        QFETCH(int, index);
        std::minstd_rand random(static_cast<unsigned>(index) + 1);
        for (int turn = 0; turn < 40; ++turn) {
            const int width = 1 + int(random() % 300), height = 1 + int(random() % 300);
            const auto bytes = encoded(kinds[size_t(index)], width, height, random);
            const Transform transform = square(8 + int64_t(random() % 120), 1 + int64_t(random() % 120),
                                               turn % 2 == 0 ? ResizeFilter::Bicubic : ResizeFilter::Bilinear);
            const Clip crop = readCrop(bytes, "picture", transform),
                       whole = resizeAndCrop(readImage(bytes, "picture"), transform);
            QVERIFY2(crop.pixels == whole.pixels, qPrintable(QString("%1×%2 to %3, %4")
                                                                 .arg(width)
                                                                 .arg(height)
                                                                 .arg(transform.resize)
                                                                 .arg(transform.cropWidth)));
            QCOMPARE(crop.width, whole.width);
            QCOMPARE(crop.height, whole.height);
            QCOMPARE(crop.format, whole.format);
        }
    }

    /// A smooth picture hardly changes, and the decoder's own process decodes it alike; what is not shrunk to half its size stays as it is.
    void scaledDecodingIsCloseToTheWholePicture()
    {
        const fs::path photo = fs::path(RESOURCE_DIR) / "demo/photos/cat.jpg";
        const auto bytes = readBytes(photo);
        DecoderProcess decoder;
        for (const int64_t resize : {40, 64, 100, 256}) {
            Transform transform = square(resize, resize, ResizeFilter::Bicubic);
            const Clip exact = readCrop(bytes, "picture", transform), whole = readImage(bytes, "picture");
            transform.decoding = JpegDecoding::Scaled;
            const Clip scaled = readCrop(bytes, "picture", transform);
            const int64_t fraction = decodingFraction(whole.width, whole.height, transform),
                          shortSide = std::min(whole.width, whole.height);
            QVERIFY(fraction == 8 || shortSide < 2 * fraction * resize);
            QVERIFY(fraction * resize <= shortSide || fraction == 1);
            QCOMPARE(scaled.pixels == exact.pixels, fraction == 1);
            QVERIFY(decoder.readCrop(photo, transform).pixels == scaled.pixels);
            double difference = 0;
            for (size_t i = 0; i < exact.pixels.size(); ++i)
                difference += std::abs(exact.pixels[i] - scaled.pixels[i]);
            difference /= double(exact.pixels.size());
            QCOMPARE_LT(difference, 2.5);
        }
    }

    void decoderProcessMakesTheSameCrops()
    {
        DecoderProcess decoder;
        const Transform transform = square(120, 100, ResizeFilter::Bicubic);
        int images = 0;
        for (const auto& entry : fs::directory_iterator(fs::path(TEST_DATA_DIR) / "preprocess/images")) {
            if (entry.path().filename().string().starts_with("broken"))
                continue;
            const Clip crop = decoder.readCrop(entry.path(), transform),
                       whole = resizeAndCrop(readImage(entry.path()), transform);
            QVERIFY2(crop.pixels == whole.pixels, entry.path().c_str());
            QVERIFY(crop.notes == whole.notes);
            QCOMPARE(crop.orientation, readImage(entry.path()).orientation);
            ++images;
        }
        QVERIFY(images > 20);
    }

    // Else nothing was saved.
    void pixelsOutsideTheWindowAreLeftAlone()
    {
        std::minstd_rand random(5);
        const auto bytes = encoded(kinds[2], 400, 300, random);
        const ImageSize size{400, 300};
        std::vector<uint8_t> pixels(size.bytes(), 7);
        QVERIFY(decodeJpeg(bytes, size, {150, 100, 100, 100}, pixels) == DecodeOutcome::Done);
        const auto untouched = size_t(std::count(pixels.begin(), pixels.end(), 7));
        QCOMPARE_GT(untouched, size.bytes() / 2);
    }
};

ATTNSCOPE_TEST(TestJpegCrops)
#include "tst_jpeg_crops.moc"
