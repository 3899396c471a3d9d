#include "core/base/error.h"
#include "core/base/process/process_limit.h"
#include "core/media/image/decoder_process.h"
#include "core/media/image/decoder_protocol.h"
#include "image_bytes.h"

#include "tests/support/folder.h"
#include "tests/support/signal_process.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <random>
#include <thread>

using namespace attnscope;
using namespace image;
using attnscope::test::signalProcess;
using std::chrono::milliseconds;

namespace {

const fs::path images = fs::path(TEST_DATA_DIR) / "preprocess/images";
const fs::path photo = images / "jpeg_progressive_300x400.jpg";

DecoderOptions real(milliseconds deadline = milliseconds(10'000))
{
    DecoderOptions options;
    options.program = ATTNSCOPE_DECODER_PROGRAM;
    options.deadline = deadline;
    return options;
}

/// The misbehaving program; `mode` holds while this lives.
struct Double {
    explicit Double(const QByteArray& mode) { qputenv("ATTNSCOPE_DOUBLE", mode); }
    ~Double() { qunsetenv("ATTNSCOPE_DOUBLE"); }

    DecoderOptions options() const
    {
        DecoderOptions options;
        options.program = ATTNSCOPE_DECODER_DOUBLE;
        options.deadline = milliseconds(400);
        options.startDeadline = milliseconds(400);
        return options;
    }
};

/// The sentence of a refusal; empty when the image was read.
/// The sentence, and why where it was the decoder.
std::string refusal(const std::function<void()>& read, DecoderFailure::Cause* cause = nullptr)
{
    try {
        read();
        return {};
    } catch (const DecoderFailure& error) {
        if (cause != nullptr)
            *cause = error.cause();
        return error.what();
    } catch (const Error& error) {
        return error.what();
    }
}

std::vector<fs::path> goldens()
{
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(images))
        paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

size_t openFiles()
{
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator("/proc/self/fd"))
        count += entry.path().empty() ? 0 : 1;
    return count;
}

size_t mappings()
{
    std::ifstream maps("/proc/self/maps");
    return size_t(std::count(std::istreambuf_iterator<char>(maps), {}, '\n'));
}

bool hasChildren()
{
    return ::waitpid(-1, nullptr, WNOHANG) >= 0;
}

}

/// Kills the process at a moment of its own: while it has nothing to do, surely in the middle of an image, or any
/// time.
class Killer {
public:
    Killer(pid_t pid, int round, std::mt19937& random)
    {
        if (round % 5 == 0) {
            signalProcess(pid, SIGKILL);
            siginfo_t info{};
            ::waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT);
            return;
        }
        if (round % 5 == 1)
            signalProcess(pid, SIGSTOP);
        m_thread = std::jthread([pid, delay = std::chrono::microseconds(random() % 8000)] {
            std::this_thread::sleep_for(delay);
            signalProcess(pid, SIGKILL);
        });
    }
    void wait()
    {
        if (m_thread.joinable())
            m_thread.join();
    }

private:
    std::jthread m_thread;
};

class TestDecoderProcess : public QObject {
    Q_OBJECT

private slots:
    void picturesAndRefusalsAreThoseOfThisProcess_data()
    {
        columns<QString>("path");
        for (const fs::path& path : goldens())
            row(path.filename().string(), path.string());
        row("missing", "/nonexistent/picture.jpg");
        row("folder", images.string());
    }

    void picturesAndRefusalsAreThoseOfThisProcess()
    {
        QFETCH(QString, path);
        if (!m_decoder)
            m_decoder = std::make_unique<DecoderProcess>(real());
        DecoderProcess& decoder = *m_decoder;
        for (const Orientation orientation : {Orientation::Ignore, Orientation::Apply}) {
            const ImageReadOptions options{orientation, {}};
            Clip here, there;
            const std::string refusedHere = refusal(
                [&] { here = readImage(fs::path(path.toStdString()), options); });
            const std::string refusedThere = refusal(
                [&] { there = decoder.read(fs::path(path.toStdString()), options); });
            QCOMPARE(refusedThere, refusedHere);
            QCOMPARE(there.width, here.width);
            QCOMPARE(there.height, here.height);
            QCOMPARE(there.notes, here.notes);
            QVERIFY(there.pixels == here.pixels);
            QVERIFY(!refusedHere.empty() || here.pixels.size() == size_t(here.width * here.height * 3));
        }
    }

    void crashOfADecoderCostsOnePicture()
    {
        DecoderProcess decoder(real());
        const Clip expected = decoder.read(photo);
        const pid_t first = decoder.pid();
        signalProcess(first, SIGSTOP);  // so that the crash surely meets an image in work
        std::thread crash([first] {
            std::this_thread::sleep_for(milliseconds(50));
            signalProcess(first, SIGABRT);
            signalProcess(first, SIGCONT);
        });
        DecoderFailure::Cause cause{};
        const std::string sentence = refusal([&] { decoder.read(file(photo), "scan.jpg"); }, &cause);
        crash.join();
        QCOMPARE(sentence, "scan.jpg: the image decoder crashed on it (signal 6); export the image "
                           "again with another program.");
        QCOMPARE(cause, DecoderFailure::Cause::Died);
        QVERIFY(decoder.read(photo).pixels == expected.pixels);
        QVERIFY(decoder.pid() != first);
    }

    // These 133 bytes end any process that hands them to OpenCV with its DICOM decoder, by an assertion; the gate,
    // which would refuse them, is passed by here. That decoder works on a temporary file, which the filter of system
    // calls does not let it make.
    void bytesThatEndADecoderCostOnePicture()
    {
        DecoderProcess decoder(real());
        const Clip expected = decoder.read(photo);
        const DecoderInfo details = decoder.info();
        const bool filtered =
            std::count(details.protections.begin(), details.protections.end(), "system call filter") == 1;
        for (const Bytes& start :
             {Bytes{}, joined({text("RIFF"), little32(125), text("WEBPVP8 ")}), text("GIF89a")}) {
            std::vector<uint8_t> pixels;
            DecodeOutcome outcome = DecodeOutcome::Damaged;
            const std::string sentence = refusal([&] {
                outcome = decoder.decode(
                    dicom(start), {4, 4}, {0, 0, 4, 4}, "scan.jpg", {},
                    [&](std::span<const uint8_t> from) { pixels.assign(from.begin(), from.end()); });
            });
            QVERIFY2(filtered ? sentence.empty() : contains(sentence, "crashed on it (signal 6)"),
                     sentence.c_str());
            QVERIFY(outcome == DecodeOutcome::Damaged && pixels.empty());
            QVERIFY(decoder.read(photo).pixels == expected.pixels);
        }
    }

    void killsCostAtMostThePictureInWork()
    {
        DecoderProcess decoder(real());
        const Clip expected = decoder.read(photo);
        std::mt19937 random(7);
        int lost = 0;
        for (int round = 0; round < 50; ++round) {
            Killer killer(decoder.pid(), round, random);
            int refused = 0;
            for (int i = 0; i < 4; ++i) {
                Clip clip;
                DecoderFailure::Cause cause{};
                const std::string sentence = refusal([&] { clip = decoder.read(photo); }, &cause);
                killer.wait();
                refused += sentence.empty() ? 0 : 1;
                QVERIFY(sentence.empty() || cause == DecoderFailure::Cause::Killed);
                QVERIFY2(sentence.empty() ? clip.pixels == expected.pixels
                                          : contains(sentence, "crashed on it (signal 9)"),
                         sentence.c_str());
            }
            QVERIFY(refused <= (round % 5 == 0 ? 0 : 1));
            lost += refused;
        }
        QVERIFY2(lost >= 10 && lost <= 40, qPrintable(QString("%1 of 50 kills met a picture in work").arg(lost)));
    }

    void hangEndsAtTheDeadline()
    {
        DecoderProcess decoder(real(milliseconds(300)));
        const Clip expected = decoder.read(photo);
        signalProcess(decoder.pid(), SIGSTOP);
        QElapsedTimer timer;
        timer.start();
        DecoderFailure::Cause cause{};
        const std::string sentence = refusal([&] { decoder.read(photo); }, &cause);
        SAYS(sentence, "decoding it took longer than 0.3 s; export the image");
        QCOMPARE(cause, DecoderFailure::Cause::Slow);
        QVERIFY2(timer.elapsed() >= 300 && timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY(decoder.read(photo).pixels == expected.pixels);
    }

    void misbehaviourIsOneSentence_data()
    {
        columns<QString>("says");
        row("ends at start", "the image decoder exited during startup (exit code 3); reinstall");
        row("never ready", "the image decoder was not ready after 0.4 s; reinstall");
        row("another version", "this is not the image decoder of this version of Attnscope; reinstall");
        row("other greeting", "this is not the image decoder of this version of Attnscope; reinstall");
        row("answers before it is asked", "photo.jpg: the image decoder returned an invalid reply for it; export");
        row("ends while idle", "photo.jpg: the image decoder ");
        row("aborts", "photo.jpg: the image decoder crashed on it (signal 6); export");
        row("exits", "photo.jpg: the image decoder crashed on it (exit code 4); export");
        row("closes and stays", "photo.jpg: the image decoder returned an invalid reply for it; export");
        row("hangs", "photo.jpg: decoding it took longer than 0.4 s; export");
        row("shrinks the memory", "");
        row("short answer", "photo.jpg: the image decoder returned an invalid reply for it; export");
        row("long answer", "photo.jpg: the image decoder returned an invalid reply for it; export");
        row("empty answer", "photo.jpg: the image decoder returned an invalid reply for it; export");
        row("endless answers", "photo.jpg: the image decoder returned an invalid reply for it; export");
        row("unknown outcome", "photo.jpg: the image decoder returned an invalid reply for it; export");
    }

    void misbehaviourIsOneSentence()
    {
        QFETCH(QString, says);
        const Double misbehaving(currentDataTag());
        DecoderProcess decoder(misbehaving.options());
        const Bytes jpeg = file(photo);
        for (int image = 0; image < 2; ++image) {
            QElapsedTimer timer;
            timer.start();
            const std::string sentence = refusal([&] {
                const Clip clip = decoder.read(jpeg, "photo.jpg");
                QCOMPARE(clip.pixels.size(), size_t(300 * 400 * 3));
            });
            QVERIFY2(says.isEmpty() ? sentence.empty() : contains(sentence, says), sentence.c_str());
            QCOMPARE_LT(timer.elapsed(), 2000);
        }
    }

    void deathWhileIdleCostsNothing()
    {
        DecoderProcess decoder(real());
        const Clip expected = decoder.read(photo);
        const pid_t first = decoder.pid();
        signalProcess(first, SIGKILL);
        // Dead, but not yet waited for: WNOWAIT leaves that to the decoder.
        siginfo_t info{};
        QCOMPARE(::waitid(P_PID, id_t(first), &info, WEXITED | WNOWAIT), 0);
        QVERIFY(decoder.read(photo).pixels == expected.pixels);
        QVERIFY(decoder.pid() != first);
    }

    void endOfTheStartingThreadCostsNothing()
    {
        DecoderProcess decoder(real());
        Clip expected;
        std::thread([&] { expected = decoder.read(photo); }).join();
        const pid_t first = decoder.pid();
        QVERIFY(decoder.read(photo).pixels == expected.pixels);
        QCOMPARE(decoder.pid(), first);
    }

    void itEndsWithItsClient()
    {
        SharedMemory memory;
        StartedDecoder started = startDecoderProgram(imageDecoder, ATTNSCOPE_DECODER_PROGRAM, memory.fileNumber(),
                                                     {"1000000", "1000000", "1000"});
        decoder_protocol::Hello hello;
        QCOMPARE(::recv(started.socket.number(), &hello, sizeof hello, 0), ssize_t(sizeof hello));
        started.socket.close();  // what the kernel does for a client that was killed
        int status = -1;
        QCOMPARE(::waitpid(started.pid, &status, 0), started.pid);
        QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }

    void signalsOfATerminalPassItBy()
    {
        DecoderProcess decoder(real());
        decoder.read(photo);
        const pid_t first = decoder.pid();
        for (const int signal : {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGTSTP})
            signalProcess(first, signal);
        decoder.read(photo);
        QCOMPARE(decoder.pid(), first);
    }

    void threadsTakeTurns()
    {
        DecoderProcess decoder(real());
        const Clip a = readImage(photo), b = readImage(images / "rgba_320x260.png");
        std::atomic<int> wrong = 0;
        const auto reader = [&](const fs::path& path, const Clip& expected) {
            for (int i = 0; i < 50; ++i)
                wrong += decoder.read(path).pixels == expected.pixels ? 0 : 1;
        };
        {
            std::jthread one(reader, photo, std::cref(a));
            std::jthread two(reader, images / "rgba_320x260.png", std::cref(b));
        }
        QCOMPARE(wrong.load(), 0);
    }

    void largerLimitsStartAnotherProcess()
    {
        DecoderProcess decoder(real());
        ImageReadOptions options;
        options.limits.imagePixels = 300 * 400;
        decoder.read(photo, options);
        const pid_t first = decoder.pid();
        decoder.read(photo, options);
        QCOMPARE(decoder.pid(), first);
        options.limits.imagePixels = 500 * 400;
        decoder.read(photo, options);
        QVERIFY(decoder.pid() != first);
        // A large image after small ones: the shared memory grows under the running process.
        const Bytes large = bmp(4000, 3000, 24, Bytes(size_t(4000 * 3000 * 3), 0x55));
        QVERIFY(decoder.read(large, "large.bmp").pixels == Bytes(size_t(4000 * 3000 * 3), 0x55));
        QCOMPARE(decoder.read(photo).width, 300);
    }

    void vanishedWorkingFolderDoesNotMatter()
    {
        const fs::path before = fs::current_path();
        {
            const Folder gone;
            fs::current_path(gone.path());
        }
        DecoderProcess decoder(real());
        const std::string sentence = refusal([&] { decoder.read(photo); });
        fs::current_path(before);
        QCOMPARE(sentence, std::string());
    }

    void programThatIsMissingIsSaid()
    {
        qputenv("ATTNSCOPE_DECODER", "/nonexistent/decoder");
        QCOMPARE(refusal([] { DecoderProcess().read(photo); }),
                 "/nonexistent/decoder: ATTNSCOPE_DECODER specifies it as the image decoder, but it is not an "
                 "executable program; unset "
                 "the variable, or set it to an attnscope-decoder.");
        qunsetenv("ATTNSCOPE_DECODER");
        REFUSES(Error, DecoderProcess().read(photo),
                "attnscope-decoder: the image decoder program is neither next to this one (");
        // A file that is executable, but no program.
        const Folder folder;
        const std::string script = folder / "decoder";
        std::ofstream(script) << "not a program";
        fs::permissions(script, fs::perms::owner_all);
        DecoderOptions options;
        options.program = script;
        const std::string other = refusal([&] { DecoderProcess(options).read(photo); });
        SAYS(other, "the image decoder cannot be started (Exec format error); reinstall");
    }

    void limitsThatRefuseItAreNamed()
    {
        // The first number that is free now: nothing can be opened below it.
        const auto lowestFree = [] {
            const int found = ::dup(0);
            ::close(found);
            return static_cast<rlim_t>(found);
        };
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
        const auto refusalAtTheLimit = [&](const auto& action) {
            const rlimit few{lowestFree(), before.rlim_max};
            ::setrlimit(RLIMIT_NOFILE, &few);
            const std::string text = refusal(action);
            ::setrlimit(RLIMIT_NOFILE, &before);
            return text;
        };
        DecoderProcess decoder(real());
        const std::string starting = refusalAtTheLimit([&] { decoder.start(Limits()); });
        SAYS(starting, "no more files can be opened; raise the limit of open files (ulimit -n, now ");
        const std::string sharing = refusalAtTheLimit([] { DecoderProcess another(real()); });
        SAYS(sharing, "ulimit -n");
        decoder.start(Limits());  // the limit is gone
        const Folder folder;
        DecoderOptions unloadable;
        unloadable.program = folder / "decoder";
        std::ofstream(unloadable.program) << "#!/bin/sh\nexit 127\n";
        fs::permissions(unloadable.program, fs::perms::owner_all);
        const std::string loading = refusal([&] { DecoderProcess(unloadable).read(photo); });
        SAYS(loading,
             "the libraries of the image decoder could not be loaded; raise the limits of memory (ulimit -v)");
        const auto processes = reachedLimit(EAGAIN);
        QVERIFY(processes && processes->remedy.find("ulimit -u") != std::string::npos);
        QVERIFY(!reachedLimit(ENOENT));
    }

    void rightsAreGivenUp_data()
    {
        columns<QStringList>("of");
        row("images", QStringList{});
        row("videos", QStringList{"videos"});
    }

    void rightsAreGivenUp()
    {
        QFETCH(QStringList, of);
        const Folder folder;
        QProcess probe;
        probe.start(ATTNSCOPE_LOCKDOWN_PROBE, QStringList{QString::fromStdString(folder / "new")} + of);
        QVERIFY(probe.waitForFinished());
        const QByteArray said = probe.readAllStandardOutput();
        if (said == "no filter of system calls here\n" && probe.exitCode() == 0)
            QSKIP("this system or processor has no filter of system calls");
        QCOMPARE(said, QByteArray("done\n"));
        QCOMPARE(probe.exitCode(), 0);
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    void factsNameTheProtections()
    {
        DecoderProcess decoder(real());
        decoder.start();
        const DecoderInfo details = decoder.info();
        QCOMPARE(details.program, ATTNSCOPE_DECODER_PROGRAM);
        QCOMPARE(details.protections.size() + details.lacking.size(), 5u);
        const auto has = [&](const char* name) {
            return std::count(details.protections.begin(), details.protections.end(), name) == 1;
        };
        QVERIFY(has("no new privileges") && has("time and file limits"));
    }

    void twoHundredRestartsLeaveNothingBehind()
    {
        const auto starts = [](int count) {
            DecoderProcess decoder(real());
            for (int i = 0; i < count; ++i) {
                decoder.start();
                // Half of them die in the middle of their start, the others are asked to end.
                if (i % 2 == 0)
                    signalProcess(decoder.pid(), SIGKILL);
                ImageReadOptions larger;
                larger.limits.imagePixels += i + 1;
                decoder.start(larger.limits);
            }
        };
        m_decoder.reset();
        starts(2);
        const size_t files = openFiles(), maps = mappings();
        starts(100);
        QCOMPARE(openFiles(), files);
        QVERIFY2(mappings() <= maps + 4, qPrintable(QString("%1 mappings, %2 before").arg(mappings()).arg(maps)));
        QVERIFY(!hasChildren());
    }

private:
    std::unique_ptr<DecoderProcess> m_decoder;
};

ATTNSCOPE_EVENT_TEST(TestDecoderProcess)
#include "tst_decoder_process.moc"
