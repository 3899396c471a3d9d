// What a cell of the comparison's table shows, says and is worth: the model's predictions to views.
#include "ui/compare/table/run_table_model.h"
#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"
#include "ui/workspace/made_with.h"

#include "core/base/format.h"

#include <QPoint>

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

constexpr std::array<Row, rowCount> allRows{Row::Predictions, Row::WholeModel, Row::AttentionOnly, Row::PeakMemory,
                                            Row::RelativeError};

RunStage stageOf(Row row)
{
    switch (row) {
    case Row::Predictions:
        return RunStage::Predict;
    case Row::WholeModel:
    case Row::AttentionOnly:
        return RunStage::Latency;
    case Row::PeakMemory:
        return RunStage::Memory;
    case Row::RelativeError:
    case Row::Features:
        return RunStage::Error;
    }
    return RunStage::Predict;
}

size_t stageIndex(Row row)
{
    return size_t(stageOf(row));
}

/// Also where no class could be: the logits of its views are not finite.
bool isPredicted(const RunRecord& record)
{
    return !record.top.empty() || !record.views.empty();
}

/// The context says which network it was: its number may be another one by now.
AttentionSpec withoutNumber(const QString& spec)
{
    return AttentionSpec::parse(fromQt(spec)).withCheckpoint({});
}

QString shownFailure(const QString& sentence)
{
    return sentence.contains("memory"_L1, Qt::CaseInsensitive) ? RunTableModel::tr("Not enough memory")
                                                               : RunTableModel::tr("Could not run");
}

}

Row RunTableModel::rowAt(int index) const
{
    return index == 0 && m_subject == Subject::Features ? Row::Features : allRows[size_t(index)];
}

CellState RunTableModel::state(Row row, int column) const
{
    const Result* found = result(column);
    return found == nullptr ? CellState::NotRun : found->stages[stageIndex(row)];
}

QString RunTableModel::columnTitle(int column) const
{
    return m_columns[size_t(column)].title();
}

QString RunTableModel::staleText(Row row, int column, int input) const
{
    const ColumnSpec& now = m_columns[size_t(column)];
    const Result* found = resultAt(input, now.id);
    if (found == nullptr || !found->record || (m_running && found->run == m_runNumber))
        return {};
    const QString made = toQt(found->record->attention);
    if (made != now.spec && withoutNumber(made) != withoutNumber(now.spec))
        return tr("made with %1").arg(made);
    const RunContext& was = found->context;
    QString context = madeWith(was, now.context(m_context), !inputRecord(input).views.empty());
    if (!context.isEmpty())
        return context;
    if (row == Row::WholeModel || row == Row::AttentionOnly)
        return timesMadeWith(found->effort, m_effort);
    if (row == Row::PeakMemory && found->effort.threads != m_effort.threads)
        return madeWithThreads(found->effort.threads);
    const auto& error = found->record->error;
    return (row == Row::RelativeError || row == Row::Features) && error && !error->deterministic
               ? errorsMadeWith(found->effort, m_effort)
               : QString();
}

QString RunTableModel::madeWithOf(int input, int column) const
{
    for (const Row row : allRows)
        if (const QString text = staleText(row, column, input); !text.isEmpty())
            return text;
    return {};
}

bool RunTableModel::needsRun() const
{
    for (int column = 0; column < columnCount(); ++column)
        if (result(column) == nullptr || state(Row::RelativeError, column) == CellState::Absent
            || !madeWithOf(m_current, column).isEmpty())
            return true;
    return false;
}

QVariant RunTableModel::interval(Row row, int column) const
{
    const auto shown = record(column);
    if (!shown || row == Row::Predictions || row == Row::Features || row == Row::PeakMemory
        || !figure(row, *shown))
        return {};
    if (row == Row::RelativeError && isExact(*shown))
        return {};
    Interval out;
    const Measured own = *figure(row, *shown);
    out.low = out.scaleLow = own.low;
    out.high = out.scaleHigh = own.high;
    out.mid = own.mid;
    for (int other = 0; other < columnCount(); ++other) {
        const auto theirs = record(other) ? figure(row, *record(other)) : std::nullopt;
        if (!theirs || !std::isfinite(theirs->low) || !std::isfinite(theirs->high))
            continue;
        out.scaleLow = std::min(out.scaleLow, theirs->low);
        out.scaleHigh = std::max(out.scaleHigh, theirs->high);
        if (row == Row::RelativeError && delta(row, other).kind != Delta::None)
            out.scaleHigh = std::max(out.scaleHigh, record(other)->error->meanOfValues.relative);
    }
    if (row == Row::RelativeError) {
        out.scaleLow = std::min(0.0, out.scaleLow);
        out.hasReference = delta(row, column).kind != Delta::None;
        out.reference = shown->error->meanOfValues.relative;
        return QVariant::fromValue(out);
    }
    const int reference = referenceColumn();
    const auto base = reference >= 0 && record(reference) ? figure(row, *record(reference)) : std::nullopt;
    out.hasReference = base && reference != column;
    out.reference = base.value_or(Measured()).mid;
    return QVariant::fromValue(out);
}

Delta RunTableModel::delta(Row row, int column) const
{
    const int reference = referenceColumn();
    if (row == Row::RelativeError && record(column))
        return baselineNote(*record(column));
    if (reference < 0 || reference == column)
        return {};
    const auto ours = record(column), theirs = record(reference);
    const Measure* measure = measureOf(row);
    return ours && theirs && measure ? difference(*measure, measurementsOf(*ours), measurementsOf(*theirs),
                                                  m_columns[size_t(reference)].name())
                                     : Delta{};
}

QString RunTableModel::agreement(int column, Agreement words) const
{
    const int reference = referenceColumn();
    if (reference == column)
        return tr("reference");
    if (reference < 0)
        return {};
    int both = 0, agree = 0;
    bool isComparable = true;
    for (int input = 0; input < int(m_states.size()); ++input) {
        const Result* ours = resultAt(input, m_columns[size_t(column)].id);
        const Result* theirs = resultAt(input, m_columns[size_t(reference)].id);
        if (ours == nullptr || theirs == nullptr || !ours->record || !theirs->record || !isPredicted(*ours->record)
            || !isPredicted(*theirs->record))
            continue;
        const std::optional<bool> same = sameClass(*ours->record, *theirs->record, 0);
        isComparable = isComparable && same;
        ++both;
        agree += same.value_or(false);
    }
    if (!isComparable)
        return tr("other classes");
    const QString name = m_columns[size_t(reference)].name();
    if (both > 1)
        return words == Agreement::Short ? tr("%1 of %2").arg(agree).arg(both)
                                         : tr("%1 of %2 agree with %3").arg(agree).arg(both).arg(name);
    if (both == 1 && words == Agreement::Short)
        return agree == 1 ? tr("same top-1") : tr("different");
    if (both == 1)
        return agree == 1 ? tr("same top-1 as %1").arg(name) : tr("differs from %1").arg(name);
    return {};
}

QVariant RunTableModel::predictions(int column) const
{
    const auto shown = record(column);
    if (!shown || shown->top.empty())
        return {};
    const int reference = referenceColumn();
    const auto base = reference >= 0 && reference != column ? record(reference) : nullptr;
    PredictionCell cell;
    cell.shown = m_shown;
    cell.hiddenNames = shown->weights == WeightsKind::Untrained;
    cell.footer = agreement(column, Agreement::Whole);
    cell.shortFooter = agreement(column, Agreement::Short);
    for (size_t i = 0; i < shown->top.size(); ++i) {
        const Prediction& prediction = shown->top[i];
        PredictionLine line{predictionName(prediction, shown->weights),
                            toQt(formatProbability(prediction.probability)), prediction.probability, false};
        line.differs = base && i < base->top.size() && !sameClass(*shown, *base, i).value_or(true);
        cell.lines.push_back(line);
    }
    return QVariant::fromValue(cell);
}

QString RunTableModel::neighbours(int column, Agreement words) const
{
    const FeatureAgreement* known = agreementOf(column);
    if (known == nullptr || !known->sameNeighbour)
        return {};
    const auto same = int64_t(std::llround(*known->sameNeighbour * double(known->inputs)));
    return (words == Agreement::Short ? tr("%1 of %2") : tr("same neighbour: %1 of %2"))
        .arg(same)
        .arg(known->inputs);
}

QVariant RunTableModel::features(int column) const
{
    const auto shown = record(column);
    if (!shown || !shown->featureDrift)
        return {};
    PredictionCell cell;
    cell.shown = m_shown;
    cell.lines = featureLines(*shown->featureDrift);
    cell.image = patchImage(shown->featureDrift->colours);
    const bool reference = referenceColumn() == column;
    cell.footer = reference ? tr("reference") : neighbours(column, Agreement::Whole);
    cell.shortFooter = reference ? tr("reference") : neighbours(column, Agreement::Short);
    return QVariant::fromValue(cell);
}

QString RunTableModel::note(Row row, int column) const
{
    const auto shown = record(column);
    switch (state(row, column)) {
    case CellState::NotRun:
        return isUnreadable(m_current) ? tr("unreadable") : tr("not run yet");
    case CellState::Waiting:
        if (row == Row::Predictions || row == Row::Features)
            return tr("waiting for the model");
        if (row == Row::PeakMemory)
            return tr("waiting for latency");
        if (m_subject == Subject::Features)
            return row == Row::RelativeError ? tr("waiting for the model") : tr("waiting for features");
        return row == Row::RelativeError ? tr("waiting for memory") : tr("waiting for predictions");
    case CellState::Measuring:
        return tr("measuring");
    case CellState::Failed:
        return shown ? shownFailure(toQt(shown->failure)) : QString();
    case CellState::Absent:
        return shown && !shown->failure.empty() ? tr("not measured") : tr("not reached");
    case CellState::Done:
        break;
    }
    if (row == Row::RelativeError && shown && isExact(*shown))
        return tr("exact");
    if (row == Row::Features && shown && !shown->featureDrift)
        return tr("Run measures them");
    if (row == Row::Predictions && shown && shown->endToEnd && !shown->endToEnd->hasClasses)
        return tr("no classes");
    if ((row == Row::Predictions && shown && shown->top.empty())
        || (row == Row::Features && shown && !figure(row, *shown)))
        return tr("not finite");
    return shown && !figure(row, *shown) ? u"—"_s : QString();
}

QString RunTableModel::spokenText(Row row, int column) const
{
    const QString head = columnTitle(column) + u", "_s + rowTitle(row) + u": "_s;
    const auto shown = record(column);
    if (state(row, column) != CellState::Done || !shown || !figure(row, *shown))
        return head + note(row, column);
    if (row == Row::Predictions || row == Row::Features) {
        QStringList lines;
        const QVariant held = row == Row::Features ? features(column) : predictions(column);
        for (const PredictionLine& line : held.value<PredictionCell>().lines)
            lines << (line.differs ? tr("%1 %2, differs").arg(line.name, line.probabilityText)
                                   : line.name + QLatin1Char(' ') + line.probabilityText);
        const QString agree = row == Row::Features ? neighbours(column, Agreement::Whole) : QString();
        return head + lines.join(u"; "_s) + (agree.isEmpty() ? QString() : u"; "_s + agree);
    }
    QString text = isExact(*shown) && row == Row::RelativeError ? tr("exact")
                                                                : toQt(quantityText(row, *shown).text());
    const Delta difference = delta(row, column);
    if (!difference.spoken.isEmpty())
        text += u", "_s + difference.spoken;
    if (row == Row::RelativeError)
        text += largestErrorText(*shown);
    const QString stale = staleText(row, column);
    return head + text + (stale.isEmpty() ? QString() : u", "_s + stale);
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Row row = rowAt(index.row());
    const int column = index.column();
    const auto shown = record(column);
    const bool filled = shown && state(row, column) == CellState::Done && figure(row, *shown);
    switch (role) {
    case StateRole:
        return int(state(row, column));
    case NoteRole:
        return note(row, column);
    case StaleRole:
        return staleText(row, column);
    case Qt::AccessibleTextRole:
        return spokenText(row, column);
    case DetailRole:
        return shown ? toQt(shown->failure) : QString();
    case DeltaRole:
        return QVariant::fromValue(filled ? delta(row, column) : Delta{});
    case IntervalRole:
        return filled ? interval(row, column) : QVariant();
    case PredictionsRole:
        return !filled                   ? QVariant()
               : row == Row::Predictions ? predictions(column)
               : row == Row::Features    ? features(column)
                                         : QVariant();
    case ValueRole:
        return filled ? toQt(quantityText(row, *shown).value) : QString();
    case UnitRole:
        return filled ? toQt(quantityText(row, *shown).unit) : QString();
    case RawRole:
        return filled ? QVariant(figure(row, *shown)->mid) : QVariant();
    case ProgressRole: {
        const Result* found = result(column);
        if (found == nullptr)
            return {};
        const Progress& progress = found->progress[stageIndex(row)];
        return QPoint(int(progress.done), int(progress.total));
    }
    case Qt::DisplayRole:
        if (!filled)
            return note(row, column);
        if (row == Row::Predictions)
            return predictionName(shown->top.front(), shown->weights) + QLatin1Char(' ')
                   + toQt(formatProbability(shown->top.front().probability));
        if (row == Row::Features)
            return cosineText(shown->featureDrift->cosine);
        return isExact(*shown) && row == Row::RelativeError ? tr("exact") : toQt(quantityText(row, *shown).text());
    case Qt::ToolTipRole:
        return state(row, column) == CellState::Failed ? toQt(shown->failure) : spokenText(row, column);
    default:
        return columnData(column, role);
    }
}

/// Where several networks are compared, the whole path of the column's, and what is known of the file.
QString RunTableModel::networkText(int column) const
{
    const ColumnSpec& spec = m_columns[size_t(column)];
    if (spec.network.isEmpty())
        return {};
    const auto shown = record(column);
    const QString hash = shown ? toQt(shown->checkpoint.sha256) : QString();
    return u'\n' + spec.context(m_context).weights + (hash.isEmpty() ? QString() : u"\nSHA-256 "_s + hash);
}

QVariant RunTableModel::columnData(int column, int role) const
{
    const ColumnSpec& spec = m_columns[size_t(column)];
    const auto shown = record(column);
    switch (role) {
    case NameRole:
        return spec.backend;
    case BackendRole:
        return spec.lookKey();
    case SamplesRole:
        return spec.samples;
    case ReferenceRole:
        return spec.reference;
    case SpecRole:
        return spec.spec;
    case IdRole:
        return spec.id;
    case WeightsRole:
        return shown ? weightsText(shown->weights) : QString();
    case NetworkRole:
        return spec.network;
    default:
        return {};
    }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical) {
        const bool within = section >= 0 && section < ui::rowCount;
        return within && role == Qt::DisplayRole   ? QVariant(rowTitle(rowAt(section)))
               : within && role == Qt::ToolTipRole ? rowHelp(rowAt(section))
                                                   : QVariant();
    }
    if (section < 0 || section >= columnCount())
        return {};
    if (role == Qt::DisplayRole)
        return columnTitle(section);
    if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
        return columnData(section, SpecRole).toString()
               + (m_columns[size_t(section)].reference ? tr(", reference") : QString()) + networkText(section);
    return columnData(section, role);
}

}
