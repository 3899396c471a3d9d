#include "ui/live/live_rows_model.h"

#include "ui/style/qt_text.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope::ui {

namespace {

constexpr size_t remembered = 20;  // clips that a latency is the median of

QString percent(int64_t part, int64_t whole)
{
    const auto fraction = double(part) / double(std::max<int64_t>(whole, 1));
    // Never rounded to "all" or "none" where it is not.
    const double shown = part == whole ? 100 : std::clamp(std::round(100 * fraction), part == 0 ? 0.0 : 1.0, 99.0);
    return u"%1 %"_s.arg(shown, 0, 'f', 0);
}

}

LiveRowsModel::LiveRowsModel(QObject* parent)
    : CellModel(
        {{tr("Backend")},
         {tr("Timeline")},
         {tr("Latency"),
          tr("One forward pass, median of the last 20 clips, under load from decoding and drawing. Compare "
             "measures it "
             "without load."),
          true},
         {tr("Clips/s"), tr("Clips per second that this backend could process on its own: 1 / latency."), true},
         {tr("Peak memory"), tr("Peak tensor memory of the last clip's forward pass, above the level before it."),
          true},
         {tr("Agrees"), tr("Fraction of predicted clips whose top-1 class is the same as the reference's."),
          true}},
        parent)
{}

int LiveRowsModel::referenceRow() const
{
    for (size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i].column.reference)
            return int(i);
    return -1;
}

void LiveRowsModel::setRows(const std::vector<ColumnSpec>& columns)
{
    beginResetModel();
    std::vector<Row> next;
    std::vector<TimelineName> names;
    for (const ColumnSpec& column : columns) {
        const auto known = std::ranges::find_if(m_rows,
                                                [&](const Row& row) { return row.column.spec == column.spec; });
        Row row = known != m_rows.end() ? std::move(*known) : Row();
        row.column = column;
        row.outcome = nullptr;
        next.push_back(std::move(row));
        names.push_back({fromQt(column.spec), fromQt(column.backend)});
    }
    m_rows = std::move(next);
    m_last.reset();
    m_timeline.setRows(names, size_t(std::max(0, referenceRow())));
    for (int row = 0; row < rowCount(); ++row)
        rebuild(row);
    endResetModel();
    emit predictionsChanged();
}

void LiveRowsModel::clear()
{
    beginResetModel();
    m_timeline.clear();
    m_last.reset();
    m_differences.clear();
    for (Row& row : m_rows)
        row = Row{.column = row.column};
    endResetModel();
    emit predictionsChanged();
}

void LiveRowsModel::takePrediction(Row& row, const BackendPrediction& outcome)
{
    row.outcome = &outcome;
    row.failure = toQt(outcome.failure);
    if (!outcome.failure.empty())
        return;
    row.peakBytes = outcome.peakBytes;
    if (row.latencies.size() < remembered)
        row.latencies.push_back(outcome.latencyMs);
    else
        row.latencies[row.next++ % remembered] = outcome.latencyMs;
}

void LiveRowsModel::take(const LivePrediction& prediction)
{
    m_last = std::make_shared<const LivePrediction>(prediction);
    m_timeline.add(prediction, m_grid.every);
    for (Row& row : m_rows)
        for (const BackendPrediction& outcome : m_last->predictions)
            if (toQt(outcome.attention) == row.column.spec)
                takePrediction(row, outcome);
    for (int row = 0; row < rowCount(); ++row)
        rebuild(row);
    emitAllChanged();
    emit predictionsChanged();
}

void LiveRowsModel::setTimeline(const Timeline& timeline)
{
    m_timeline = timeline;
    for (int row = 0; row < rowCount(); ++row)
        rebuild(row);
    emitAllChanged();
    emit predictionsChanged();
}

void LiveRowsModel::setElsewhere(const QString& sentence)
{
    if (std::exchange(m_elsewhere, sentence) != sentence)
        emit predictionsChanged();
}

QString LiveRowsModel::waiting() const
{
    return !m_elsewhere.isEmpty() ? m_elsewhere
           : m_last               ? tr("Waiting for the next clip")
                                  : tr("Waiting for the first clip");
}

void LiveRowsModel::rebuild(int number)
{
    Row& row = m_rows[size_t(number)];
    const auto& rows = m_timeline.rows();
    row.stretches.clear();
    row.differences.clear();
    std::vector<Disagreement> differences;
    if (number != int(m_timeline.reference()))
        differences = disagreements(rows[m_timeline.reference()].predictions, rows[size_t(number)].predictions);
    for (const Disagreement& each : differences)
        row.differences.push_back(secondsOf(each.begin));
    auto next = differences.begin();
    for (const TimelineSegment& segment : rows[size_t(number)].predictions.segments()) {
        while (next != differences.end() && next->end <= segment.begin)
            ++next;
        const bool differs = next != differences.end() && next->begin < segment.end;
        row.stretches.push_back(
            {secondsOf(segment.begin), secondsOf(segment.end), className(segment.index), differs});
    }
    if (number + 1 < rowCount())
        return;
    m_differences.clear();
    for (const int64_t tick : m_timeline.disagreementTicks())
        m_differences.push_back(secondsOf(tick));
}

double LiveRowsModel::nextDifference(double seconds) const
{
    const auto found = std::ranges::upper_bound(m_differences, seconds + 1e-3);
    return found == m_differences.end() ? -1 : *found;
}

double LiveRowsModel::previousDifference(double seconds) const
{
    const auto found = std::ranges::lower_bound(m_differences, seconds - 1e-3);
    return found == m_differences.begin() ? -1 : *std::prev(found);
}

bool LiveRowsModel::namesHidden() const
{
    return m_last
           && std::any_of(m_last->predictions.begin(), m_last->predictions.end(),
                          [](const BackendPrediction& outcome) {
                              return outcome.failure.empty() && outcome.weights == WeightsKind::Untrained;
                          });
}

QString LiveRowsModel::className(int64_t index) const
{
    const std::string label = m_timeline.label(index);
    return label.empty() ? tr("class %1").arg(index) : toQt(label);
}

QString LiveRowsModel::nameOf(const Prediction& prediction) const
{
    return prediction.label.empty() ? tr("class %1").arg(prediction.index) : toQt(prediction.label);
}

PredictionCell LiveRowsModel::now(int number) const
{
    PredictionCell cell;
    const Row& row = m_rows[size_t(number)];
    if (!isPredicted() || row.outcome == nullptr || row.outcome->top.empty())
        return cell;
    const int reference = referenceRow();
    const BackendPrediction* expected = reference >= 0 ? m_rows[size_t(reference)].outcome : nullptr;
    for (size_t i = 0; i < row.outcome->top.size(); ++i) {
        const Prediction& each = row.outcome->top[i];
        const bool differs = expected != nullptr && i < expected->top.size()
                             && expected->top[i].index != each.index;
        cell.lines.push_back({nameOf(each), toQt(formatProbability(each.probability)), each.probability, differs});
    }
    cell.hiddenNames = row.outcome->weights == WeightsKind::Untrained;
    return cell;
}

double LiveRowsModel::medianMs(const Row& row) const
{
    std::vector<double> sorted = row.latencies;
    const auto middle = sorted.begin() + ptrdiff_t(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
}

QString LiveRowsModel::figure(const Row& row, int number, int column) const
{
    if (row.latencies.empty())
        return {};
    switch (column) {
    case LatencyColumn:
        return toQt(formatMilliseconds(medianMs(row)).text());
    case RateColumn: {
        const double rate = 1000 / std::max(medianMs(row), 1e-3);
        return QString::number(rate, 'f', rate < 10 ? 1 : 0);
    }
    case MemoryColumn:
        return toQt(formatBytes(row.peakBytes).text());
    case AgreementColumn: {
        if (row.column.reference)
            return tr("reference");
        const Timeline::Row& counted = m_timeline.rows()[size_t(number)];
        return counted.clips == 0
                   ? QString()
                   : tr("%1 of %2").arg(percent(counted.agreed, counted.clips), countText(counted.clips));
    }
    default:
        return {};
    }
}

CellModel::Cell LiveRowsModel::cell(int number, int column) const
{
    const Row& row = m_rows[size_t(number)];
    Cell cell{column == Backend ? row.column.title()
              : column == Track
                  ? tr("%1 segments, disagrees in %2 places").arg(row.stretches.size()).arg(row.differences.size())
                  : figure(row, number, column)};
    cell.backend = row.column.lookKey();
    cell.dim = column == AgreementColumn && row.column.reference;
    cell.help = !row.failure.isEmpty() ? row.failure : column == Backend ? row.column.spec : QString();
    cell.spoken = cell.text;
    return cell;
}

QVariant LiveRowsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[size_t(index.row())];
    switch (role) {
    case NameRole:
        return row.column.backend;
    case SamplesRole:
        return row.column.detail();
    case ReferenceRole:
        return row.column.reference;
    case FailureRole:
        return row.failure;
    default:
        return CellModel::data(index, role);
    }
}

QVariant LiveRowsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? data(index(section, Backend)) : QVariant();
    return CellModel::headerData(section, orientation, role);
}

QString LiveRowsModel::headline() const
{
    const int reference = referenceRow();
    if (!isPredicted() || reference < 0 || now(reference).lines.empty())
        return isPredicted() && !m_rows.empty() && !m_rows.front().failure.isEmpty()
                   ? tr("No backend could process this clip")
                   : waiting();
    const QString expected = now(reference).lines.front().name;
    QStringList others, names;
    int arrived = 0;
    for (int row = 0; row < rowCount(); ++row) {
        const PredictionCell cell = now(row);
        if (cell.lines.empty())
            continue;
        ++arrived;
        if (cell.lines.front().name == expected)
            continue;
        names << m_rows[size_t(row)].column.name();
        others << tr("%1: %2").arg(names.back(), cell.lines.front().name);
    }
    if (arrived == 1)
        return tr("%1 predicts %2").arg(m_rows[size_t(reference)].column.name(), expected);
    if (others.isEmpty())
        return arrived == 2 ? tr("Both predict %1").arg(expected)
                            : tr("All %1 predict %2").arg(arrived).arg(expected);
    const QString first = tr("%1: %2").arg(m_rows[size_t(reference)].column.name(), expected);
    if (others.size() == 1)
        return first + u" · "_s + others.front();
    const QString last = names.takeLast();
    return first + u" · "_s + tr("%1 and %2 differ").arg(names.join(u", "_s), last);
}

QString LiveRowsModel::detail() const
{
    QStringList parts;
    for (int row = 0; row < rowCount(); ++row) {
        const Timeline::Row& counted = m_timeline.rows()[size_t(row)];
        if (!m_rows[size_t(row)].column.reference && counted.clips > 0)
            parts << tr("%1 agrees on %2 of %3 clips")
                         .arg(m_rows[size_t(row)].column.name(), percent(counted.agreed, counted.clips),
                              countText(counted.clips));
    }
    return parts.join(u" · "_s);
}

}
