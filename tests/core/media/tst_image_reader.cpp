#include "core/base/error.h"
#include "core/media/format/exif_orientation.h"
#include "core/media/format/image_validator.h"
#include "core/media/image/image_reader.h"
#include "image_bytes.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <QElapsedTimer>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace attnscope;
using namespace image;

namespace {

const fs::path images = fs::path(TEST_DATA_DIR) / "preprocess/images";

bool hasNote(const Clip& clip, std::string_view part)
{
    return std::any_of(clip.notes.begin(), clip.notes.end(),
                       [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

Clip readBytes(const Bytes& bytes, Orientation orientation = Orientation::Ignore)
{
    return readImage(bytes, "picture", {orientation, {}});
}

std::string refusal(const fs::path& path)
{
    try {
        readImage(path);
    } catch (const FileError& error) {
        return error.what();
    }
    return "it was read";
}

}

class TestImageReader : public QObject {
    Q_OBJECT

private slots:
    void pnmOfEachKindIsReadToTheValue_data()
    {
        // `grey`: the red channel, two pixels wide and one high
        columns<QByteArray, QByteArray>("file", "grey");
        row("P1", QByteArray("P1\n# a remark\n2 1\n10"), QByteArray("\x00\xff", 2));
        row("P2", QByteArray("P2 2 1 15 15 7"), QByteArray("\xff\x77", 2));
        row("P3", QByteArray("P3 2 1 255\n1 2 3 #x\n 4 5 6\n"), QByteArray("\x01\x04", 2));
        row("P4", QByteArray("P4 2 1\n\x40", 8), QByteArray("\xff\x00", 2));
        row("P5", QByteArray("P5 2 1 255\n\x80\x81", 13), QByteArray("\x80\x81", 2));
        row("P5, 16 bits", QByteArray("P5 2 1 65535\n\x00\x80\xff\xff", 17), QByteArray("\x80\xff", 2));
        row("P6", QByteArray("P6 2 1 255\n\x01\x02\x03\x04\x05\x06", 17), QByteArray("\x01\x04", 2));
    }

    void pnmOfEachKindIsReadToTheValue()
    {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, grey);
        const Clip clip = readBytes(Bytes(file.begin(), file.end()));
        QCOMPARE(clip.format, "PNM");
        QCOMPARE(clip.pixels.size(), 6);
        QCOMPARE(int(clip.pixels[0]), int(uint8_t(grey[0])));
        QCOMPARE(int(clip.pixels[3]), int(uint8_t(grey[1])));
    }

    void bmpIsReadFromBothEnds()
    {
        const Bytes rows{1, 2, 3, 0, 4, 5, 6, 0};  // two rows of one BGR pixel, each padded to four bytes
        QCOMPARE(readBytes(bmp(1, 2, 24, rows)).pixels, (Bytes{6, 5, 4, 3, 2, 1}));
        QCOMPARE(readBytes(bmp(1, -2, 24, rows)).pixels, (Bytes{3, 2, 1, 6, 5, 4}));
    }

    void tiffIsReadInBothByteOrders()
    {
        for (const bool bigEndian : {false, true}) {
            Tiff tiff{bigEndian, 2, 1};
            tiff.pixels = {1, 2, 3, 250, 251, 252};
            QCOMPARE(readBytes(tiff.bytes()).pixels, tiff.pixels);
            Tiff grey{bigEndian, 2, 1, 1, 8, 1};
            grey.pixels = {7, 200};
            QCOMPARE(readBytes(grey.bytes()).pixels, (Bytes{7, 7, 7, 200, 200, 200}));
            Tiff deep{bigEndian, 1, 1, 3, 16, 2};
            deep.pixels = joined(
                {number(0xabcd, 2, bigEndian), number(0x1234, 2, bigEndian), number(0xff, 2, bigEndian)});
            const Clip clip = readBytes(deep.bytes());
            QCOMPARE(clip.pixels, (Bytes{0xab, 0x12, 0}));
            QVERIFY(hasNote(clip, "16 bits"));
        }
    }

    void alphaOfATiffIsDroppedNotBlended()
    {
        Tiff tiff{false, 1, 1, 4};
        tiff.pixels = {20, 10, 5, 51};
        tiff.extraSamples = 2;
        const Clip straight = readBytes(tiff.bytes());
        QCOMPARE(straight.pixels, (Bytes{20, 10, 5}));
        QVERIFY(hasNote(straight, "transparency"));
        tiff.extraSamples = 1;  // premultiplied: what the colours were before
        const Clip divided = readBytes(tiff.bytes());
        QCOMPARE(divided.pixels, (Bytes{100, 50, 25}));
        QVERIFY(hasNote(divided, "transparency"));
    }

    void orientationOfATiffIsAppliedOnce()
    {
        Tiff tiff{false, 2, 1};
        tiff.orientation = 3;
        tiff.pixels = {1, 2, 3, 4, 5, 6};
        const Clip turned = readBytes(tiff.bytes());
        QCOMPARE(turned.pixels, (Bytes{4, 5, 6, 1, 2, 3}));
        QCOMPARE(readBytes(tiff.bytes(), Orientation::Apply).pixels, turned.pixels);
        tiff.orientation = 6;
        QCOMPARE(readBytes(tiff.bytes()).height, 2);
    }

    void formatGoesByContent()
    {
        Folder folder;
        const auto wrong = folder.path() / "photo.bmp";
        fs::copy(images / "webp_333x250.webp", wrong);
        QCOMPARE(readImage(wrong).format, "WebP");
    }

    void whatIsDroppedIsNoted()
    {
        QVERIFY(hasNote(readImage(images / "rgb16_190x210.png"), "16 bits"));
        QVERIFY(hasNote(readImage(images / "gray16_300x280.png"), "were clipped to white"));
        QVERIFY(hasNote(readImage(images / "rgba_320x260.png"), "transparency"));
        QVERIFY(hasNote(readImage(images / "palette_transparent_240x310.png"), "transparency"));
        QVERIFY(hasNote(readImage(images / "cmyk_310x270.jpg"), "CMYK"));
        QVERIFY(readImage(images / "square_224.png").notes.empty());
    }

    void orientationIsNotedOrApplied()
    {
        const auto path = images / "exif_orientation_6_300x200.jpg";
        const Clip asStored = readImage(path);
        QCOMPARE(asStored.width, 300);
        QVERIFY(hasNote(asStored, "orientation 6) was ignored"));
        const Clip upright = readImage(path, {Orientation::Apply, {}});
        QCOMPARE(upright.width, 200);
        QVERIFY(hasNote(upright, "rotated upright"));
    }

    void orientationsTurnAsExifDefines_data()
    {
        // `turned`: of "abc/def"
        columns<int, QString>("orientation", "turned");
        row("upright", 1, "abc/def");
        row("mirrored", 2, "cba/fed");
        row("upside down", 3, "fed/cba");
        row("flipped", 4, "def/abc");
        row("transposed", 5, "ad/be/cf");
        row("clockwise", 6, "da/eb/fc");
        row("transversed", 7, "fc/eb/da");
        row("counterclockwise", 8, "cf/be/ad");
    }

    void orientationsTurnAsExifDefines()
    {
        QFETCH(int, orientation);
        QFETCH(QString, turned);
        Clip clip{2, 2, 3, {}, {}, {}};
        for (const char c : std::string("abcdefabcdef"))
            append(clip.pixels, Bytes(3, uint8_t(c)));
        applyOrientation(clip, orientation);
        for (int64_t t = 0; t < 2; ++t) {
            QString found;
            for (int64_t i = 0; i < 6; ++i) {
                found += i > 0 && i % clip.width == 0 ? "/" : "";
                found += QChar(clip.frame(t)[i * 3 + 2]);
            }
            QCOMPARE(found, turned);
        }
    }

    void exifIsReadInBothByteOrdersAndNeverRefused()
    {
        for (const bool bigEndian : {false, true}) {
            Tiff block{bigEndian};
            block.orientation = 7;
            const Bytes bytes = block.bytes();
            QCOMPARE(exifOrientation(bytes), 7);
            QCOMPARE(exifOrientation(joined({text("Exif"), {0, 0}, bytes})), 7);
            for (size_t length = 0; length < bytes.size(); ++length) {
                const int found = exifOrientation(std::span(bytes).first(length));
                QVERIFY(found == 1 || found == 7);
            }
            block.orientation = 9;
            QCOMPARE(exifOrientation(block.bytes()), 1);
            QCOMPARE(exifOrientation(Tiff{bigEndian}.bytes()), 1);
        }
        // A directory beyond the end of the address space of 32 bits.
        QCOMPARE(exifOrientation(joined({text("II"), {42, 0}, little32(0xffffffff)})), 1);
    }

    void animatedPngGivesItsStillPicture()
    {
        const Bytes still = file(images / "square_224.png");
        Bytes animated(still.begin(), still.begin() + 33);
        append(animated, pngChunk("acTL", joined({big32(1'000'000), big32(0)})));
        animated.insert(animated.end(), still.begin() + 33, still.end());
        const Clip clip = readBytes(animated);
        QCOMPARE(clip.pixels, readBytes(still).pixels);
        QVERIFY(hasNote(clip, "animation"));
    }

    void missingFilesFoldersAndPipesAreRefusedAtOnce()
    {
        Folder folder;
        const fs::path base = folder.path();
        QCOMPARE(::mkfifo((base / "pipe.jpg").c_str(), 0600), 0);
        QElapsedTimer timer;
        timer.start();
        SAYS(refusal(base / "pipe.jpg"), "not a regular file");
        SAYS(refusal("/dev/zero"), "not a regular file");
        SAYS(refusal(base), "this is a folder");
        SAYS(refusal(base / "none.jpg"), "No such file");
        QVERIFY(!contains(refusal(base / "a\nb.jpg"), "\n"));
        QVERIFY(timer.elapsed() < 100);
    }

    void fileBeyondTheByteLimitIsRefusedUnread()
    {
        Folder folder;
        const auto path = folder.path() / "sparse.png";
        std::ofstream(path) << "\x89PNG\r\n\x1a\n";
        fs::resize_file(path, std::uintmax_t{1} << 40);
        QElapsedTimer timer;
        timer.start();
        SAYS(refusal(path), "the limit for an image is 512 MiB");
        QVERIFY(timer.elapsed() < 100);
    }

    void fileDescriptorsThatLackAreNoFaultOfTheImage()
    {
        const fs::path image = images / "square_224.png";
        const int lowestFree = ::dup(0);
        ::close(lowestFree);
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
        const rlimit few{static_cast<rlim_t>(lowestFree), before.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &few), 0);
        std::string refused;
        try {
            readImage(image);
        } catch (const Unsupported& error) {  // FileError would be stored as an unreadable sample
            refused = error.what();
        } catch (const std::exception&) {
        }
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &before), 0);
        SAYS(refused, "it cannot be read now, as no more files can be opened; raise the limit of open files "
                      "(ulimit -n, now ");
        QVERIFY(readImage(image).width > 0);
    }
};

ATTNSCOPE_TEST(TestImageReader)
#include "tst_image_reader.moc"
