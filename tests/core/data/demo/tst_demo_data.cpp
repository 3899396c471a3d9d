#include "core/base/error.h"
#include "core/data/dataset/labelled_folder.h"
#include "core/data/demo/camera_move.h"
#include "core/data/demo/demo_data.h"
#include "core/data/demo/scene.h"
#include "core/media/video/video_reader.h"
#include "demo_photos.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <filesystem>
#include <fstream>

using namespace attnscope;
using namespace attnscope::test;

namespace {

DemoRequest small(const fs::path& folder)
{
    DemoRequest request;
    request.folder = folder;
    request.photos = RESOURCE_DIR "/demo/photos";
    request.training = 2;
    request.validation = 1;
    return request;
}

DemoReport make(const DemoRequest& request)
{
    return writeDemoData(request, {}, {});
}

/// Of all files below a folder, by their relative names.
std::map<std::string, uint64_t> hashes(const fs::path& folder)
{
    std::map<std::string, uint64_t> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file())
            continue;
        std::ifstream stream(entry.path(), std::ios::binary);
        const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(stream), {}};
        found[fs::relative(entry.path(), folder).string()] = hashOf(bytes);
    }
    return found;
}

double meanDifference(const Clip& a, const Clip& b)
{
    double sum = 0;
    for (size_t i = 0; i < a.pixels.size(); ++i)
        sum += std::abs(a.pixels[i] - b.pixels[i]);
    return sum / double(a.pixels.size());
}

Clip readAll(const fs::path& path)
{
    VideoReader reader(path);
    Clip clip;
    while (reader.advance())
        reader.appendTo(clip);
    return clip;
}

}

class TestDemoData : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_report = make(small(m_folder.path()));
        m_root = m_folder.path();
    }

    void scenesAreAFolderOfImageNetsForm()
    {
        const LabelledSplits splits = scanSplits((m_root / "scenes").string(), FolderLayout::Auto, "");
        QCOMPARE(splits.training.layout, FolderLayout::ImageNet);
        QCOMPARE(splits.training.classes.size(), 12);
        QCOMPARE(splits.training.files.size(), 24);
        QCOMPARE(splits.validation->files.size(), 12);
        QVERIFY(splits.training.notes.empty() && splits.validation->notes.empty());
        QCOMPARE(m_report.sets[0].training, 24);
        QCOMPARE(m_report.sets[0].validation, 12);
    }

    void movesAreAFolderOfKineticsForm()
    {
        const LabelledSplits splits = scanSplits((m_root / "moves").string(), FolderLayout::Auto, "");
        QCOMPARE(splits.training.layout, FolderLayout::Kinetics);
        QCOMPARE(splits.training.classes, (std::vector<std::string>(moveNames.begin(), moveNames.end())));
        QCOMPARE(splits.training.files.size(), 16);
        QCOMPARE(splits.validation->files.size(), 8);
    }

    void picturesAreReadAsTheyWereRendered()
    {
        for (size_t i = 0; i < scenePhotos().size(); ++i) {
            const Clip read = readImage(m_root / "scenes/train" / scenePhotos()[i].name / "0001.jpg");
            const Clip rendered = renderScene(demoPhotos()[i], {0, i, Split::Training, 1});
            QCOMPARE(read.width, sceneSide);
            QCOMPARE(read.height, sceneSide);
            QVERIFY2(meanDifference(read, rendered) < 8, scenePhotos()[i].name.data());
        }
    }

    void videosAreReadAsTheyWereRendered()
    {
        for (size_t i = 0; i < moveNames.size(); ++i) {
            const fs::path path = m_root / "moves/val" / moveNames[i] / "0000.mp4";
            const MoveKey key{0, static_cast<Move>(i), Split::Validation, 0};
            const Clip read = readAll(path), rendered = renderMove(demoPhotos()[photoOf(key)], key);
            QCOMPARE(read.frames, moveFrames);
            QCOMPARE(read.width, moveSide);
            QCOMPARE(read.height, moveSide);
            QVERIFY2(meanDifference(read, rendered) < 8, moveNames[i].data());
            const VideoInfo info = VideoReader(path).info();
            QCOMPARE(info.averageRate.value(), 7.5);
            QCOMPARE(info.frames.value(), moveFrames);
            QCOMPARE(info.codec, "h264");
        }
    }

    void bytesDependOnSeedAlone()
    {
        Folder other;
        DemoRequest request = small(other.path());
        request.workers = 3;
        make(request);
        QVERIFY(hashes(m_root) == hashes(request.folder));
        request.seed = 1;
        request.overwrite = true;
        make(request);
        for (const auto& [name, hash] : hashes(request.folder))
            QVERIFY(hashes(m_root).at(name) != hash);
    }

    void aFolderThatHoldsSomethingIsRefusedOrRefilled()
    {
        Folder other;
        DemoRequest request = small(other.path());
        request.sets = {DemoSet::Scenes};
        make(request);
        THROWS(FileError, make(request));
        std::ofstream(request.folder + "/scenes/train/cat/mine.jpg") << "x";
        request.overwrite = true;
        request.training = 1;
        make(request);
        QVERIFY(!fs::exists(request.folder + "/scenes/train/cat/0001.jpg"));  // what is left is what was asked for
        QVERIFY(fs::exists(request.folder + "/scenes/train/cat/0000.jpg"));
        QVERIFY(fs::exists(request.folder + "/scenes/train/cat/mine.jpg"));
        QVERIFY(!fs::exists(request.folder + "/moves"));
    }

    void itStopsWhenAsked()
    {
        Folder other;
        DemoRequest request = small(other.path());
        std::stop_source source;
        int64_t last = 0;
        const auto stopAtFive = [&](const Progress& progress) {
            last = progress.done;
            if (progress.done == 5)
                source.request_stop();
        };
        THROWS(Cancelled, writeDemoData(request, stopAtFive, source.get_token()));
        QVERIFY(last >= 5 && last < 12);
        for (const auto& [name, hash] : hashes(request.folder))
            QVERIFY2(name.find(".part") == std::string::npos, name.c_str());
    }

    void wrongRequestsAreRefusedBeforeAnythingIsWritten()
    {
        Folder other;
        DemoRequest request = small(other.path());
        request.training = 0;
        THROWS(UsageError, make(request));
        request = small(other.path());
        request.photos = "/nowhere";
        THROWS(FileError, make(request));
        QVERIFY(fs::is_empty(request.folder));
        std::ofstream(request.folder + "/file") << "x";
        request.folder += "/file";
        THROWS(FileError, make(request));
    }

private:
    Folder m_folder;
    fs::path m_root;
    DemoReport m_report;
};

ATTNSCOPE_EVENT_TEST(TestDemoData)
#include "tst_demo_data.moc"
