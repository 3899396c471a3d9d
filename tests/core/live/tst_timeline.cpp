#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/live/live_export.h"
#include "tests/support/test_class.h"

#include <QFile>
#include <QTemporaryDir>

#include <random>

using namespace attnscope;
using namespace Qt::StringLiterals;

namespace {

BackendPrediction outcome(const std::string& attention, int64_t index, const std::string& label = {})
{
    BackendPrediction out;
    out.attention = out.backend = attention;
    out.weights = WeightsKind::Trained;
    out.top = {{index, label, 0.5}};
    out.latencyMs = 12.5;
    out.peakBytes = 1000;
    return out;
}

LivePrediction prediction(int64_t tick, int64_t first, int64_t second, int64_t after = -1)
{
    LivePrediction out;
    out.request = {1, tick, after};
    out.seconds = double(tick) / 10;
    out.frameSeconds = {out.seconds - 0.3, out.seconds};
    out.predictions = {outcome("softmax", first, "class " + std::to_string(first)), outcome("lara", second)};
    out.predictions[0].agrees = true;
    out.predictions[1].agrees = first == second;
    return out;
}

Timeline twoRows()
{
    Timeline timeline;
    timeline.setRows({{"softmax", "softmax"}, {"lara", "lara"}}, 0);
    return timeline;
}

std::string text(const BackendTimeline& timeline)
{
    std::string out;
    for (const TimelineSegment& s : timeline.segments())
        out += std::to_string(s.begin) + "-" + std::to_string(s.end) + ":" + std::to_string(s.index) + " ";
    return out;
}

std::string contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string("(none)");
}

LiveSetting setting()
{
    LiveSetting out;
    out.source = "a.mp4";
    out.grid.period = 0.1;
    return out;
}

}

class TestTimeline : public QObject {
    Q_OBJECT
private slots:
    void equalNeighboursAreOneSegment()
    {
        BackendTimeline timeline;
        for (int tick : {0, 2, 4})
            timeline.record(tick, 2, 7, 0.4 + 0.1 * tick);
        timeline.record(6, 2, 8, 0.9);
        QCOMPARE(text(timeline), "0-6:7 6-8:8 ");
        QCOMPARE(timeline.at(3)->clips, 3);
        QVERIFY(qAbs(timeline.at(3)->probability - 0.6) < 1e-12);
        QVERIFY(!timeline.at(8));
    }

    void laterAnswerReplacesWhatWasThere()
    {
        BackendTimeline timeline;
        timeline.record(0, 10, 7, 0.5);
        timeline.record(4, 2, 8, 0.5);
        QCOMPARE(text(timeline), "0-4:7 4-6:8 6-10:7 ");
        timeline.record(4, 2, 7, 0.5);
        QCOMPARE(text(timeline), "0-10:7 ");
    }

    void answerHoldsUntilTheNextOneButNotOverOlderOnes()
    {
        BackendTimeline timeline;
        timeline.record(6, 2, 9, 0.5);
        timeline.record(0, 2, 7, 0.5);
        timeline.hold(0, 12);
        timeline.record(12, 2, 7, 0.5);
        QCOMPARE(text(timeline), "0-6:7 6-8:9 8-14:7 ");
        timeline.hold(100, 200);  // nothing stands there
        QCOMPARE(text(timeline), "0-6:7 6-8:9 8-14:7 ");
    }

    /// Against an array of one class a tick.
    void randomAnswersEqualAPlainArray()
    {
        std::mt19937 random(5);
        for (int round = 0; round < 200; ++round) {
            BackendTimeline timeline;
            std::vector<int> plain(100, -1);
            for (int i = 0; i < 30; ++i) {
                const int tick = int(random() % 90), length = 1 + int(random() % 10), index = int(random() % 3);
                if (random() % 3 != 0) {
                    timeline.record(tick, length, index, 0.5);
                    std::fill_n(plain.begin() + tick, length, index);
                } else {
                    timeline.hold(tick, tick + length);
                    const int held = plain[size_t(tick)];
                    for (int t = tick; t < tick + length && held >= 0; ++t)
                        if (plain[size_t(t)] < 0)
                            plain[size_t(t)] = held;
                }
            }
            for (int t = 0; t < 100; ++t) {
                const auto segment = timeline.at(t);
                QCOMPARE(segment ? int(segment->index) : -1, plain[size_t(t)]);
            }
            const auto segments = timeline.segments();
            for (size_t i = 1; i < segments.size(); ++i)
                QVERIFY(
                    segments[i].begin > segments[i - 1].end
                    || (segments[i].begin == segments[i - 1].end && segments[i].index != segments[i - 1].index));
        }
    }

    void hoursOfTheSameAnswerTakeOneSegmentAndChangesAreBounded()
    {
        BackendTimeline calm, restless(1000);
        for (int tick = 0; tick < 100'000; ++tick) {
            calm.record(tick, 1, 3, 0.5);
            restless.record(tick, 1, tick % 2, 0.5);
        }
        QCOMPARE(calm.size(), size_t(1));
        QCOMPARE(restless.size(), size_t(1000));
        QVERIFY(restless.at(99'999) && !restless.at(0));
    }

    void disagreementsAreWhereBothAnswerDifferently()
    {
        Timeline timeline = twoRows();
        timeline.add(prediction(0, 1, 1), 2);
        timeline.add(prediction(2, 1, 2), 2);
        timeline.add(prediction(4, 1, 2), 2);
        timeline.add(prediction(6, 3, 3), 2);
        timeline.add(prediction(20, 3, 4), 2);
        const auto found = disagreements(timeline.rows()[0].predictions, timeline.rows()[1].predictions);
        QCOMPARE(found.size(), size_t(2));
        QCOMPARE(found[0].begin, 2);
        QCOMPARE(found[0].end, 6);
        QCOMPARE(found[0].index, 2);
        QCOMPARE(found[0].referenceIndex, 1);
        QCOMPARE(timeline.disagreementTicks(), (std::vector<int64_t>{2, 20}));
        QCOMPARE(timeline.rows()[1].clips, 5);
        QCOMPARE(timeline.rows()[1].agreed, 2);
        QCOMPARE(timeline.label(1), "class 1");
    }

    /// After Home and N the same clips are predicted again.
    void aClipPredictedAgainCountsOnce()
    {
        Timeline timeline = twoRows();
        const auto round = [&](int64_t last) {
            for (int64_t tick = 0; tick < 8; tick += 2)
                timeline.add(prediction(tick, 1, tick == 6 ? last : 1, tick - 2), 2);
        };
        round(2);
        const std::string once = timelineJson(timeline, setting(), {}), csv = timelineCsv(timeline, setting());
        for (int i = 0; i < 5; ++i)
            timeline.add(prediction(6, 1, 2), 2);
        round(2);
        QCOMPARE(timeline.rows()[1].clips, 4);
        QCOMPARE(timeline.rows()[1].agreed, 3);
        QCOMPARE(timelineJson(timeline, setting(), {}), once);
        QCOMPARE(timelineCsv(timeline, setting()), csv);
        round(1);  // what it predicts last is what counts
        QCOMPARE(timeline.rows()[1].clips, 4);
        QCOMPARE(timeline.rows()[1].agreed, 4);
        QCOMPARE(timeline.rows()[1].predictions.at(6)->clips, 4);
    }

    void aSegmentCountsItsClipsAlsoAfterOneWasReplaced()
    {
        BackendTimeline timeline;
        for (const int64_t tick : {60, 62, 64, 66, 130})
            timeline.record(tick, 2, 7, 0.25 + 0.125 * (tick == 64));
        timeline.hold(66, 130);
        QCOMPARE(timeline.at(70)->clips, 5);  // the gap that is held between two has none
        timeline.record(62, 2, 7, 0.25);
        QVERIFY(qAbs(timeline.at(60)->probability - (4 * 0.25 + 0.375) / 5) < 1e-12);
        timeline.record(64, 2, 8, 0.5);
        QCOMPARE(timeline.at(60)->clips, 2);
        QCOMPARE(timeline.at(64)->clips, 1);
        QCOMPARE(timeline.at(100)->clips, 2);
        timeline.record(64, 2, 7, 0.5);
        QCOMPARE(timeline.at(64)->clips, 5);
    }

    void rowsThatStayKeepTheirAnswers()
    {
        Timeline timeline = twoRows();
        timeline.add(prediction(0, 1, 2), 2);
        timeline.setRows({{"performer", "performer"}, {"lara", "lara"}}, 1);
        QCOMPARE(timeline.rows()[0].predictions.size(), size_t(0));
        QCOMPARE(timeline.rows()[1].predictions.size(), size_t(1));
        QCOMPARE(timeline.rows()[1].clips, 0);  // counted against another reference
        timeline.clear();
        QVERIFY(timeline.isEmpty());
    }

    void failedBackendLeavesTheOthersAlone()
    {
        Timeline timeline = twoRows();
        LivePrediction failed = prediction(0, 1, 1);
        failed.predictions[1].top.clear();
        failed.predictions[1].failure = "lara: there is not enough memory.";
        timeline.add(failed, 2);
        QCOMPARE(timeline.rows()[0].predictions.size(), size_t(1));
        QCOMPARE(timeline.rows()[1].predictions.size(), size_t(0));
        QCOMPARE(timeline.rows()[1].clips, 0);
        SAYS(csvRows(failed), "lara: there is not enough memory.");
    }

    void logIsReadableWhileItGrowsAndRenamedWhenItIsClosed()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"log.csv"_s);
        PredictionLog log(path.toStdString());
        log.add(prediction(3, 1, 2));
        QVERIFY(!QFile::exists(path));
        QVERIFY(QFile::exists(path + u".part"_s));
        log.close();
        QVERIFY(!QFile::exists(path + u".part"_s));
        QCOMPARE(contents(path), csvHeader()
                                     + "0.300000,0.000000,softmax,trained,1,class 1,0.5,12.5,1000,1,\r\n"
                                       "0.300000,0.000000,lara,trained,2,,0.5,12.5,1000,0,\r\n");
    }

    void logThatCannotBeWrittenIsASentence()
    {
        THROWS(FileError, PredictionLog("/nowhere/log.csv"));
        THROWS(FileError, writeFileAtomically("/nowhere/all.json", "{}"));
    }

    void labelsCannotSmuggleFormulasOrBreakRows()
    {
        LivePrediction bad = prediction(3, 1, 2);
        bad.predictions[0].top[0].label = "=HYPERLINK(\"a\",\"b\")\n";
        const std::string rows = csvRows(bad);
        SAYS(rows, "\"'=HYPERLINK(\"\"a\"\",\"\"b\"\")\\n\"");
    }

    void exportsHoldSegmentsCountsAndDisagreements()
    {
        Timeline timeline = twoRows();
        timeline.add(prediction(0, 1, 1), 5);
        timeline.add(prediction(5, 1, 2), 5);
        const Json root = Json::parse(timelineJson(timeline, setting(), {3, 2, 1}));
        QCOMPARE(root["clips"]["missed"].get<int>(), 1);
        QCOMPARE(root["backends"][0]["segments"].size(), size_t(1));
        QCOMPARE(root["backends"][0]["segments"][0]["end"].get<double>(), 1.0);
        QCOMPARE(root["backends"][1]["disagreements"][0]["begin"].get<double>(), 0.5);
        QCOMPARE(root["backends"][1]["agreement"]["agreed"].get<int>(), 1);
        const std::string csv = timelineCsv(timeline, setting());
        SAYS(csv, "softmax,0.000000,1.000000,1,class 1,0.5,2\r\n");
        QTemporaryDir folder;
        const QString path = folder.filePath(u"t.csv"_s);
        writeFileAtomically(path.toStdString(), csv);
        QCOMPARE(contents(path), csv);
    }
};

ATTNSCOPE_EVENT_TEST(TestTimeline)
#include "tst_timeline.moc"
