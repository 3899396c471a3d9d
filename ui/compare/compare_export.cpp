#include "ui/compare/compare_export.h"

#include "ui/compare/table/run_table_model.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/table_text.h"
#include "ui/workspace/workspace.h"

#include "core/base/error.h"
#include "core/run/record_json.h"

#include <utility>
#include <vector>

namespace attnscope::ui {

namespace {

void flatten(const Json& json, const std::string& prefix, Json& into)
{
    for (const auto& [key, value] : json.items()) {
        if (value.is_object())
            flatten(value, prefix + key + ".", into);
        else if (!value.is_array())
            into[prefix + key] = value;
    }
}

template <typename Take>
void forEachRun(const RunTableModel& runs, Take take)
{
    for (int input = 0; input < int(runs.inputs().size()); ++input)
        for (int column = 0; column < runs.columnCount(); ++column)
            if (const auto record = runs.recordOf(input, column))
                take(input, *record, fromQt(runs.madeWithOf(input, column)));
}

}

QString comparisonText(const RunTableModel& runs, QChar separator)
{
    std::vector<Json> lines;
    forEachRun(runs, [&](int input, const RunRecord& record, const std::string& made) {
        Json run = toJson(record), line{{"input", fromQt(runs.inputs()[size_t(input)].path)}};
        if (!record.top.empty())
            run["top"] = Json(run["top"].front());
        flatten(run, {}, line);
        line["made_with"] = made;
        lines.push_back(std::move(line));
    });
    const Table table = recordsTable(lines);
    return toQt(separator == QLatin1Char(',') ? csv(table) : tsv(table));
}

QString comparisonJson(const RunTableModel& runs, const Workspace& workspace, std::vector<ComparedModel> others)
{
    const auto model = workspace.model();
    if (!model)
        throw UsageError("", "the model is not loaded", "wait for it, or export a CSV file");
    RunReport report{.model = model->summary,
                     .others = std::move(others),
                     .device = summarise(model->device),
                     .environment = environment(),
                     .dtype = fromQt(workspace.context().dtype),
                     .seed = workspace.context().seed,
                     .transform = model->transform.name(),
                     .unreadable = workspace.unreadable()};
    int last = -1;
    forEachRun(runs, [&](int input, const RunRecord& record, const std::string& made) {
        if (!made.empty())
            throw UsageError(record.attention, "its results were " + made,
                             "run the comparison again, or export a CSV file");
        if (std::exchange(last, input) != input) {
            report.inputs.push_back(runs.inputRecord(input));
            report.inputs.back().runs.clear();
        }
        report.inputs.back().runs.push_back(record);
    });
    Json json = toJson(report);
    if (model->arithmetic)
        json["model"]["attention_macs"] = model->arithmetic->attention;
    return toQt(json.dump(2, ' ', false, Json::error_handler_t::replace)) + QLatin1Char('\n');
}

}
