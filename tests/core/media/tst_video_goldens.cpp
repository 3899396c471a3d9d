// The golden videos: what the published pipeline (PyAV) saw of them.
#include "core/base/error.h"
#include "core/media/video/video_reader.h"
#include "tests/support/test_class.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <array>

using namespace attnscope;

namespace {

const fs::path folder = fs::path(TEST_DATA_DIR) / "preprocess/videos";

QJsonObject goldens()
{
    QFile file(TEST_DATA_DIR "/preprocess/videos.json");
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", qPrintable(file.fileName()));
    return QJsonDocument::fromJson(file.readAll()).object()["files"].toObject();
}

Fraction fraction(const QString& text)
{
    const QStringList parts = text.split('/');
    return {parts[0].toLongLong(), parts.size() > 1 ? parts[1].toLongLong() : 1};
}

std::array<double, 3> meanOf(const Clip& frame)
{
    std::array<double, 3> sum{};
    for (size_t i = 0; i < frame.pixels.size(); ++i)
        sum[i % 3] += frame.pixels[i];
    for (double& channel : sum)
        channel /= double(frame.pixels.size() / 3);
    return sum;
}

/// Painted into the top edge of each frame: ten tiles, lowest bit first.
int paintedNumber(const Clip& frame)
{
    int number = 0;
    for (int bit = 0; bit < 10; ++bit) {
        const int64_t tile = frame.width / 10, x = bit * tile + tile / 2, y = frame.height / 24;
        number |= (frame.pixels[size_t((y * frame.width + x) * 3)] > 127 ? 1 : 0) << bit;
    }
    return number;
}

void addFiles(bool refused)
{
    columns<QJsonObject>("golden");
    const QJsonObject files = goldens();
    for (const QString& name : files.keys())
        if ((files[name].toObject()["expect"].toString() == "refuse") == refused)
            row(name, files[name].toObject());
}

}

class TestVideoGoldens : public QObject {
    Q_OBJECT

private slots:
    void containerSaysWhatItSaysToThePublishedPipeline_data() { addFiles(false); }
    void containerSaysWhatItSaysToThePublishedPipeline()
    {
        QFETCH(QJsonObject, golden);
        const VideoReader video(folder / currentDataTag());
        const VideoInfo& info = video.info();
        QCOMPARE(info.width, golden["width"].toInteger());
        QCOMPARE(info.height, golden["height"].toInteger());
        const Fraction rate = fraction(golden["average_rate"].toString()),
                       base = fraction(golden["time_base"].toString());
        QCOMPARE(info.averageRate.numerator, rate.numerator);
        QCOMPARE(info.averageRate.denominator, rate.denominator);
        QCOMPARE(info.timeBase.numerator, base.numerator);
        QCOMPARE(info.timeBase.denominator, base.denominator);
        QCOMPARE(info.frames.value_or(0), golden["stream_frames"].toInteger());
        QCOMPARE(info.duration.value_or(0), golden["stream_duration"].toInteger());
        QCOMPARE(info.start, golden["start_time"].toInteger());
    }

    void framesComeInOrderWithTheirTimesAndColours_data() { addFiles(false); }
    void framesComeInOrderWithTheirTimesAndColours()
    {
        QFETCH(QJsonObject, golden);
        const QJsonArray times = golden["pts"].toArray();
        const QJsonObject means = golden["mean_rgb_of_used_frames"].toObject();
        VideoReader video(folder / currentDataTag());
        int64_t frames = 0;
        for (; video.advance(); ++frames) {
            if (!times.isEmpty())
                QCOMPARE(video.pts(), times[frames].toInteger());
            Clip frame;
            video.appendTo(frame);
            QCOMPARE(paintedNumber(frame), int(frames));
            const QJsonArray expected = means[QString::number(frames)].toArray();
            const std::array<double, 3> mean = meanOf(frame);
            for (int channel = 0; channel < expected.size(); ++channel)
                if (std::abs(mean[size_t(channel)] - expected[channel].toDouble()) > 2)
                    QFAIL(qPrintable(QString("frame %1, channel %2: %3, but %4 was expected")
                                         .arg(frames)
                                         .arg(channel)
                                         .arg(mean[size_t(channel)])
                                         .arg(expected[channel].toDouble())));
        }
        QCOMPARE(frames, golden["decoded_frames"].toInteger());
        if (!QByteArray(currentDataTag()).startsWith("truncated"))
            QCOMPARE(video.damage(), std::string());
    }

    void brokenFileIsRefusedInASentence_data() { addFiles(true); }
    void brokenFileIsRefusedInASentence()
    {
        const std::string name = currentDataTag();
        try {
            VideoReader video(folder / name);
            QFAIL("it was opened");
        } catch (const FileError& error) {
            const QString sentence = QString::fromStdString(error.reason());
            QVERIFY2(sentence.endsWith('.') && !sentence.contains('\n'), error.what());
            const char* says = name == "audio_only.mp4"    ? "audio only"
                               : name == "broken_text.mp4" ? "it starts with"
                                                           : "moov";
            QVERIFY2(sentence.contains(says), error.what());
        }
    }

    void rotationIsSaidAndNotApplied()
    {
        VideoReader video(folder / "h264_rotate90_metadata_96f.mp4");
        QCOMPARE(video.rotation(), 270);  // the file says 90 degrees against the clock
        QVERIFY(video.advance());
        Clip frame;
        video.appendTo(frame);
        QCOMPARE(frame.width, 240);
        turn(frame, video.rotation());
        QCOMPARE(frame.width, 160);
        QCOMPARE(frame.height, 240);
    }

    void truncatedFileSaysWhereItBreaksOff()
    {
        VideoReader video(folder / "truncated_half.webm");
        QCOMPARE(video.damage(), std::string());
        while (video.advance()) {
        }
        QCOMPARE(video.damage(),
                 "truncated_half.webm is truncated after frame 80 of about 150; what could be decoded was used.");
    }
};

ATTNSCOPE_EVENT_TEST(TestVideoGoldens)
#include "tst_video_goldens.moc"
