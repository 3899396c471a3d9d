// Pixels of small images of every kind that docs/images.md lists. What is expected is what Pillow 13 makes of them by convert("RGB"), but
// where a row says that Pillow refuses.
#include "core/base/error.h"
#include "core/media/image/decoder_process.h"
#include "tests/support/test_class.h"
#include "tiff_maker.h"

#include <bit>

using namespace attnscope;
using namespace image;

Q_DECLARE_METATYPE(Bytes)

namespace {

const Bytes palette{10, 20, 30, 0, 40, 50, 60, 0, 70, 80, 90, 0};  // blue, green, red, nothing

Bytes masks(uint32_t red, uint32_t green, uint32_t blue)
{
    return joined({little32(red), little32(green), little32(blue)});
}

Bytes grey(std::initializer_list<uint8_t> values)
{
    Bytes pixels;
    for (const uint8_t value : values)
        append(pixels, Bytes(3, value));
    return pixels;
}

Tiff greyTiff(uint32_t width, uint32_t bits, const Bytes& pixels, uint32_t photometric = 1)
{
    Tiff tiff{false, width, 1, 1, bits, photometric};
    tiff.pixels = pixels;
    return tiff;
}

Tiff with(Tiff tiff, uint32_t tag, std::vector<uint64_t> numbers)
{
    tiff.tags[tag] = std::move(numbers);
    return tiff;
}

Tiff colourTiff(uint32_t width, uint32_t channels, uint32_t bits, const Bytes& pixels, uint32_t photometric = 2)
{
    Tiff tiff{false, width, 1, channels, bits, photometric};
    tiff.pixels = pixels;
    return tiff;
}

Bytes floats(std::initializer_list<float> values, bool bigEndian)
{
    Bytes bytes;
    for (const float value : values)
        append(bytes, number(std::bit_cast<uint32_t>(value), 4, bigEndian));
    return bytes;
}

Clip readBytes(const Bytes& bytes)
{
    return readImage(bytes, "picture", {});
}

Bytes gradient(size_t count)
{
    Bytes bytes(count);
    for (size_t i = 0; i < count; ++i)
        bytes[i] = uint8_t(i * 5 + i / 7);
    return bytes;
}

Transform smallCrop()
{
    Transform transform;
    transform.resize = 20;
    transform.cropHeight = transform.cropWidth = 16;
    return transform;
}

int largestDifference(const Bytes& a, const Bytes& b)
{
    int largest = a.size() == b.size() ? 0 : 256;
    for (size_t i = 0; i < a.size() && i < b.size(); ++i)
        largest = std::max(largest, std::abs(int(a[i]) - int(b[i])));
    return largest;
}

}

class TestImageFormats : public QObject {
    Q_OBJECT

private slots:
    void bmpIsReadAsPillowReadsIt_data()
    {
        columns<Bytes, Bytes>("file", "expected");
        const Bytes first{30, 20, 10}, second{60, 50, 40}, third{90, 80, 70}, black{0, 0, 0};
        const auto row = [](const char* name, const Bmp& bmp, const Bytes& expected) {
            QTest::newRow(name) << bmp.bytes() << expected;
        };
        row("1 bit",
            {.width = 3,
             .bits = 1,
             .palette = Bytes(palette.begin(), palette.begin() + 8),
             .rows = {0x40, 0, 0, 0}},
            joined({first, second, first}));
        row("4 bits", {.width = 3, .bits = 4, .palette = palette, .rows = {0x21, 0x00, 0, 0}, .colours = 3},
            joined({third, second, first}));
        row("8 bits", {.width = 2, .bits = 8, .palette = palette, .rows = {2, 0, 0, 0}, .colours = 3},
            joined({third, first}));
        row("an index beyond the palette",
            {.width = 2, .bits = 8, .palette = palette, .rows = {2, 9, 0, 0}, .colours = 3},
            joined({third, black}));
        row("an offset that forgot the palette",
            {.width = 2, .bits = 8, .palette = palette, .rows = {2, 1, 0, 0}, .colours = 3, .dataAt = 54},
            joined({third, second}));
        row("no offset",
            {.width = 2, .bits = 8, .palette = palette, .rows = {1, 2, 0, 0}, .colours = 3, .dataAt = 0},
            joined({second, third}));
        row("runs of 8 bits",
            {.width = 4,
             .height = 2,
             .bits = 8,
             .compression = 1,
             .palette = palette,
             .rows = {3, 1, 1, 2, 0, 0, 0, 3, 2, 1, 0, 0, 1, 2, 0, 1},
             .colours = 3},
            joined({third, second, first, third, second, second, second, third}));
        row("runs of 4 bits",
            {.width = 4,
             .height = 2,
             .bits = 4,
             .compression = 2,
             .palette = palette,
             .rows = {4, 0x12, 0, 2, 1, 0, 3, 0x20, 0, 1},
             .colours = 3},
            joined({first, third, first, third, second, third, second, third}));
        row("a run beyond its row",
            {.width = 2,
             .height = 1,
             .bits = 8,
             .compression = 1,
             .palette = palette,
             .rows = {9, 1, 0, 1},
             .colours = 3},
            joined({second, second}));
        row("16 bits", {.width = 2, .bits = 16, .rows = joined({little16(0x7c00 | 16 << 5), little16(0x801f)})},
            {255, 131, 0, 0, 0, 255});
        row("16 bits, 565",
            {.width = 2,
             .bits = 16,
             .compression = 3,
             .more = masks(0xf800, 0x07e0, 0x001f),
             .rows = joined({little16(0xf800 | 32 << 5), little16(0x001f)})},
            {255, 129, 0, 0, 0, 255});
        attnscope::row("24 bits, OS/2",
                       joined({text("BM"),
                               little32(30),
                               little32(0),
                               little32(26),
                               little32(12),
                               little16(1),
                               little16(1),
                               little16(1),
                               little16(24),
                               {1, 2, 3, 0}}),
                       Bytes{3, 2, 1});
        row("32 bits", {.width = 1, .bits = 32, .rows = {1, 2, 3, 4}}, {3, 2, 1});
        row("32 bits, no masks",
            {.width = 1, .bits = 32, .compression = 3, .more = masks(0, 0, 0), .rows = {1, 2, 3, 4}}, {3, 2, 1});
        row("32 bits, red last",
            {.width = 1,
             .bits = 32,
             .compression = 3,
             .more = masks(0xff, 0xff00, 0xff0000),
             .rows = {1, 2, 3, 4}},
            {1, 2, 3});
        row("32 bits, xbgr",
            {.width = 1,
             .bits = 32,
             .compression = 3,
             .more = masks(0xff000000, 0xff0000, 0xff00),
             .rows = {1, 2, 3, 4}},
            {4, 3, 2});
        row("32 bits, rgba in a long header",
            {.width = 1,
             .bits = 32,
             .compression = 3,
             .headerBytes = 56,
             .more = joined({masks(0xff, 0xff00, 0xff0000), little32(0xff000000)}),
             .rows = {1, 2, 3, 4}},
            {1, 2, 3});
        row("32 bits of ten each (Pillow refuses)",
            {.width = 1,
             .bits = 32,
             .compression = 3,
             .more = masks(0x3ff00000, 0x000ffc00, 0x000003ff),
             .rows = little32(0x3ffu << 20 | 512 << 10 | 1)},
            {255, 127, 0});
    }

    void bmpIsReadAsPillowReadsIt() { checkPixels(); }

    void tiffIsReadAsPillowReadsIt_data()
    {
        columns<Bytes, Bytes>("file", "expected");
        const auto row = [](const char* name, const Tiff& tiff, const Bytes& expected) {
            QTest::newRow(name) << tiff.bytes() << expected;
        };
        row("1 bit", greyTiff(3, 1, {0xa0}), grey({255, 0, 255}));
        row("1 bit, white is zero", greyTiff(3, 1, {0xa0}, 0), grey({0, 255, 0}));
        row("2 bits", greyTiff(4, 2, {0x1b}), grey({0, 85, 170, 255}));
        row("4 bits", greyTiff(3, 4, {0x01, 0xf0}), grey({0, 17, 255}));
        row("4 bits, white is zero", greyTiff(2, 4, {0x1f}, 0), grey({238, 0}));
        row("4 bits, lowest first", with(greyTiff(2, 4, {0x1f}), 266, {2}), grey({255, 136}));
        row("8 bits, signed", with(greyTiff(2, 8, {0x7f, 0x80}), 339, {2}), grey({127, 128}));
        row("12 bits", greyTiff(2, 12, {0x00, 0x7f, 0xff}), grey({7, 255}));
        row("16 bits", greyTiff(3, 16, {7, 0, 255, 0, 0, 1}), grey({7, 255, 255}));
        row("16 bits, signed", with(greyTiff(2, 16, {0xff, 0xff, 9, 0}), 339, {2}), grey({0, 9}));
        row("32 bits, signed", with(greyTiff(2, 32, {0xff, 0xff, 0xff, 0xff, 9, 0, 0, 0}), 339, {2}),
            grey({0, 9}));
        row("floating point", with(greyTiff(4, 32, floats({-1, 3.9f, 300, NAN}, false)), 339, {3}),
            grey({0, 3, 255, 0}));
        row("grey with alpha", colourTiff(1, 2, 8, {200, 10}, 1), grey({200}));
        const std::vector<uint64_t> colours{0x1000, 0x2000, 0x30ff, 0,      0x4000, 0x5000,
                                            0x6000, 0,      0x7000, 0x8000, 0x9000, 0};
        row("palette of 2 bits", with(greyTiff(2, 2, {0x18}, 3), 320, colours),
            {0x10, 0x40, 0x70, 0x20, 0x50, 0x80});
        row("palette and alpha", with(with(colourTiff(1, 2, 8, {2, 5}, 3), 320, colours), 338, {2}),
            {0x30, 0x60, 0x90});
        row("RGB", colourTiff(1, 3, 8, {1, 2, 3}), {1, 2, 3});
        row("RGB of 16 bits", colourTiff(1, 3, 16, {0xff, 1, 0xff, 2, 0xff, 3}), {1, 2, 3});
        row("straight alpha", with(colourTiff(1, 4, 8, {200, 100, 50, 10}), 338, {2}), {200, 100, 50});
        row("something beside it", with(colourTiff(1, 4, 8, {200, 100, 50, 10}), 338, {0}), {200, 100, 50});
        row("premultiplied", with(colourTiff(3, 4, 8, {100, 50, 25, 128, 9, 9, 9, 0, 1, 2, 3, 255}), 338, {1}),
            {199, 99, 49, 0, 0, 0, 1, 2, 3});
        row("premultiplied beyond its alpha", with(colourTiff(1, 4, 8, {200, 50, 25, 100}), 338, {1}),
            {255, 127, 63});
        row("premultiplied, 16 bits", with(colourTiff(1, 4, 16, {0, 100, 0, 50, 0, 25, 0, 128}), 338, {1}),
            {199, 99, 49});
        row("six channels", with(colourTiff(1, 6, 8, {1, 2, 3, 4, 5, 6}), 338, {0, 0, 0}), {1, 2, 3});
        row("CMYK", colourTiff(2, 4, 8, {0, 255, 128, 0, 10, 20, 30, 100}, 5), {255, 0, 127, 149, 143, 137});
        row("CMYK of 16 bits", colourTiff(1, 4, 16, {0xff, 10, 0xff, 20, 0xff, 30, 0xff, 100}, 5),
            {149, 143, 137});
        row("planes",
            with(with(with(colourTiff(2, 3, 8, {1, 2, 3, 4, 5, 6}), 284, {2}), 273, {8, 10, 12}), 279, {2, 2, 2}),
            {1, 3, 5, 2, 4, 6});
        row("planes of nobody knows what are left out",
            with(with(with(with(colourTiff(2, 2, 8, {1, 2, 3, 4}, 1), 284, {2}), 338, {0}), 273, {8, 10}), 279,
                 {2, 2}),
            grey({1, 2}));
        Tiff tiled = with(with(with(greyTiff(3, 8, {}), 322, {2}), 323, {2}), 257, {3});
        tiled.pixels = {1, 2, 4, 5, 3, 90, 6, 91, 7, 8, 92, 93, 9, 94, 95, 96};  // each of 2 × 2
        row("tiles", with(with(with(with(tiled, 324, {8, 12, 16, 20}), 325, {4, 4, 4, 4}), 273, {}), 279, {}),
            grey({1, 2, 3, 4, 5, 6, 7, 8, 9}));
        row("strips that are longer than they say", with(greyTiff(4, 8, {1, 2, 3, 4}), 279, {1}),
            grey({1, 2, 3, 4}));
        for (const bool bigEndian : {false, true}) {
            Tiff deep = greyTiff(2, 16, joined({number(8, 2, bigEndian), number(300, 2, bigEndian)}));
            deep.bigEndian = bigEndian;
            addRow("16 bits, %s endian", bigEndian ? "big" : "little") << deep.bytes() << grey({8, 255});
            deep.large = true;
            addRow("BigTIFF, %s endian", bigEndian ? "big" : "little") << deep.bytes() << grey({8, 255});
        }
    }

    void tiffIsReadAsPillowReadsIt() { checkPixels(); }

    void compressedTiffIsReadToTheValue_data()
    {
        columns<Bytes, Bytes>("file", "expected");
        const Bytes colours = gradient(12 * 9 * 3);
        const auto picture = [&](const char* name, TiffMaker maker) {
            maker.width = 12, maker.height = 9;
            maker.pixels = colours;
            if (TIFFIsCODECConfigured(uint16_t(maker.compression)))
                row(name, maker.bytes(), colours);
        };
        picture("PackBits", {.compression = COMPRESSION_PACKBITS});
        picture("LZW", {.compression = COMPRESSION_LZW});
        picture("LZW, BigTIFF", {.compression = COMPRESSION_LZW, .mode = "w8"});
        picture("Deflate", {.compression = COMPRESSION_ADOBE_DEFLATE});
        picture("Deflate, old number", {.compression = COMPRESSION_DEFLATE});
        picture("LZMA", {.compression = COMPRESSION_LZMA});
        picture("Zstandard", {.compression = COMPRESSION_ZSTD});
        const Bytes bits = gradient(3 * 9);
        Bytes fax;
        for (const uint8_t byte : bits)
            for (int i = 7; i >= 0; --i)
                append(fax, Bytes(3, byte >> i & 1 ? 255 : 0));
        for (const auto& [name, compression] :
             {std::pair{"fax 3", COMPRESSION_CCITTFAX3}, std::pair{"fax 4", COMPRESSION_CCITTFAX4},
              std::pair{"fax, run lengths", COMPRESSION_CCITTRLE}})
            row(name,
                TiffMaker{.width = 24,
                          .height = 9,
                          .channels = 1,
                          .bits = 1,
                          .compression = compression,
                          .photometric = PHOTOMETRIC_MINISBLACK,
                          .pixels = bits}
                    .bytes(),
                fax);
        // Native order becomes the file's; 16 bits of big endian come back as they were.
        const Bytes deep = joined({number(8, 2, false), number(300, 2, false)});
        for (const char* mode : {"wl", "wb"})
            row(mode,
                TiffMaker{.width = 2,
                          .height = 1,
                          .channels = 1,
                          .bits = 16,
                          .photometric = PHOTOMETRIC_MINISBLACK,
                          .mode = mode,
                          .pixels = deep}
                    .bytes(),
                grey({8, 255}));
        row("a tile", TiffMaker{.width = 16, .height = 16, .tile = 16, .pixels = gradient(768)}.bytes(),
            gradient(768));
    }

    void compressedTiffIsReadToTheValue() { checkPixels(); }

    void tiffByJpegKeepsItsColours()
    {
        Bytes colours;
        for (int i = 0; i < 32 * 32; ++i)
            append(colours, {200, uint8_t(60 + i / 32), 30});
        TiffMaker maker{.width = 32,
                        .height = 32,
                        .compression = COMPRESSION_JPEG,
                        .photometric = PHOTOMETRIC_YCBCR,
                        .rowsPerStrip = 16,
                        .pixels = colours};
        QVERIFY(largestDifference(readBytes(maker.bytes()).pixels, colours) < 12);
        maker.photometric = PHOTOMETRIC_RGB;
        QVERIFY(largestDifference(readBytes(maker.bytes()).pixels, colours) < 12);
        // Without JPEG libtiff itself makes RGB of it: a grey, and a red.
        maker = {.width = 2,
                 .height = 1,
                 .compression = COMPRESSION_LZW,
                 .photometric = PHOTOMETRIC_YCBCR,
                 .pixels = {90, 128, 128, 76, 85, 255}};
        QVERIFY(largestDifference(readBytes(maker.bytes()).pixels, {90, 90, 90, 254, 0, 0}) <= 1);
    }

    void pfmKeepsWhatEightBitsHold()
    {
        for (const bool bigEndian : {false, true}) {
            const Bytes rows = floats({1, 2.9f, -4, 1000}, bigEndian);  // the lower row first
            const Clip clip = readBytes(joined({text(bigEndian ? "Pf\n2 2\n1.0\n" : "Pf\n2 2\n-1.0\n"), rows}));
            QCOMPARE(clip.pixels, grey({0, 255, 1, 2}));
            QCOMPARE(clip.format, "PNM");
        }
    }

    void sixteenBitGreyIsClippedAndSaysSo()
    {
        const Clip pnm = readBytes(joined({text("P5 3 1 65535\n"), {0, 9, 0, 255, 1, 0}}));
        const Clip tiff = readBytes(greyTiff(3, 16, {9, 0, 255, 0, 0, 1}).bytes());
        QCOMPARE(pnm.pixels, grey({9, 255, 255}));
        QCOMPARE(tiff.pixels, pnm.pixels);
        for (const Clip& clip : {pnm, tiff})
            QVERIFY(clip.notes.size() == 1 && clip.notes[0].find("were clipped to white") != std::string::npos);
        // Other maxima are spread over 16 bits before.
        QCOMPARE(readBytes(joined({text("P5 2 1 1000\n"), {0, 1, 0, 4}})).pixels, grey({66, 255}));
    }

    void firstOfSeveralPicturesIsReadAndSaysSo()
    {
        Tiff pages = colourTiff(1, 3, 8, {1, 2, 3, 0});
        pages.next = 12;  // the directory itself: what a chain leads to is not looked at
        const Clip clip = readBytes(pages.bytes());
        QCOMPARE(clip.pixels, (Bytes{1, 2, 3}));
        QCOMPARE(clip.notes, std::vector<std::string>{"the first of several pages was used"});
        const Bytes still = file(fs::path(TEST_DATA_DIR) / "preprocess/images/webp_333x250.webp");
        const Clip frame = readBytes(animatedWebp(still, 333, 250, 0, 0, 333, 250));
        QCOMPARE(frame.pixels, readBytes(still).pixels);
        QCOMPARE(frame.notes, std::vector<std::string>{"the first frame of the animation was used"});
    }

    void frameOnALargerCanvasLiesOnBlack()
    {
        const Bytes still = file(fs::path(TEST_DATA_DIR) / "preprocess/images/webp_333x250.webp");
        const Clip frame = readBytes(still), clip = readBytes(animatedWebp(still, 333, 250, 20, 10, 360, 300));
        QCOMPARE(clip.width, 360);
        QCOMPARE(clip.height, 300);
        for (int64_t y = 0; y < clip.height; ++y) {
            for (int64_t x = 0; x < clip.width; ++x) {
                const bool inside = x >= 20 && x < 353 && y >= 10 && y < 260;
                const uint8_t* expected = inside ? frame.pixels.data() + ((y - 10) * 333 + x - 20) * 3 : nullptr;
                const uint8_t* found = clip.pixels.data() + (y * 360 + x) * 3;
                QVERIFY(expected ? std::equal(found, found + 3, expected)
                                 : found[0] == 0 && found[1] == 0 && found[2] == 0);
            }
        }
    }

    void otherKindsAreRefusedByName_data()
    {
        columns<Bytes, QString>("file", "says");
        const auto tiff = [](const char* name, const Tiff& tiff, const char* says) {
            row(name, tiff.bytes(), says);
        };
        const Tiff rgb = colourTiff(1, 3, 8, {1, 2, 3});
        tiff("Lab", with(rgb, 262, {8}), "CIE Lab colours");
        tiff("sensor", with(rgb, 262, {32803}), "raw sensor data");
        tiff("WebP inside", with(rgb, 259, {50001}), "compression 50001 (WebP)");
        tiff("unknown compression", with(rgb, 259, {777}), "compression 777;");
        tiff("mixed depths", with(rgb, 258, {8, 8, 16}), "channels with different bit depths");
        tiff("floating-point colours", with(with(rgb, 258, {32}), 339, {3}),
             "3 channels of 32 floating-point bits");
        tiff("24 bits", greyTiff(1, 24, {1, 2, 3}), "1 channel of 24 unsigned bits");
        tiff("complex numbers", with(greyTiff(1, 32, {1, 2, 3, 4}), 339, {5}),
             "neither integers nor floating point");
        tiff("grey of 16 bits with alpha", colourTiff(1, 2, 16, {1, 2, 3, 4}, 1),
             "2 channels of 16 unsigned bits");
        tiff("seven channels", with(rgb, 277, {7}), "7 channels");
        tiff("fax of 8 bits", with(with(greyTiff(1, 8, {1}), 259, {4}), 278, {1}),
             "which its compression does not support");
        row("masks with holes",
            Bmp{.bits = 32, .compression = 3, .more = masks(0xff, 0xf0f00, 0xff000000), .rows = {1, 2, 3, 4}}
                .bytes(),
            "the masks 000000ff, 000f0f00, ff000000");
        row("an empty mask",
            Bmp{.bits = 16, .compression = 3, .more = masks(0xf800, 0, 0x1f), .rows = {1, 2, 3, 4}}.bytes(),
            "the masks 0000f800, 00000000, 0000001f");
        row("2 bits", Bmp{.bits = 2, .palette = palette, .rows = {1, 2, 3, 4}}.bytes(),
            "2 bits per pixel with compression 0");
        row("colour PFM", joined({text("PF\n1 1\n-1.0\n"), Bytes(12)}), "PFM with three channels");
    }

    void otherKindsAreRefusedByName()
    {
        QFETCH(Bytes, file);
        FETCH_TEXT(says);
        try {
            readBytes(file);
            QFAIL("it was read");
        } catch (const FileError& error) {
            SAYS(error.what(), says);
            QVERIFY2(!QString::fromUtf8(error.what()).contains("damaged"), error.what());
        }
    }

    /// No decoder needs a system call that the locked process may not make, and what evaluation reads is the crop of the whole image.
    void decoderProcessReadsEveryKindAndItsCrops()
    {
        const Bytes still = file(fs::path(TEST_DATA_DIR) / "preprocess/images/webp_333x250.webp");
        std::vector<Bytes> images{
            Bmp{.width = 40, .height = 30, .bits = 16, .rows = gradient(40 * 30 * 2)}.bytes(),
            Bmp{.width = 40, .height = -30, .bits = 8, .palette = palette, .rows = gradient(40 * 30), .colours = 3}
                .bytes(),
            animatedWebp(still, 333, 250, 0, 0, 333, 250), animatedWebp(still, 333, 250, 20, 10, 360, 300),
            joined({text("P5 40 30 65535\n"), gradient(40 * 30 * 2)})};
        for (const uint32_t orientation : {1u, 6u}) {
            Tiff tiff = colourTiff(40, 3, 8, gradient(40 * 30 * 3));
            tiff.height = 30;
            tiff.orientation = orientation;
            images.push_back(tiff.bytes());
        }
        for (const int compression :
             {COMPRESSION_LZW, COMPRESSION_JPEG, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_LZMA, COMPRESSION_ZSTD})
            if (TIFFIsCODECConfigured(uint16_t(compression)))
                images.push_back(TiffMaker{.width = 40,
                                           .height = 32,
                                           .compression = compression,
                                           .rowsPerStrip = 16,
                                           .pixels = gradient(40 * 32 * 3)}
                                     .bytes());
        DecoderProcess decoder;
        for (const Bytes& bytes : images) {
            const Clip here = readBytes(bytes);
            QCOMPARE(decoder.read(bytes, "picture").pixels, here.pixels);
            const PixelDecoder process = [&decoder](std::span<const uint8_t> encoded, const ImageSize& size,
                                                    const PixelWindow& window, const PixelUse& use) {
                return decoder.decode(encoded, size, window, "picture", {}, use);
            };
            QCOMPARE(readCrop(bytes, "picture", smallCrop(), {}, process).pixels,
                     resizeAndCrop(here, smallCrop()).pixels);
        }
    }

private:
    void checkPixels()
    {
        QFETCH(Bytes, file);
        QFETCH(Bytes, expected);
        QCOMPARE(readBytes(file).pixels, expected);
    }
};

ATTNSCOPE_TEST(TestImageFormats)
#include "tst_image_formats.moc"
