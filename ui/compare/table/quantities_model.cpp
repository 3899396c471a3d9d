#include "ui/compare/table/quantities_model.h"

#include "ui/compare/table/run_table_model.h"
#include "ui/style/qt_text.h"

#include "core/base/format.h"

#include <functional>
#include <optional>

namespace attnscope::ui {

namespace {

struct FigureColumn {
    const char* title;
    std::function<QString(const RunRecord&)> text;
    bool ofFeatures = false;  ///< there only where features are compared
};

/// A cosine of the features of a record, or nothing.
template <typename Choose>
std::function<QString(const RunRecord&)> featureText(Choose choose)
{
    return [choose](const RunRecord& record) {
        const std::optional<double> cosine = record.featureDrift ? choose(*record.featureDrift) : std::nullopt;
        return cosine ? cosineText(*cosine) : QString();
    };
}

QString range(double low, double high)
{
    return toQt(formatMilliseconds(low).text()) + u" – "_s + toQt(formatMilliseconds(high).text());
}

QString figureMilliseconds(double value)
{
    return toQt(formatMilliseconds(value).text());
}

const std::vector<FigureColumn>& figureColumns()
{
    using R = const RunRecord&;
    static const std::vector<FigureColumn> all{
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "backend"), [](R r) { return toQt(r.attention); }},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "whole model"),
         [](R r) { return r.latency ? figureMilliseconds(r.latency->medianMs) : QString(); }},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "p5 – p95"),
         [](R r) { return r.latency ? range(r.latency->p05Ms, r.latency->p95Ms) : QString(); }},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "attention"),
         [](R r) { return r.latency ? figureMilliseconds(r.latency->attentionMedianMs) : QString(); }},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "p5 – p95"),
         [](R r) { return r.latency ? range(r.latency->attentionP05Ms, r.latency->attentionP95Ms) : QString(); }},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "n"),
         [](R r) { return r.latency ? QString::number(r.latency->repetitions) : QString(); }},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "peak"),
         [](R r) { return r.memory ? toQt(formatBytes(r.memory->peakBytes).text()) : QString(); }},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "attention peak"),
         [](R r) { return r.memory ? toQt(formatBytes(r.memory->attentionPeakBytes).text()) : QString(); }},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "weights"),
         [](R r) { return r.memory ? toQt(formatBytes(r.memory->weightsBytes).text()) : QString(); }},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "rel. error"),
         [](R r) { return r.error ? errorText(r.error->error.relative) : QString(); }},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "std. dev. (seeds)"),
         [](R r) {
             if (!r.error)
                 return QString();
             return r.error->deterministic ? QuantitiesModel::tr("deterministic")
                                           : errorText(r.error->error.relativeStddev) + u" ("_s
                                                 + QString::number(r.error->seeds) + QLatin1Char(')');
         }},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "MSE"),
         [](R r) { return r.error ? errorText(r.error->error.mse) : QString(); }},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "mean of values"),
         [](R r) { return r.error ? errorText(r.error->meanOfValues.relative) : QString(); }},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "KL"),
         [](R r) { return r.endToEnd && r.endToEnd->hasClasses ? errorText(r.endToEnd->kl) : QString(); }},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "features, cosine"),
         featureText([](const FeatureDrift& d) { return std::optional(d.cosine); }), true},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "class token"),
         featureText([](const FeatureDrift& d) { return d.token; }), true},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "patch mean"),
         featureText([](const FeatureDrift& d) { return d.avg; }), true},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "each patch"), featureText([](const FeatureDrift& d) {
             return d.patches ? std::optional(d.patches->mean) : std::nullopt;
         }),
         true},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "5 % of patches"),
         featureText(
             [](const FeatureDrift& d) { return d.patches ? std::optional(d.patches->p05) : std::nullopt; }),
         true},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "multiply-adds"),
         [](R r) { return r.macs > 0 ? toQt(formatQuantity(r.macs).text()) : QString(); }},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "weight status"),
         [](R r) { return weightsWord(r.weights); }},
        {QT_TRANSLATE_NOOP("attnscope::ui::QuantitiesModel", "notes"),
         [](R r) {
             QStringList notes;
             for (const std::string& note : r.notes)
                 notes << toQt(note);
             if (!r.failure.empty())
                 notes << toQt(r.failure);
             return notes.join(u"; "_s);
         }},
    };
    return all;
}

}

QuantitiesModel::QuantitiesModel(const RunTableModel& runs, QObject* parent)
    : CellModel({}, parent)
    , m_runs(runs)
{
    setColumns();
    connect(&runs, &RunTableModel::figuresChanged, this, &QuantitiesModel::refresh);
    connect(&runs, &QAbstractItemModel::modelReset, this, &QuantitiesModel::refresh);
    refresh();
}

void QuantitiesModel::setColumns()
{
    m_columns.clear();
    m_shown.clear();
    const auto count = figureColumns().size();
    for (std::size_t i = 0; i < count; ++i)
        if (!figureColumns()[i].ofFeatures || m_runs.subject() == Subject::Features) {
            m_columns << Column{tr(figureColumns()[i].title), {}, i > 0 && i + 2 < count};
            m_shown.push_back(i);
        }
}

void QuantitiesModel::refresh()
{
    const bool hasFeatures = m_shown.size() == figureColumns().size();
    if (m_rows == m_runs.columnCount() && hasFeatures == (m_runs.subject() == Subject::Features))
        return emitAllChanged();
    beginResetModel();
    setColumns();
    m_rows = m_runs.columnCount();
    endResetModel();
}

CellModel::Cell QuantitiesModel::cell(int row, int column) const
{
    if (row >= m_runs.columnCount())
        return {};
    if (column == 0)
        return {m_runs.column(row).spec};
    const auto record = m_runs.record(row);
    const QString text = record ? figureColumns()[m_shown[std::size_t(column)]].text(*record) : QString();
    return {text.isEmpty() ? u"—"_s : text};
}

QString QuantitiesModel::rowName(int row) const
{
    return row < m_runs.columnCount() ? m_runs.columnTitle(row) : QString();
}

}
