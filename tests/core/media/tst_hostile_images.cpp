#include "core/base/error.h"
#include "core/media/format/image_validator.h"
#include "core/media/image/image_reader.h"
#include "tests/support/test_class.h"
#include "tiff_maker.h"

#include <QElapsedTimer>

#include <sys/resource.h>

#include <map>
#include <random>

using namespace attnscope;
using namespace image;

Q_DECLARE_METATYPE(Bytes)

namespace {

const fs::path images = fs::path(TEST_DATA_DIR) / "preprocess/images";

long peakMebibytes()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

Bytes loopingTiff()
{
    Tiff tiff;
    tiff.width = 1000;
    tiff.pixels = {1, 2, 3, 4};
    tiff.next = 12;  // the directory itself, behind eight bytes of header and four of pixels
    return tiff.bytes();
}

Bytes tiffWith(uint32_t Tiff::*member, uint32_t value, std::map<uint32_t, std::vector<uint64_t>> tags = {})
{
    Tiff tiff;
    tiff.pixels = {1, 2, 3};
    tiff.*member = value;
    tiff.tags = std::move(tags);
    return tiff.bytes();
}

Bytes hugeTile()
{
    return tiffWith(&Tiff::compression, 5,
                    {{322, {10'000}}, {323, {10'000}}, {324, {8}}, {325, {3}}, {273, {}}, {279, {}}});
}

Bytes compressedBomb()
{
    Tiff tiff{false, 1000, 1000};
    tiff.compression = 32773;
    tiff.pixels = {129, 7, 129, 7};
    return tiff.bytes();
}

/// A still image of one by one pixels, which is all that our gate looks at.
Bytes emptyStill()
{
    return webp(joined({text("VP8L"), little32(5), {0x2f, 0, 0, 0, 0, 0}}));
}

/// Frames by the hundred thousand, each inside the one before.
Bytes nestedWebp()
{
    Bytes frame{0, 0, 0, 0, 0, 0, 9, 0, 0, 9, 0, 0, 0, 0, 0, 0};
    Bytes nested;
    constexpr uint32_t depth = 200'000, each = 24;
    for (uint32_t i = 0; i < depth; ++i)
        append(nested, joined({text("ANMF"), little32(16 + each * (depth - 1 - i)), frame}));
    return webp(joined({text("VP8X"), little32(10), {2, 0, 0, 0}, little24(9), little24(9), nested}));
}

Bytes jpegOfManyScans()
{
    Bytes jpeg = jpegHeader(10'000, 10'000);
    const Bytes scan(jpeg.end() - 16, jpeg.end() - 2);
    jpeg.resize(jpeg.size() - 2);
    for (int i = 0; i < 5000; ++i)
        append(jpeg, scan);
    return append(jpeg, {0xff, 0xd9});
}

/// Empty when the image was read; fails the test on any exception but FileError.
std::string outcome(const Bytes& bytes)
{
    try {
        const Clip clip = readImage(bytes, "picture", {});
        if (clip.pixels.size() != size_t(clip.width * clip.height * 3))
            return "wrong number of pixels";
        return {};
    } catch (const FileError& error) {
        return error.what();
    }
}

/// Small images of the kinds that no golden is of.
std::vector<std::pair<const char*, Bytes>> madeImages()
{
    const Bytes samples = [] {
        Bytes bytes;
        for (int i = 0; i < 6 * 5 * 4; ++i)
            bytes.push_back(uint8_t(i * 37));
        return bytes;
    }();
    const Bytes masks = joined({little32(0xff), little32(0xff00), little32(0xff0000)});
    const Bytes runs{6, 1, 0, 0, 0, 6, 1, 2, 0, 1, 2, 1, 0, 2, 0, 1, 6, 0, 0, 0, 6, 2, 0, 1};
    Tiff tiff{false, 6, 5, 4, 8, 2};
    tiff.pixels = samples;
    Tiff large = tiff;
    large.large = true, large.bigEndian = true;
    const auto compressed = [&](int kind) {
        return TiffMaker{.width = 6,
                         .height = 5,
                         .channels = 4,
                         .compression = kind,
                         .rowsPerStrip = kind == COMPRESSION_JPEG ? 8u : 2u,
                         .pixels = samples}
            .bytes();
    };
    const Bytes still = file(images / "webp_333x250.webp");
    return {
        {"BMP with masks",
         Bmp{.width = 6, .height = 5, .bits = 32, .compression = 3, .more = masks, .rows = samples}.bytes()},
        {"BMP of runs", Bmp{.width = 6,
                            .height = 4,
                            .bits = 8,
                            .compression = 1,
                            .palette = Bytes(12),
                            .rows = runs,
                            .colours = 3}
                            .bytes()},
        {"TIFF", tiff.bytes()},
        {"BigTIFF", large.bytes()},
        {"TIFF by LZW", compressed(COMPRESSION_LZW)},
        {"TIFF by Deflate", compressed(COMPRESSION_ADOBE_DEFLATE)},
        {"TIFF by PackBits", compressed(COMPRESSION_PACKBITS)},
        {"TIFF by JPEG", compressed(COMPRESSION_JPEG)},
        {"PFM", joined({text("Pf\n6 5\n-1.0\n"), samples})},
        {"animated WebP", animatedWebp(webp(Bytes(still.begin() + 12, still.end())), 333, 250, 2, 2, 340, 260)}};
}

std::vector<fs::path> goldenImages()
{
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(images))
        if (!entry.path().filename().string().starts_with("broken"))
            paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

}

class TestHostileImages : public QObject {
    Q_OBJECT

private slots:
    // First, while the process is small: the peak never falls again.
    void bombIsRefusedFastAndWithoutAllocating_data()
    {
        columns<Bytes, QString>("file", "says");
        const QString notAnImage = "is not a JPEG, PNG, WebP, BMP, PNM or TIFF file";
        row("PNG of 20k x 20k", emptyPng(20'000, 20'000),
            "20 000×20 000 pixels (1.12 GiB); the limit is 100 megapixels");
        row("PNG of 2^31 x 2^31", emptyPng(0x7fffffff, 0x7fffffff), "the limit is 100 megapixels");
        row("PNG of 2^32 - 1", emptyPng(0xffffffff, 0xffffffff), "the limit is 100 megapixels");
        row("PNG of a long line", emptyPng(16'385, 1), "the limit is 16 384 pixels per side");
        row("PNG without pixels", emptyPng(0, 5), "0×5");
        row("PNG without data", joined({pngStart(8, 8), pngChunk("IEND", {})}), "no image data");
        row("PNG whose data end early", emptyPng(8, 8), "its PNG data is damaged");
        row("PNG whose chunk is too long", joined({pngStart(8, 8), big32(0xffffffff), text("IDAT")}),
            "is truncated");
        row("JPEG of 65535 x 65535", jpegHeader(65'535, 65'535), "the limit is 100 megapixels");
        row("JPEG without height", jpegHeader(16, 0), "16×0");
        row("JPEG of 5000 scans", jpegOfManyScans(), "more than 200 scans");
        row("JPEG without picture", Bytes{0xff, 0xd8, 0xff, 0xd9}, "ends before its image data");
        row("JPEG of signature alone", Bytes{0xff, 0xd8, 0xff}, "is truncated");
        row("WebP of a million columns", extendedWebp(1'000'000, 1'000, 0), "the limit is 100 megapixels");
        row("WebP of 2^24 x 2^24", extendedWebp(1 << 24, 1 << 24, 0), "the limit is 100 megapixels");
        row("WebP, animated, without frames", extendedWebp(100, 100, 2), "no image data");
        row("WebP of frames within frames", nestedWebp(), "no image data");
        row("WebP of a frame outside", animatedWebp(emptyStill(), 10, 10, 4, 0, 10, 10), "outside the image");
        row("WebP of a frame that is not what it says", animatedWebp(emptyStill(), 10, 10, 0, 0, 10, 10),
            "differ in size");
        row("WebP without picture", extendedWebp(100, 100, 0), "no image data");
        row("BMP of 2^31 - 1", bmp(0x7fffffff, 0x7fffffff, 24, {}), "the limit is 100 megapixels");
        row("BMP of height -2^31", bmp(1, INT32_MIN, 24, {0}), "the limit is 100 megapixels");
        row("BMP of negative width", bmp(-5, 5, 24, {0}), "damaged");
        row("BMP without rows", bmp(5000, 5000, 24, {0, 0}), "is truncated");
        row("BMP with a JPEG inside", bmp(5, 5, 0, {0}, 4), "with compression 4");
        row("PNM of many digits", text("P6 99999999999999999999 1 255\n"), "more than nine digits");
        row("PNM of 10^9 x 10^9", text("P5 999999999 999999999 255\n"), "the limit is 100 megapixels");
        row("PNM without samples", text("P3 9000 9000 255\n1 2 3"), "is truncated");
        row("PNM above its maximum", text("P2 1 1 3\n4 "), "above the maximum");
        row("BMP of four billion colours", Bmp{.bits = 8, .rows = {0, 0, 0, 0}, .colours = 0xffffffff}.bytes(),
            "4294967295 colours");
        row("BMP of runs that end early",
            Bmp{.width = 1000,
                .height = 1000,
                .bits = 8,
                .compression = 1,
                .palette = Bytes(12),
                .rows = {1, 1, 0, 1},
                .colours = 3}
                .bytes(),
            "BMP data is damaged");
        row("PFM without samples", text("Pf\n9000 9000\n-1.0\n"), "is truncated");
        row("PFM without scale", joined({text("Pf\n1 1\nnan\n"), Bytes(4)}), "not a number other than 0");
        row("TIFF whose directory leads to itself", loopingTiff(), "is truncated");
        row("TIFF of a tile of 100 megapixels", hugeTile(), "tiles that are larger than the image");
        row("TIFF of more strips than it has", tiffWith(&Tiff::height, 1000, {{278, {1}}}),
            "where its image data is");
        row("TIFF of strips without rows", tiffWith(&Tiff::height, 1, {{278, {0}}}), "no rows");
        row("BigTIFF of 2^63 entries",
            joined({text("II"), {43, 0, 8, 0, 0, 0}, little32(16), little32(0), Bytes(7), {0x80}, Bytes(40)}),
            "is truncated");
        row("TIFF whose directory is far away", joined({text("II"), {42, 0}, little32(0xfffffff0)}),
            "is truncated");
        row("BigTIFF of other offsets", joined({text("II"), {43, 0, 4, 0, 0, 0}, Bytes(8)}),
            "offset size in its BigTIFF header");
        row("TIFF of 2^32 - 1", tiffWith(&Tiff::width, 0xffffffff), "the limit is 100 megapixels");
        row("TIFF of 65535 channels", tiffWith(&Tiff::channels, 65535), "65535 channels");
        row("TIFF of the old JPEG kind without a JPEG", tiffWith(&Tiff::compression, 6), "data is damaged");
        row("TIFF of too few rows", tiffWith(&Tiff::height, 1000), "is truncated");
        row("TIFF of too few compressed rows", compressedBomb(), "data is damaged");
        row("DICM", dicom({}), "DICM");
        row("DICM behind WebP", dicom(joined({text("RIFF"), little32(125), text("WEBPVP8 ")})), "DICM");
        row("DICM behind GIF", dicom(text("GIF89a")), "DICM");
        row("DICM behind JPEG", dicom({0xff, 0xd8, 0xff, 0xe0}), "DICM");
        row("DICM behind PNG", dicom(emptyPng(4, 4)), "DICM");
        row("DICM behind TIFF", dicom(text("II*")), "DICM");
        row(
            "DICM inside a real PNG",
            [] {
                Bytes png = file(images / "square_224.png");
                const Bytes mark = text("DICM");
                std::copy(mark.begin(), mark.end(), png.begin() + 128);
                return png;
            }(),
            "DICM");
        row("GIF", text("GIF89a\x10"), "it is a GIF, which is read as a video only");
        const QString unread = "it is an image in the format %1, which is not supported; save it as PNG or JPEG";
        row("AVIF", joined({{0, 0, 0, 0x1c}, text("ftypavif"), {0, 0, 0, 0}, text("mif1miaf")}),
            unread.arg("AVIF"));
        row("AVIF by its second brand",
            joined({{0, 0, 0, 0x18}, text("ftypmif1"), {0, 0, 0, 0}, text("miafavif")}), unread.arg("AVIF"));
        row("HEIC", joined({{0, 0, 0, 0x18}, text("ftypheic"), {0, 0, 0, 0}, text("mif1heic")}),
            unread.arg("HEIC"));
        row("JPEG XL", joined({{0, 0, 0, 12}, text("JXL \r\n")}), unread.arg("JPEG XL"));
        row("JPEG 2000", joined({{0, 0, 0, 12}, text("jP  \r\n")}), unread.arg("JPEG 2000"));
        row("MP4", joined({{0, 0, 0, 0x18}, text("ftypisom"), {0, 0, 2, 0}, text("isommp41")}), notAnImage);
        row("HTML", text("<html\n<body>"), notAnImage + " (it starts with \"<html\")");
        row("control characters", text("\x1b[31mred"), notAnImage + " (it starts with bytes 1b 5b");
        row("one byte", Bytes{0xff}, notAnImage);
        row("nothing", Bytes{}, "empty");
    }

    void bombIsRefusedFastAndWithoutAllocating()
    {
        QFETCH(Bytes, file);
        QFETCH(QString, says);
        const long before = peakMebibytes();
        QElapsedTimer timer;
        timer.start();
        const std::string message = outcome(file);
        QVERIFY(timer.elapsed() < 200);
        QVERIFY(peakMebibytes() - before < 50);
        // Thousands are set off by a narrow space that does not break.
        QVERIFY2(QString::fromStdString(message).replace(QChar(0x202f), ' ').contains(says), message.c_str());
    }

    void everyTruncationOfAGoldenIsRefused_data()
    {
        columns<QString>("path");
        for (const auto& path : goldenImages())
            row(path.filename().string(), path.string());
    }

    void everyTruncationOfAGoldenIsRefused()
    {
        FETCH_TEXT(path);
        const Bytes whole = file(path);
        QCOMPARE(outcome(whole), std::string());
        const Bytes pixels = readImage(whole, "picture", {}).pixels;
        std::mt19937 random(3);
        std::vector<size_t> lengths{
            whole.size() - 1, whole.size() - 2, whole.size() / 2, 600, 140, 60, 20, 12, 3, 1};
        for (int i = 0; i < 20; ++i)
            lengths.push_back(random() % whole.size());
        for (const size_t length : lengths) {
            if (length >= whole.size())
                continue;
            const Bytes cut(whole.begin(), whole.begin() + ptrdiff_t(length));
            // The padding of a BMP's last row may be missing.
            QVERIFY2(!outcome(cut).empty() || readImage(cut, "picture", {}).pixels == pixels,
                     qPrintable(QString("%1 of %2 bytes were taken for a picture").arg(length).arg(whole.size())));
        }
    }

    void mutatedGoldensAreReadOrRefused_data() { everyTruncationOfAGoldenIsRefused_data(); }

    void mutatedGoldensAreReadOrRefused()
    {
        FETCH_TEXT(path);
        const Bytes whole = file(path);
        std::mt19937 random(11);
        for (int round = 0; round < 30; ++round) {
            Bytes mutated = whole;
            // A third of the rounds aims at the headers; the others hit anywhere.
            const size_t range = round % 3 == 0 ? std::min<size_t>(whole.size(), 200) : whole.size();
            for (unsigned flips = 1 + random() % 8; flips > 0; --flips)
                mutated[random() % range] ^= uint8_t(1u << random() % 8);
            if (round % 5 == 0)  // and some have a part from elsewhere in the file
                std::copy_n(whole.begin() + ptrdiff_t(random() % (whole.size() / 2)), whole.size() / 8,
                            mutated.begin() + ptrdiff_t(random() % (whole.size() / 2)));
            QElapsedTimer timer;
            timer.start();
            const std::string message = outcome(mutated);
            QVERIFY2(message.empty() || message.starts_with("picture: "), message.c_str());
            QVERIFY(timer.elapsed() < 10'000);
        }
    }

    void madePictureIsReadOrRefusedWhereverItIsCut_data()
    {
        columns<Bytes>("whole");
        for (const auto& [name, bytes] : madeImages())
            row(name, bytes);
    }

    void madePictureIsReadOrRefusedWhereverItIsCut()
    {
        QFETCH(Bytes, whole);
        const Bytes pixels = readImage(whole, "picture", {}).pixels;
        const size_t step = std::max<size_t>(1, whole.size() / 2000);
        for (size_t length = 0; length < whole.size(); length += step) {
            const Bytes cut(whole.begin(), whole.begin() + ptrdiff_t(length));
            // A mark behind the last pixel may be missing.
            if (outcome(cut).empty())
                QVERIFY2(readImage(cut, "picture", {}).pixels == pixels,
                         qPrintable(QString("%1 bytes").arg(length)));
        }
    }

    void mutatedMadePictureIsReadOrRefused_data() { madePictureIsReadOrRefusedWhereverItIsCut_data(); }

    void mutatedMadePictureIsReadOrRefused()
    {
        QFETCH(Bytes, whole);
        std::mt19937 random(17);
        const size_t range = std::min<size_t>(whole.size(), 400);
        for (int round = 0; round < 1500; ++round) {
            Bytes mutated = whole;
            for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
                // Small numbers, and the greatest: what sizes and counts are wrong by.
                const uint8_t value = round % 3 == 0   ? uint8_t(random() % 4)
                                      : round % 3 == 1 ? 0xff
                                                       : uint8_t(random());
                mutated[random() % range] = value;
                mutated[mutated.size() - 1 - random() % range] = value;
            }
            QElapsedTimer timer;
            timer.start();
            const std::string message = outcome(mutated);
            QVERIFY2(message.empty() || message.starts_with("picture: "), message.c_str());
            QVERIFY(timer.elapsed() < 10'000);
        }
    }

    void limitsAreTheCallers()
    {
        const Bytes bytes = file(images / "square_224.png");
        ImageReadOptions options;
        options.limits.imagePixels = 224 * 224;
        QCOMPARE(readImage(bytes, "a", options).width, 224);
        options.limits.imagePixels -= 1;
        THROWS(FileError, readImage(bytes, "a", options));
        options.limits = {};
        options.limits.imageBytes = 100;
        THROWS(FileError, readImage(bytes, "a", options));
        options.limits = {};
        options.limits.imageSide = 223;
        THROWS(FileError, readImage(bytes, "a", options));
    }
};

ATTNSCOPE_TEST(TestHostileImages)
#include "tst_hostile_images.moc"
