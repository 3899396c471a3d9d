// What an inspection of layers keeps for the next question, and inspections of dumped tensors.
#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/lab/lab_json.h"
#include "core/lab/layers/inspect.h"
#include "core/lab/layers/inspection_memory.h"
#include "core/lab/layers/layer_maps.h"
#include "core/lab/layers/opened_input.h"
#include "tests/models/broken_classifier.h"
#include "tests/models/golden_models.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <c10/core/InferenceMode.h>

#include <cmath>
#include <map>

using namespace attnscope;
using namespace attnscope::test;
using namespace Qt::StringLiterals;

namespace {

/// Counts how often it is opened.
InputSource ramp(int* opened = nullptr)
{
    return {.path = "ramp", .load = [opened] {
                if (opened != nullptr)
                    ++*opened;
                return waveArray();
            }};
}

InspectRequest mapsOf(int64_t row, int64_t column)
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
    entry.bytes.assign(begin, begin + flat.numel() * int64_t(sizeof(float)));
    return entry;
}

/// q, k and v of all layers of the tiny model on the ramp, as a dump of the authors' networks would have them.
void dumpTo(const fs::path& file, std::map<std::string, std::string> header = {})
{
    const c10::InferenceMode guard;
    const auto model = goldenModel();
    std::vector<at::Tensor> q, k, v;
    LayerVisitor visitor({}, [&](int64_t, const AttentionInput& in, const at::Tensor&) {
        q.push_back(in.q), k.push_back(in.k), v.push_back(in.v);
    });
    model->logits(openMeasuredView(ramp(), *model).values, prepare(*model, "softmax"), &visitor);
    writeSafetensors(file, {{"q", entryOf(at::cat(q))}, {"k", entryOf(at::cat(k))}, {"v", entryOf(at::cat(v))}},
                     std::move(header));
}

}

class TestInspection : public QObject {
    Q_OBJECT
private slots:
    void anotherQueryNeedsNoPass()
    {
        const auto model = goldenModel();
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
        for (size_t layer = 0; layer < fresh.attention.front().maps.size(); ++layer) {
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
        const auto model = goldenModel();
        int opened = 0;
        InspectionMemory memory(1000);
        InspectionCalls calls;
        calls.memory = &memory;
        inspectLayers(NetworkInputs{model, {ramp(&opened)}}, errorsOf("lara:samples=4"), calls);
        QCOMPARE(memory.bytes(), 0);
        QCOMPARE(inspectLayers(NetworkInputs{model, {ramp(&opened)}}, mapsOf(0, 0), calls)
                     .attention.front()
                     .maps.size(),
                 inspectLayers(NetworkInputs{model, {ramp()}}, mapsOf(0, 0)).attention.front().maps.size());
        QCOMPARE(opened, 2);
    }

    void aCancelledQuestionLosesNothing()
    {
        const auto model = goldenModel();
        int opened = 0;
        InspectionMemory memory(1 << 30);
        InspectionCalls calls;
        calls.memory = &memory;
        inspectLayers(NetworkInputs{model, {ramp(&opened)}}, mapsOf(0, 0), calls);
        std::stop_source stop;
        stop.request_stop();
        calls.stop = stop.get_token();
        THROWS(Cancelled, inspectLayers(NetworkInputs{model, {ramp(&opened)}}, mapsOf(1, 1), calls));
        calls.stop = {};
        inspectLayers(NetworkInputs{model, {ramp(&opened)}}, mapsOf(1, 1), calls);
        QCOMPARE(opened, 1);
    }

    void dumpedTensorsHaveTheModelsErrors_data()
    {
        columns<QString, QString>("attention", "header");
        row("nystrom", "nystrom:samples=4", "");
        row("lara", "lara:samples=4", "4x4");
        row("mixed", "0=lara:samples=4", "");
    }
    void dumpedTensorsHaveTheModelsErrors()
    {
        FETCH_TEXT(attention);
        FETCH_TEXT(header);
        const Folder folder;
        TensorFile dump;
        dump.file = folder / "qkv.safetensors";
        dumpTo(dump.file, header.empty() ? std::map<std::string, std::string>()
                                         : std::map<std::string, std::string>{{"grid", header}});
        QVERIFY(holdsTensors(dump.file));
        InspectRequest request = errorsOf(attention);
        const LayerInspection model = inspectLayers(NetworkInputs{goldenModel(), {ramp()}}, request);
        request.query = TokenQuery{0, 1, 2, false};
        const LayerInspection tensors = inspectLayers(dump, request);
        const InspectedAttention &a = model.attention.front(), &b = tensors.attention.front();
        QVERIFY2(b.failure.empty(), b.failure.c_str());
        QCOMPARE(b.teacherForced.size(), a.teacherForced.size());
        QVERIFY(b.endToEnd.empty() && b.alone.empty() && b.drift.empty());
        QCOMPARE(tensors.grid.rows, model.grid.rows);
        QCOMPARE(tensors.prefix, model.prefix);
        for (size_t layer = 0; layer < a.teacherForced.size(); ++layer) {
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
        QCOMPARE(tensors.model.inputs.front().kind, "tensors");
    }

    void tokensWithoutAPlaceAreCalledByTheirNumber()
    {
        const Folder folder;
        TensorFile dump;
        dump.file = folder / "qkv.safetensors";
        const at::Tensor x = at::arange(2 * 3 * 7 * 4, at::kFloat).sin().reshape({2, 3, 7, 4});  // 7: no square
        writeSafetensors(dump.file, {{"q", entryOf(x)}, {"k", entryOf(x)}, {"v", entryOf(x)}}, {});
        InspectRequest request = errorsOf("performer:samples=8");
        request.query = TokenQuery{0, 0, 6, false};
        const LayerInspection inspection = inspectLayers(dump, request);
        QCOMPARE(inspection.grid.rows, 0);
        QCOMPARE(inspection.attention.front().maps[1].query, 6);
        QCOMPARE(inspection.attention.front().maps[1].exact[2].size(), 7);
        request.query = TokenQuery{0, 0, 7, false};
        REFUSES(UsageError, inspectLayers(dump, request), "from 0 to 6");
    }

    void headersThatDoNotFitAreRefusedInASentence_data()
    {
        columns<QString, QString>("grid", "sentence");
        row("too large", "9x9", "do not fill a grid of 9×9");
        row("huge", "9223372036854775807x9223372036854775807", "do not fill");
        row("words", "four by four", "ROWSxCOLUMNS");
        row("half", "4x", "ROWSxCOLUMNS");
        row("negative", "-4x-4", "ROWSxCOLUMNS");
    }
    void headersThatDoNotFitAreRefusedInASentence()
    {
        FETCH_TEXT(grid);
        FETCH_TEXT(sentence);
        const Folder folder;
        TensorFile dump;
        dump.file = folder / "qkv.safetensors";
        dumpTo(dump.file, {{"grid", grid}});
        REFUSES(FileError, inspectLayers(dump, errorsOf("performer:samples=8")), sentence);
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
        const LayerInspection inspection = inspectLayers(NetworkInputs{goldenModel(), {ramp()}}, request);
        const InspectedAttention &sparse = inspection.attention[0], &other = inspection.attention[1];
        QVERIFY(sparse.emptyRows && !other.emptyRows);
        double empty = 0;
        for (size_t layer = 0; layer < sparse.maps.size(); ++layer) {
            const LayerKeys& keys = sparse.teacherForced[layer].keys.value();
            empty += keys.mean.emptyRows / double(sparse.maps.size());
            QCOMPARE(keys.heads.size(), sparse.maps[layer].seen.size());
            for (size_t head = 0; head < keys.heads.size(); ++head) {
                const std::vector<float>&seen = sparse.maps[layer].seen[head],
                      &exact = sparse.maps[layer].exact[head];
                double mass = 0;
                for (size_t key = 0; key < seen.size(); ++key)
                    mass += seen[key] > 0 ? double(exact[key]) : 0;
                const auto kept = double(keys.massKept[head][size_t(sparse.maps[layer].query)]);
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
        QCOMPARE(json[0]["maps"][0]["seen"][0].size(), 17);
        QCOMPARE(json[0]["maps"][0]["mass_kept"][0].size(), 17);
        const Folder folder;
        writeMaps(inspection, folder / "maps.safetensors");
        const StateDict state = readSafetensors(openFile(folder / "maps.safetensors"), {});
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
        const LayerInspection inspection = inspectLayers(NetworkInputs{goldenModel(), {ramp()}}, request);
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
        for (size_t layer = 0; layer < tangent.teacherForced.size(); ++layer) {
            const InspectedLayer& one = tangent.teacherForced[layer];
            const LayerTokenMap &clusters = one.tokenMaps.front(), &errors = one.tokenMaps.back();
            QVERIFY(clusters.grid.rows * clusters.grid.columns == 16 && clusters.prefix == 1);
            for (size_t head = 0; head < one.heads.size(); ++head) {
                QCOMPARE(clusters.values[head].size(), 17);
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
        THROWS(UsageError, tokenMaps(performer, "cluster"));
        const Json json = toJson(inspection)["attention"];
        const Json map = json[0]["maps"][0]["token_maps"][0];
        QCOMPARE(map["name"].get<std::string>(), "cluster");
        QCOMPARE(map["kind"].get<std::string>(), "category");
        QVERIFY(map["values"][0][0].is_null() && map["values"][0].size() == 17);
        QCOMPARE(json[1]["maps"][0]["token_maps"].size(), 5);
        const Folder folder;
        writeMaps(inspection, folder / "maps.safetensors");
        const StateDict state = readSafetensors(openFile(folder / "maps.safetensors"), {});
        QVERIFY(state.tensors.count("0/cluster.0") == 1 && state.tensors.count("1/tail-blocks.0") == 1
                && state.tensors.count("2/query-error.0") == 1);
    }

    void logitsThatAreNotFiniteAreSaid()
    {
        const BrokenClassifier model(goldenModel(), "performer");
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
