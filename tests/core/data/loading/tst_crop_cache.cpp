#include "core/base/error.h"
#include "core/base/fast_checksum.h"
#include "core/data/loading/crop_cache.h"

#include "tests/support/folder.h"
#include "tests/support/signal_process.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QFile>
#include <QThread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <system_error>
#include <thread>

using namespace attnscope;
using attnscope::test::signalProcess;

namespace {

constexpr size_t cropBytes = 3 * 20 * 20;
constexpr int images = 40;

using Crop = std::vector<uint8_t>;

/// Of image i.
Crop cropOf(int i)
{
    Crop crop(cropBytes);
    for (size_t at = 0; at < crop.size(); ++at)
        crop[at] = uint8_t(at * 7 + at / 256 + size_t(i) * 31);
    return crop;
}

std::vector<fs::path> filesIn(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::string contentOf(const fs::path& path)
{
    QFile file(path.c_str());
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

void put(const fs::path& path, const std::string& content)
{
    QFile file(path.c_str());
    if (!file.open(QIODevice::WriteOnly)
        || file.write(content.data(), qint64(content.size())) != qint64(content.size()))
        qFatal("%s cannot be written", path.c_str());
}

}

class TestCropCache : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        fs::create_directories(m_folder / "pictures");
        for (int i = 0; i < images; ++i)
            put(image(i), "picture " + std::to_string(i));
        QVERIFY(!imageIdentity(image(0)));
        QTest::qSleep(2100);  // until their times count
        QVERIFY(imageIdentity(image(0)));
    }

    void whatWasKeptIsFoundByTheNext()
    {
        {
            CropCache cache(options("plain"));
            QCOMPARE(foundIn(cache), 0);
            keepAll(cache);
            keepAll(cache);  // a second time changes nothing
        }
        QCOMPARE(filesIn(options("plain").folder).size(), size_t(images / 8));
        CropCache cache(options("plain"));
        QCOMPARE(foundIn(cache), images);
        QCOMPARE(cache.found(), int64_t(images));
        keepAll(cache);
        cache.finish();
        QCOMPARE(filesIn(options("plain").folder).size(), size_t(images / 8));
        QVERIFY(cache.takeMessage().empty());
    }

    void anotherDescriptionFindsNothing()
    {
        {
            CropCache cache(options("described"));
            keepAll(cache);
        }
        CropCache::Options other = options("described");
        other.description = "test, another transform";
        CropCache cache(other);
        QCOMPARE(foundIn(cache), 0);
        CropCache::Options larger = options("described");
        larger.cropBytes *= 2;
        CropCache second(larger);
        Crop crop(larger.cropBytes);
        QVERIFY(!second.find(identity(0), crop));
        QVERIFY(!filesIn(options("described").folder).empty());
    }

    // Other content of the same size, longer content, and another file under the name, each with its times set back.
    void changedPicturesAreNotFound()
    {
        CropCache cache(options("changed"));
        keepAll(cache);
        cache.finish();
        for (int i = 0; i < 3; ++i) {
            struct stat status {};
            QCOMPARE(::stat(image(i).c_str(), &status), 0);
            if (i == 2)
                fs::remove(image(i));
            put(image(i), (i == 1 ? "longer picture " : "PICTURE ") + std::to_string(i));
            const timespec times[2] = {status.st_atim, status.st_mtim};
            QCOMPARE(::utimensat(AT_FDCWD, image(i).c_str(), times, 0), 0);
        }
        QTest::qSleep(2100);
        CropCache next(options("changed"));
        for (int i = 0; i < images; ++i) {
            Crop crop(cropBytes);
            QCOMPARE(next.find(identity(i), crop), i > 2);
        }
    }

    void pictureThatJustChangedHasNoIdentity()
    {
        put(m_folder / "young.jpg", "young");
        QVERIFY(!imageIdentity(m_folder / "young.jpg"));
        QVERIFY(!imageIdentity(m_folder / "missing.jpg"));
        QVERIFY(!imageIdentity(m_folder.path()));
    }

    void pictureThatChangedMeanwhileIsNotKept()
    {
        {
            CropCache cache(options("meanwhile"));
            cache.keep(image(1), identity(2), cropOf(1));
            put(m_folder / "young.jpg", "young");
            cache.keep(m_folder / "young.jpg", identity(3), cropOf(3));
        }
        CropCache cache(options("meanwhile"));
        QCOMPARE(foundIn(cache), 0);
    }

    // Every byte of a file, one at a time.
    void damagedFilesGiveTheRightCropOrNone()
    {
        CropCache::Options small = options("damaged");
        small.fileImages = 2;
        {
            CropCache cache(small);
            keepAll(cache, 0, 2);
        }
        const fs::path file = filesIn(small.folder).front();
        const std::string whole = contentOf(file);
        int damaged = 0, tried = 0;
        for (size_t at = 0; at < whole.size(); at += at < 64 ? 1 : at > whole.size() - 400 ? 3 : 59) {
            std::string broken = whole;
            broken[at] = char(broken[at] ^ (1 << at % 8));
            put(file, broken);
            CropCache cache(small);
            const int found = foundIn(cache);
            QVERIFY2(found >= 0, qPrintable(QString("wrong crop, byte %1").arg(at)));
            damaged += found < 2 ? 1 : 0;
            ++tried;
            if (found < 2)
                QVERIFY2(!fs::exists(file), qPrintable(QString::number(at)));
        }
        qInfo("%d of %d damages mattered", damaged, tried);
        QVERIFY(damaged > 100 && damaged < tried);  // there is room between the slots
        put(file, whole);
        CropCache cache(small);
        QCOMPARE(foundIn(cache), 2);
    }

    void cutFilesGiveTheRightCropOrNone()
    {
        CropCache::Options small = options("cut");
        small.fileImages = 2;
        {
            CropCache cache(small);
            keepAll(cache, 0, 2);
        }
        const fs::path file = filesIn(small.folder).front();
        const std::string whole = contentOf(file);
        for (size_t bytes = 0; bytes < whole.size(); bytes += 61) {
            put(file, whole.substr(0, bytes));
            CropCache cache(small);
            QCOMPARE(foundIn(cache), 0);
            QVERIFY(!fs::exists(file));
        }
        // Shrunk while it is in use.
        put(file, whole);
        CropCache cache(small);
        QCOMPARE(::truncate(file.c_str(), 100), 0);
        QCOMPARE(foundIn(cache), 0);
        keepAll(cache, 0, 2);
        cache.finish();
        CropCache next(small);
        QCOMPARE(foundIn(next), 2);
    }

    void exchangedSlotsAreNotGiven()
    {
        CropCache::Options small = options("exchanged");
        small.fileImages = 2;
        {
            CropCache cache(small);
            keepAll(cache, 0, 2);
        }
        const fs::path file = filesIn(small.folder).front();
        std::string content = contentOf(file);
        std::swap_ranges(content.begin() + 4096, content.begin() + 4096 + cropBytes, content.begin() + 8192);
        put(file, content);
        CropCache cache(small);
        QCOMPARE(foundIn(cache), 0);
    }

    void killedWriterLeavesNoTrace()
    {
        for (int moment = 0; moment < 12; ++moment) {
            std::array<int, 2> ends{};
            QCOMPARE(::pipe(ends.data()), 0);
            const pid_t child = ::fork();
            if (child == 0) {
                CropCache cache(options("killed"));
                for (int i = 0; i < images; ++i) {
                    cache.keep(image(i), identity(i), cropOf(i));
                    if (::write(ends[1], "x", 1) != 1)
                        break;
                }
                ::pause();
            }
            char one = 0;
            for (int i = 0; i <= moment * 3; ++i)
                QCOMPARE(::read(ends[0], &one, 1), ssize_t(1));
            signalProcess(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
            ::close(ends[0]);
            ::close(ends[1]);
            CropCache cache(options("killed"));
            QVERIFY(foundIn(cache) >= 0);
            for (const fs::path& file : filesIn(options("killed").folder))
                QCOMPARE(file.extension().string(), std::string(cropFileSuffix));
        }
        CropCache cache(options("killed"));
        keepAll(cache);
        cache.finish();
        CropCache next(options("killed"));
        QCOMPARE(foundIn(next), images);
    }

    void unfinishedFileOfALivingWriterIsLeftAlone()
    {
        CropCache first(options("living"));
        keepAll(first, 0, 3);
        CropCache second(options("living"));
        QCOMPARE(filesIn(options("living").folder).size(), size_t(1));
        first.finish();
        CropCache third(options("living"));
        QCOMPARE(foundIn(third), 3);
    }

    /// Another process looks for abandoned files all the time, also between the making of a file and its lock.
    void fileIsNotTakenForAbandonedWhileItIsMade()
    {
        const fs::path folder = options("contended").folder;
        fs::create_directories(folder);
        std::atomic<bool> done = false;
        std::vector<std::jthread> others;
        for (int i = 0; i < 2; ++i)
            others.emplace_back([&] {
                while (!done)
                    CropFileWriter::removeAbandoned(folder);
            });
        int lost = 0;
        for (int i = 0; i < 3000; ++i) {
            CropFileWriter writer(folder, "stem", "test", cropBytes);
            writer.add("key", cropOf(i));
            try {
                fs::remove(writer.finish());
            } catch (const std::system_error&) {
                ++lost;
            }
        }
        done = true;
        QCOMPARE(lost, 0);
    }

    void processesAndThreadsShareAFolder()
    {
#ifdef __SANITIZE_THREAD__
        QSKIP("The thread sanitizer cannot follow the threads of a forked process.");
#endif
        std::vector<pid_t> children;
        for (int process = 0; process < 3; ++process) {
            const pid_t child = ::fork();
            if (child == 0) {
                bool right = true;
                {
                    CropCache cache(options("shared"));
                    std::atomic<bool> wrong = false;
                    std::vector<std::jthread> threads;
                    for (int thread = 0; thread < 3; ++thread)
                        threads.emplace_back([&, thread] {
                            for (int round = 0; round < 20; ++round)
                                for (int i = thread; i < images; i += 2) {
                                    Crop crop(cropBytes);
                                    if (cache.find(identity(i), crop))
                                        wrong = wrong || crop != cropOf(i);
                                    else
                                        cache.keep(image(i), identity(i), cropOf(i));
                                }
                        });
                    threads.clear();
                    right = !wrong;
                }
                ::_exit(right ? 0 : 1);
            }
            children.push_back(child);
        }
        for (const pid_t child : children) {
            int status = 0;
            QCOMPARE(::waitpid(child, &status, 0), child);
            QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        }
        CropCache cache(options("shared"));
        QCOMPARE(foundIn(cache), images);
    }

    void folderStaysWithinItsBytes()
    {
        CropCache::Options tight = options("tight");
        tight.bytes = 3 * 8 * 5000;  // of a page and a bit a slot: two files of eight
        CropCache cache(tight);
        keepAll(cache);
        cache.finish();
        const std::string message = cache.takeMessage();
        SAYS(message, "has reached its limit");
        QVERIFY(cache.takeMessage().empty());
        std::uintmax_t bytes = 0;
        for (const fs::path& file : filesIn(tight.folder))
            bytes += fs::file_size(file);
        QVERIFY(bytes > 0 && bytes <= std::uintmax_t(tight.bytes));
        CropCache next(tight);
        const int found = foundIn(next);
        QVERIFY2(found >= 16 && found < images, qPrintable(QString::number(found)));
    }

    void filesOfNoUseMakeRoomFirst()
    {
        CropCache::Options other = options("lru");
        other.description = "of long ago";
        {
            CropCache old(other);
            keepAll(old, 0, 16);
        }
        CropCache::Options tight = options("lru");
        tight.bytes = 3 * 8 * 5000;
        {
            CropCache cache(tight);
            keepAll(cache, 0, 16);
            QVERIFY(cache.takeMessage().empty());
        }
        CropCache kept(tight);
        QCOMPARE(foundIn(kept), 16);
        CropCache gone(other);
        QVERIFY(foundIn(gone) < 16);
    }

    void fullDiskIsSaidOnce()
    {
        // A file that must not grow is as good as a full disk.
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        const auto handler = ::signal(SIGXFSZ, SIG_IGN);
        CropCache cache(options("full"));
        keepAll(cache, 0, 9);  // a whole file and the first of another
        const rlimit small{20'000, before.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
        keepAll(cache, 9, images);
        ::setrlimit(RLIMIT_FSIZE, &before);
        ::signal(SIGXFSZ, handler);
        const std::string message = cache.takeMessage();
        qInfo("%s", message.c_str());
        SAYS(message, "it cannot be written (File too large); the evaluation continues without it.");
        keepAll(cache);
        QVERIFY(cache.takeMessage().empty());
        CropCache next(options("full"));
        QCOMPARE(foundIn(next), 8);
        QCOMPARE(filesIn(options("full").folder).size(), size_t(1));
    }

    void diskThatWouldBeFilledIsSaid()
    {
        CropCache::Options greedy = options("greedy");
        greedy.leaveFree = int64_t{1} << 60;
        CropCache cache(greedy);
        keepAll(cache);
        const std::string message = cache.takeMessage();
        SAYS(message, "would remain free on its disk");
        QVERIFY(filesIn(greedy.folder).empty());
    }

    void folderThatIsNoneIsRefused()
    {
        put(m_folder / "file", "x");
        THROWS(FileError, CropCache(options("file")));
        THROWS(FileError, CropCache(options("file/below")));
    }

    void checksumNoticesEveryBit()
    {
        for (const size_t size : {1, 7, 8, 63, 64, 65, 200}) {
            Crop bytes = cropOf(3);
            bytes.resize(size);
            const uint64_t right = fastChecksum(bytes, 9);
            for (size_t bit = 0; bit < size * 8; ++bit) {
                bytes[bit / 8] ^= uint8_t(1 << bit % 8);
                QVERIFY(fastChecksum(bytes, 9) != right);
                bytes[bit / 8] ^= uint8_t(1 << bit % 8);
            }
            QVERIFY(fastChecksum(bytes, 9) == right && fastChecksum(bytes, 8) != right);
            bytes.push_back(0);
            QVERIFY(fastChecksum(bytes, 9) != right);
        }
    }

private:
    std::string image(int i) const
    {
        return m_folder / ("pictures/" + std::to_string(i) + ".jpg");
    }
    std::string identity(int i) const
    {
        return *imageIdentity(image(i));
    }
    CropCache::Options options(const char* folder) const
    {
        CropCache::Options options;
        options.folder = m_folder / folder;
        options.description = "test";
        options.cropBytes = cropBytes;
        options.leaveFree = 0;
        options.fileImages = 8;
        return options;
    }
    void keepAll(CropCache& cache, int first = 0, int end = images) const
    {
        for (int i = first; i < end; ++i)
            cache.keep(image(i), identity(i), cropOf(i));
    }
    /// How many are found; wrong ones fail.
    int foundIn(CropCache& cache) const
    {
        int found = 0;
        for (int i = 0; i < images; ++i) {
            Crop crop(cropBytes);
            if (!cache.find(identity(i), crop))
                continue;
            ++found;
            if (crop != cropOf(i))
                return -1;
        }
        return found;
    }

    Folder m_folder;
};

ATTNSCOPE_TEST(TestCropCache)
#include "tst_crop_cache.moc"
