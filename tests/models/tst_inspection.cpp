// What an inspection of layers keeps for the next question, and inspections of dumped tensors.
#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/lab/lab_json.h"
#include "core/lab/layers/inspect.h"
#include "core/lab/layers/inspection_memory.h"
#include "core/lab/layers/layer_maps.h"
#include "core/lab/layers/opened_input.h"
#include "models/open_model.h"
#include "tests/models/broken_classifier.h"
#include "tests/support/test_class.h"

#include <c10/core/InferenceMode.h>

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <map>

using namespace attnscope;
using namespace Qt::StringLiterals;

namespace {

const std::string modelFolder = TEST_DATA_DIR "/models/";

std::shared_ptr<const Classifier> tinyModel()
{
    return openModel({.model = modelFolder + "deit_tiny_cfg.json",
                      .weights = modelFolder + "deit_tiny_cfg.weights.official.safetensors",
                      .device = "cpu"});
}

/// Counts how often it is opened.
InputSource ramp(int* opened = nullptr)
{
    return {.path = "ramp", .load = [opened] {
                if (opened != nullptr)
                    ++*opened;
                FloatArray array{{3, 32, 32}, {}};
                for (int i = 0; i < 3 * 32 * 32; ++i)
                    array.values.push_back(std::sin(0.1f * float(i)));
                return array;
            }};
}

InspectRequest mapsOf(std::int64_t row, std::int64_t column)
{
    InspectRequest request;
    request.attention = {AttentionSpec::parse("lara:samples=4")};
    request.errors = request.endToEnd = request.alone = false;
    request.query = TokenQuery{0, row, column, false};
    return request;
}

InspectRequest errorsOf(const std::string& attention)
{
    InspectRequest request;
    request.attention = {AttentionSpec::parse(attention)};
    request.seeds = 2;
    return request;
}

SafetensorsEntry entryOf(const at::Tensor& x)
{
    const at::Tensor flat = x.to(at::kFloat).contiguous();
    SafetensorsEntry entry;
    entry.type = ElementType::Float32;
    entry.shape.assign(flat.sizes().begin(), flat.sizes().end());
    const auto* begin = reinterpret_cast<const std::byte*>(flat.data_ptr<float>());
    entry.bytes.assign(begin, begin + flat.numel() * std::int64_t(sizeof(float)));
    return entry;
}

/// q, k and v of all layers of the tiny model on the ramp, as a dump of the authors' networks would have them.
void dumpTo(const std::filesystem::path& file, std::map<std::string, std::string> header = {})
{
    const c10::InferenceMode guard;
    const auto model = tinyModel();
    std::vector<at::Tensor> q, k, v;
    LayerVisitor visitor({}, [&](std::int64_t, const AttentionInput& in, const at::Tensor&) {
        q.push_back(in.q), k.push_back(in.k), v.push_back(in.v);
    });
    model->logits(openMeasuredView(ramp(), *model).values, model->prepare(AttentionSpec::parse("softmax"), 0),
                  &visitor);
    writeSafetensors(file, {{"q", entryOf(at::cat(q))}, {"k", entryOf(at::cat(k))}, {"v", entryOf(at::cat(v))}},
                     std::move(header));
}

}

class TestInspection : public QObject {
    Q_OBJECT
private slots:
    void anotherQueryNeedsNoPass()
    {
        const auto model = tinyModel();
        int opened = 0;
        InspectionMemory memory(1 << 30);
        InspectionCalls calls;
        calls.memory = &memory;
        inspectLayers(NetworkInputs{model, {ramp(&opened)}}, errorsOf("lara:samples=4"), calls);
        QCOMPARE(opened, 1);
        QVERIFY(memory.bytes() > 0);
        const LayerInspection kept = inspectLayers(NetworkInputs{model, {ramp(&opened)}}, mapsOf(1, 2), calls);
        QCOMPARE(opened, 1);
        const LayerInspection fresh = inspectLayers(NetworkInputs{model, {ramp()}}, mapsOf(1, 2));
        for (std::size_t layer = 0; layer < fresh.attention.front().maps.size(); ++layer) {
            QCOMPARE(kept.attention.front().maps[layer].implied, fresh.attention.front().maps[layer].implied);
            QCOMPARE(kept.attention.front().maps[layer].exact, fresh.attention.front().maps[layer].exact);
        }
        QCOMPARE(kept.attention.front().rollout.implied, fresh.attention.front().rollout.implied);
        // Errors begin anew: outputs are not kept.
        const LayerInspection again = inspectLayers(NetworkInputs{model, {ramp(&opened)}},
                                                    errorsOf("lara:samples=4"), calls);
        QCOMPARE(opened, 2);
        QVERIFY(!again.attention.front().endToEnd.empty());
    }

    void beyondItsLimitNothingIsKept()
    {
        const auto model = tinyModel();
        int opened = 0;
        InspectionMemory memory(1000);
        InspectionCalls calls;
        calls.memory = &memory;
        inspectLayers(NetworkInputs{model, {ramp(&opened)}}, errorsOf("lara:samples=4"), calls);
        QCOMPARE(memory.bytes(), std::int64_t{0});
        QCOMPARE(inspectLayers(NetworkInputs{model, {ramp(&opened)}}, mapsOf(0, 0), calls)
                     .attention.front()
                     .maps.size(),
                 inspectLayers(NetworkInputs{model, {ramp()}}, mapsOf(0, 0)).attention.front().maps.size());
        QCOMPARE(opened, 2);
    }

    void aCancelledQuestionLosesNothing()
    {
        const auto model = tinyModel();
        int opened = 0;
        InspectionMemory memory(1 << 30);
        InspectionCalls calls;
        calls.memory = &memory;
        inspectLayers(NetworkInputs{model, {ramp(&opened)}}, mapsOf(0, 0), calls);
        std::stop_source stop;
        stop.request_stop();
        calls.stop = stop.get_token();
        QVERIFY_EXCEPTION_THROWN(inspectLayers(NetworkInputs{model, {ramp(&opened)}}, mapsOf(1, 1), calls),
                                 Cancelled);
        calls.stop = {};
        inspectLayers(NetworkInputs{model, {ramp(&opened)}}, mapsOf(1, 1), calls);
        QCOMPARE(opened, 1);
    }

    void dumpedTensorsHaveTheModelsErrors_data()
    {
        QTest::addColumn<QString>("attention");
        QTest::addColumn<QString>("header");
        QTest::newRow("nystrom") << u"nystrom:samples=4"_s << QString();
        QTest::newRow("lara") << u"lara:samples=4"_s << u"4x4"_s;
        QTest::newRow("mixed") << u"0=lara:samples=4"_s << QString();
    }
    void dumpedTensorsHaveTheModelsErrors()
    {
        QFETCH(QString, attention);
        QFETCH(QString, header);
        const QTemporaryDir folder;
        TensorFile dump;
        dump.file = folder.filePath("qkv.safetensors").toStdString();
        dumpTo(dump.file, header.isEmpty() ? std::map<std::string, std::string>()
                                           : std::map<std::string, std::string>{{"grid", header.toStdString()}});
        QVERIFY(holdsTensors(dump.file));
        InspectRequest request = errorsOf(attention.toStdString());
        const LayerInspection model = inspectLayers(NetworkInputs{tinyModel(), {ramp()}}, request);
        request.query = TokenQuery{0, 1, 2, false};
        const LayerInspection tensors = inspectLayers(dump, request);
        const InspectedAttention &a = model.attention.front(), &b = tensors.attention.front();
        QVERIFY2(b.failure.empty(), b.failure.c_str());
        QCOMPARE(b.teacherForced.size(), a.teacherForced.size());
        QVERIFY(b.endToEnd.empty() && b.alone.empty() && b.drift.empty());
        QCOMPARE(tensors.grid.rows, model.grid.rows);
        QCOMPARE(tensors.prefix, model.prefix);
        for (std::size_t layer = 0; layer < a.teacherForced.size(); ++layer) {
            QCOMPARE(b.teacherForced[layer].heads.size(), a.teacherForced[layer].heads.size());
            const double was = a.teacherForced[layer].mean.error.relative,
                         is = b.teacherForced[layer].mean.error.relative;
            QVERIFY2(std::abs(is - was) <= 1e-5 + 1e-3 * was, qPrintable(u"%1 %2"_s.arg(is).arg(was)));
            double sum = 0;
            for (const float weight : b.maps[layer].exact.front())
                sum += double(weight);
            QVERIFY(std::abs(sum - 1) < 1e-4);
        }
        QVERIFY(!b.rollout.implied.empty());
        QCOMPARE(tensors.model.inputs.front().kind, std::string("tensors"));
    }

    void tokensWithoutAPlaceAreCalledByTheirNumber()
    {
        const QTemporaryDir folder;
        TensorFile dump;
        dump.file = folder.filePath("qkv.safetensors").toStdString();
        const at::Tensor x = at::arange(2 * 3 * 7 * 4, at::kFloat).sin().reshape({2, 3, 7, 4});  // 7: no square
        writeSafetensors(dump.file, {{"q", entryOf(x)}, {"k", entryOf(x)}, {"v", entryOf(x)}}, {});
        InspectRequest request = errorsOf("performer:samples=8");
        request.query = TokenQuery{0, 0, 6, false};
        const LayerInspection inspection = inspectLayers(dump, request);
        QCOMPARE(inspection.grid.rows, std::int64_t{0});
        QCOMPARE(inspection.attention.front().maps[1].query, std::int64_t{6});
        QCOMPARE(inspection.attention.front().maps[1].exact[2].size(), std::size_t{7});
        request.query = TokenQuery{0, 0, 7, false};
        try {
            inspectLayers(dump, request);
            QFAIL("there is no token 7");
        } catch (const UsageError& error) {
            QVERIFY2(std::string(error.what()).find("from 0 to 6") != std::string::npos, error.what());
        }
    }

    void headersThatDoNotFitAreRefusedInASentence_data()
    {
        QTest::addColumn<QString>("grid");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("too large") << u"9x9"_s << u"do not fill a grid of 9×9"_s;
        QTest::newRow("huge") << u"9223372036854775807x9223372036854775807"_s << u"do not fill"_s;
        QTest::newRow("words") << u"four by four"_s << u"ROWSxCOLUMNS"_s;
        QTest::newRow("half") << u"4x"_s << u"ROWSxCOLUMNS"_s;
        QTest::newRow("negative") << u"-4x-4"_s << u"ROWSxCOLUMNS"_s;
    }
    void headersThatDoNotFitAreRefusedInASentence()
    {
        QFETCH(QString, grid);
        QFETCH(QString, sentence);
        const QTemporaryDir folder;
        TensorFile dump;
        dump.file = folder.filePath("qkv.safetensors").toStdString();
        dumpTo(dump.file, {{"grid", grid.toStdString()}});
        try {
            inspectLayers(dump, errorsOf("performer:samples=8"));
            QFAIL("it was taken");
        } catch (const FileError& error) {
            QVERIFY2(QString::fromUtf8(error.what()).contains(sentence), error.what());
        }
    }

    void weightsAreNoDumpedTensors()
    {
        QVERIFY(!holdsTensors(modelFolder + "deit_tiny_cfg.weights.official.safetensors"));
        QVERIFY(!holdsTensors(modelFolder + "deit_tiny_cfg.json"));
        QVERIFY(!holdsTensors("/nowhere"));
    }

    void keysThatAreLeftOutAreShown()
    {
        InspectRequest request = errorsOf("lsh:samples=1,buckets=8");
        request.endToEnd = request.alone = false;
        request.query = TokenQuery{0, 1, 2, false};
        request.attention.push_back(AttentionSpec::parse("performer:samples=8"));
        const LayerInspection inspection = inspectLayers(NetworkInputs{tinyModel(), {ramp()}}, request);
        const InspectedAttention &sparse = inspection.attention[0], &other = inspection.attention[1];
        QVERIFY(sparse.emptyRows && !other.emptyRows);
        double empty = 0;
        for (std::size_t layer = 0; layer < sparse.maps.size(); ++layer) {
            const LayerKeys& keys = sparse.teacherForced[layer].keys.value();
            empty += keys.mean.emptyRows / double(sparse.maps.size());
            QCOMPARE(keys.heads.size(), sparse.maps[layer].seen.size());
            for (std::size_t head = 0; head < keys.heads.size(); ++head) {
                const std::vector<float>&seen = sparse.maps[layer].seen[head],
                      &exact = sparse.maps[layer].exact[head];
                double mass = 0;
                for (std::size_t key = 0; key < seen.size(); ++key)
                    mass += seen[key] > 0 ? double(exact[key]) : 0;
                const auto kept = double(keys.massKept[head][std::size_t(sparse.maps[layer].query)]);
                QVERIFY(mass == 0 ? std::isnan(kept) : std::abs(kept - mass) < 1e-5);
            }
            QVERIFY(!other.teacherForced[layer].keys && other.maps[layer].seen.empty());
        }
        QVERIFY(std::abs(empty - *sparse.emptyRows) < 1e-12);
        const Json json = toJson(inspection)["attention"];
        QCOMPARE(json[0]["empty_rows"].get<double>(), *sparse.emptyRows);
        QVERIFY(!json[1].contains("empty_rows"));
        for (const char* key : {"density", "empty_rows", "mass_kept"}) {
            QVERIFY2(json[0]["teacher_forced"][0].contains(key)
                         && json[0]["teacher_forced"][0]["heads"][0].contains(key),
                     key);
            QVERIFY2(!json[1]["teacher_forced"][0].contains(key), key);
        }
        QCOMPARE(json[0]["maps"][0]["seen"][0].size(), std::size_t{17});
        QCOMPARE(json[0]["maps"][0]["mass_kept"][0].size(), std::size_t{17});
        const QTemporaryDir folder;
        writeMaps(inspection, folder.filePath("maps.safetensors").toStdString());
        const StateDict state = readSafetensors(openFile(folder.filePath("maps.safetensors").toStdString()), {});
        QVERIFY(state.tensors.count("0/seen.0") == 1 && state.tensors.count("0/mass_kept.1") == 1
                && state.tensors.count("1/seen.0") == 0);
    }

    void whatAnAttentionChoseIsShown()
    {
        InspectRequest request = errorsOf("tangent:samples=4");
        request.endToEnd = request.alone = false;
        request.query = TokenQuery{0, 1, 2, false};
        request.attention.push_back(AttentionSpec::parse("blocks:block=4,keep=2"));
        request.attention.push_back(AttentionSpec::parse("performer:samples=8"));
        const LayerInspection inspection = inspectLayers(NetworkInputs{tinyModel(), {ramp()}}, request);
        const InspectedAttention &tangent = inspection.attention[0], &blocks = inspection.attention[1],
                                 &performer = inspection.attention[2];
        const auto names = [](const std::vector<LayerTokenMap>& maps) {
            std::vector<std::string> all;
            for (const LayerTokenMap& map : maps)
                all.push_back(map.info.name);
            return all;
        };
        QCOMPARE(names(tangent.teacherForced[0].tokenMaps),
                 (std::vector<std::string>{"cluster", "distance", "query-error"}));
        QCOMPARE(names(blocks.maps[0].tokenMaps), (std::vector<std::string>{"kept-blocks", "tail-blocks"}));
        QCOMPARE(names(performer.teacherForced[0].tokenMaps), (std::vector<std::string>{"query-error"}));
        QVERIFY(tangent.maps[0].tokenMaps.empty() && performer.maps[0].tokenMaps.empty());
        for (std::size_t layer = 0; layer < tangent.teacherForced.size(); ++layer) {
            const InspectedLayer& one = tangent.teacherForced[layer];
            const LayerTokenMap &clusters = one.tokenMaps.front(), &errors = one.tokenMaps.back();
            QVERIFY(clusters.grid.rows * clusters.grid.columns == 16 && clusters.prefix == 1);
            for (std::size_t head = 0; head < one.heads.size(); ++head) {
                QCOMPARE(clusters.values[head].size(), std::size_t{17});
                QVERIFY(std::isnan(clusters.values[head].front()));  // the class token is exact
                // Relative to the root mean square, they make up the head's relative error.
                double sum = 0;
                for (const float error : errors.values[head])
                    sum += double(error) * double(error) / 17;
                QVERIFY(std::abs(std::sqrt(sum) - one.heads[head].error.relative)
                        < 1e-4 * (1 + one.heads[head].error.relative));
                QCOMPARE(errors.values[head].front(), 0.0f);
            }
        }
        const HeatMap clusters = tokenMap(tangent.teacherForced[0].tokenMaps[0], 1),
                      tiles = tokenMaps(tangent, "cluster");
        QVERIFY(clusters.values.size() == 16 && clusters.colours == HeatColours::Category
                && tiles.colours == HeatColours::Category);
        QVERIFY(tiles.values.size() > 16
                && tokenMaps(blocks, "tail-blocks").caption.find("Query token 7") != std::string::npos);
        QVERIFY_EXCEPTION_THROWN(std::ignore = tokenMaps(performer, "cluster"), UsageError);
        const Json json = toJson(inspection)["attention"];
        const Json map = json[0]["maps"][0]["token_maps"][0];
        QCOMPARE(map["name"].get<std::string>(), std::string("cluster"));
        QCOMPARE(map["kind"].get<std::string>(), std::string("category"));
        QVERIFY(map["values"][0][0].is_null() && map["values"][0].size() == 17);
        QCOMPARE(json[1]["maps"][0]["token_maps"].size(), std::size_t{5});
        const QTemporaryDir folder;
        writeMaps(inspection, folder.filePath("maps.safetensors").toStdString());
        const StateDict state = readSafetensors(openFile(folder.filePath("maps.safetensors").toStdString()), {});
        QVERIFY(state.tensors.count("0/cluster.0") == 1 && state.tensors.count("1/tail-blocks.0") == 1
                && state.tensors.count("2/query-error.0") == 1);
    }

    void logitsThatAreNotFiniteAreSaid()
    {
        const test::BrokenClassifier model(tinyModel(), "performer");
        const LayerInspection inspection = inspectLayers(
            NetworkInputs{{std::shared_ptr<void>(), &model}, {ramp()}}, errorsOf("performer:samples=8"));
        const InspectedAttention& broken = inspection.attention.front();
        QVERIFY(std::isnan(broken.kl) && !broken.top1Agrees);
        for (const LayerAlone& alone : broken.alone)
            QVERIFY(std::isnan(alone.kl) && !alone.top1Agrees);
        QVERIFY2(!broken.notes.empty() && broken.notes.back().find("logits are not finite") != std::string::npos,
                 broken.notes.empty() ? "no note" : broken.notes.back().c_str());
    }
};

ATTNSCOPE_EVENT_TEST(TestInspection)
#include "tst_inspection.moc"
