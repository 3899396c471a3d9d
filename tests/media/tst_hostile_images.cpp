// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/media/image_gate.h"
#include "core/media/image_reader.h"
#include "picture_bytes.h"

#include <QElapsedTimer>
#include <QTest>

#include <sys/resource.h>

#include <map>
#include <random>

using namespace attnscope;
using namespace picture;

Q_DECLARE_METATYPE(Bytes)

namespace {

const std::filesystem::path images = std::filesystem::path(TEST_DATA_DIR) / "preprocess/images";

long peakMebibytes()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

Bytes loopingTiff()
{
    Tiff tiff;
    tiff.pixels = {1, 2, 3, 4};
    tiff.next = 12;  // the directory itself, behind eight bytes of header and four of pixels
    return tiff.bytes();
}

Bytes tiffWith(std::uint32_t Tiff::*member, std::uint32_t value)
{
    Tiff tiff;
    tiff.pixels = {1, 2, 3};
    tiff.*member = value;
    return tiff.bytes();
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

/// Empty when the picture was read; fails the test on any exception but FileError.
std::string outcome(const Bytes& bytes)
{
    try {
        const Clip clip = readImage(bytes, "picture", {});
        if (clip.pixels.size() != std::size_t(clip.width * clip.height * 3))
            return "wrong number of pixels";
        return {};
    } catch (const FileError& error) {
        return error.what();
    }
}

std::vector<std::filesystem::path> goldenImages()
{
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(images))
        if (!entry.path().filename().string().starts_with("broken"))
            paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

}  // namespace

class TestHostileImages : public QObject {
    Q_OBJECT

private slots:
    // First, while the process is small: the peak never falls again.
    void bombIsRefusedFastAndWithoutAllocating_data();
    void bombIsRefusedFastAndWithoutAllocating();
    void everyTruncationOfAGoldenIsRefused_data();
    void everyTruncationOfAGoldenIsRefused();
    void mutatedGoldensAreReadOrRefused_data();
    void mutatedGoldensAreReadOrRefused();
    void limitsAreTheCallers();
};

void TestHostileImages::bombIsRefusedFastAndWithoutAllocating_data()
{
    QTest::addColumn<Bytes>("file");
    QTest::addColumn<QString>("says");
    const QString notAPicture = "is not a JPEG, PNG, WebP, BMP, PNM or TIFF file";
    QTest::newRow("PNG of 20k x 20k") << emptyPng(20'000, 20'000) << "20 000×20 000 pixels (1.12 GiB); the limit is 100 megapixels";
    QTest::newRow("PNG of 2^31 x 2^31") << emptyPng(0x7fffffff, 0x7fffffff) << "the limit is 100 megapixels";
    QTest::newRow("PNG of 2^32 - 1") << emptyPng(0xffffffff, 0xffffffff) << "the limit is 100 megapixels";
    QTest::newRow("PNG of a long line") << emptyPng(16'385, 1) << "the limit is 16 384 pixels a side";
    QTest::newRow("PNG without pixels") << emptyPng(0, 5) << "0×5";
    QTest::newRow("PNG without data") << joined({pngStart(8, 8), pngChunk("IEND", {})}) << "no picture data";
    QTest::newRow("PNG whose data end early") << emptyPng(8, 8) << "its PNG data are damaged";
    QTest::newRow("PNG whose chunk is too long") << joined({pngStart(8, 8), big32(0xffffffff), text("IDAT")}) << "breaks off";
    QTest::newRow("JPEG of 65535 x 65535") << jpegHeader(65'535, 65'535) << "the limit is 100 megapixels";
    QTest::newRow("JPEG without height") << jpegHeader(16, 0) << "16×0";
    QTest::newRow("JPEG of 5000 scans") << jpegOfManyScans() << "more than 200 scans";
    QTest::newRow("JPEG without picture") << Bytes{0xff, 0xd8, 0xff, 0xd9} << "ends before its picture data";
    QTest::newRow("JPEG of signature alone") << Bytes{0xff, 0xd8, 0xff} << "breaks off";
    QTest::newRow("WebP of a million columns") << extendedWebp(1'000'000, 1'000, 0) << "the limit is 100 megapixels";
    QTest::newRow("WebP of 2^24 x 2^24") << extendedWebp(1 << 24, 1 << 24, 0) << "the limit is 100 megapixels";
    QTest::newRow("WebP, animated") << extendedWebp(100, 100, 2) << "animated WebP";
    QTest::newRow("WebP without picture") << extendedWebp(100, 100, 0) << "no picture data";
    QTest::newRow("BMP of 2^31 - 1") << bmp(0x7fffffff, 0x7fffffff, 24, {}) << "the limit is 100 megapixels";
    QTest::newRow("BMP of height -2^31") << bmp(1, INT32_MIN, 24, {0}) << "the limit is 100 megapixels";
    QTest::newRow("BMP of negative width") << bmp(-5, 5, 24, {0}) << "damaged";
    QTest::newRow("BMP without rows") << bmp(5000, 5000, 24, {0, 0}) << "breaks off";
    QTest::newRow("BMP with a JPEG inside") << bmp(5, 5, 0, {0}, 4) << "with compression 4";
    QTest::newRow("PNM of many digits") << text("P6 99999999999999999999 1 255\n") << "more than nine digits";
    QTest::newRow("PNM of 10^9 x 10^9") << text("P5 999999999 999999999 255\n") << "the limit is 100 megapixels";
    QTest::newRow("PNM without samples") << text("P3 9000 9000 255\n1 2 3") << "breaks off";
    QTest::newRow("PNM above its maximum") << text("P2 1 1 3\n4 ") << "above the greatest";
    QTest::newRow("TIFF whose directory leads to itself") << loopingTiff() << "several pages";
    QTest::newRow("TIFF whose directory is far away") << joined({text("II"), {42, 0}, little32(0xfffffff0)}) << "breaks off";
    QTest::newRow("BigTIFF") << joined({text("II"), {43, 0}, little32(8)}) << "BigTIFF";
    QTest::newRow("TIFF of 2^32 - 1") << tiffWith(&Tiff::width, 0xffffffff) << "the limit is 100 megapixels";
    QTest::newRow("TIFF of 65535 channels") << tiffWith(&Tiff::channels, 65535) << "65535 channels";
    QTest::newRow("TIFF of an old JPEG kind") << tiffWith(&Tiff::compression, 6) << "compression 6";
    QTest::newRow("TIFF of too few rows") << tiffWith(&Tiff::height, 1000) << "data are damaged";
    QTest::newRow("DICM") << dicom({}) << "DICM";
    QTest::newRow("DICM behind WebP") << dicom(joined({text("RIFF"), little32(125), text("WEBPVP8 ")})) << "DICM";
    QTest::newRow("DICM behind GIF") << dicom(text("GIF89a")) << "DICM";
    QTest::newRow("DICM behind JPEG") << dicom({0xff, 0xd8, 0xff, 0xe0}) << "DICM";
    QTest::newRow("DICM behind PNG") << dicom(emptyPng(4, 4)) << "DICM";
    QTest::newRow("DICM behind TIFF") << dicom(text("II*")) << "DICM";
    QTest::newRow("DICM inside a real PNG") << [] {
        Bytes png = file(images / "square_224.png");
        const Bytes mark = text("DICM");
        std::copy(mark.begin(), mark.end(), png.begin() + 128);
        return png;
    }() << "DICM";
    QTest::newRow("GIF") << text("GIF89a\x10") << notAPicture;
    QTest::newRow("HTML") << text("<html\n<body>") << notAPicture + " (it starts with \"<html\")";
    QTest::newRow("control characters") << text("\x1b[31mred") << notAPicture + " (it starts with bytes 1b 5b";
    QTest::newRow("one byte") << Bytes{0xff} << notAPicture;
    QTest::newRow("nothing") << Bytes{} << "empty";
}

void TestHostileImages::bombIsRefusedFastAndWithoutAllocating()
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

void TestHostileImages::everyTruncationOfAGoldenIsRefused_data()
{
    QTest::addColumn<QString>("path");
    for (const auto& path : goldenImages())
        QTest::newRow(path.filename().c_str()) << QString::fromStdString(path.string());
}

void TestHostileImages::everyTruncationOfAGoldenIsRefused()
{
    QFETCH(QString, path);
    const Bytes whole = file(path.toStdString());
    QCOMPARE(outcome(whole), std::string());
    std::mt19937 random(3);
    std::vector<std::size_t> lengths{whole.size() - 1, whole.size() - 2, whole.size() / 2, 600, 140, 60, 20, 12, 3, 1};
    for (int i = 0; i < 20; ++i)
        lengths.push_back(random() % whole.size());
    for (const std::size_t length : lengths) {
        if (length >= whole.size())
            continue;
        const std::string message = outcome(Bytes(whole.begin(), whole.begin() + std::ptrdiff_t(length)));
        QVERIFY2(!message.empty(), qPrintable(QString("%1 of %2 bytes were taken for a picture").arg(length).arg(whole.size())));
    }
}

void TestHostileImages::mutatedGoldensAreReadOrRefused_data()
{
    everyTruncationOfAGoldenIsRefused_data();
}

void TestHostileImages::mutatedGoldensAreReadOrRefused()
{
    QFETCH(QString, path);
    const Bytes whole = file(path.toStdString());
    std::mt19937 random(11);
    for (int round = 0; round < 30; ++round) {
        Bytes mutated = whole;
        // A third of the rounds aims at the headers; the others hit anywhere.
        const std::size_t range = round % 3 == 0 ? std::min<std::size_t>(whole.size(), 200) : whole.size();
        for (unsigned flips = 1 + random() % 8; flips > 0; --flips)
            mutated[random() % range] ^= std::uint8_t(1u << random() % 8);
        if (round % 5 == 0)  // and some have a part from elsewhere in the file
            std::copy_n(whole.begin() + std::ptrdiff_t(random() % (whole.size() / 2)), whole.size() / 8,
                        mutated.begin() + std::ptrdiff_t(random() % (whole.size() / 2)));
        QElapsedTimer timer;
        timer.start();
        const std::string message = outcome(mutated);
        QVERIFY2(message.empty() || message.starts_with("picture: "), message.c_str());
        QVERIFY(timer.elapsed() < 10'000);
    }
}

void TestHostileImages::limitsAreTheCallers()
{
    const Bytes bytes = file(images / "square_224.png");
    ImageReadOptions options;
    options.limits.imagePixels = 224 * 224;
    QCOMPARE(readImage(bytes, "a", options).width, std::int64_t{224});
    options.limits.imagePixels -= 1;
    QVERIFY_EXCEPTION_THROWN(readImage(bytes, "a", options), FileError);
    options.limits = {};
    options.limits.imageBytes = 100;
    QVERIFY_EXCEPTION_THROWN(readImage(bytes, "a", options), FileError);
    options.limits = {};
    options.limits.imageSide = 223;
    QVERIFY_EXCEPTION_THROWN(readImage(bytes, "a", options), FileError);
}

QTEST_APPLESS_MAIN(TestHostileImages)
#include "tst_hostile_images.moc"
