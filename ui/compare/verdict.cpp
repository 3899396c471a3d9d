#include "ui/compare/verdict.h"

#include "ui/style/qt_text.h"

#include <QMap>

#include <algorithm>

namespace attnscope::ui {

namespace {

QString className(const Prediction& top)
{
    return top.label.empty() ? tr("class %1").arg(top.index) : toQt(top.label);
}

QString numberWord(int number)
{
    const QStringList words{tr("None"), tr("One"), tr("Two"),   tr("Three"), tr("Four"),
                            tr("Five"), tr("Six"), tr("Seven"), tr("Eight")};
    return number < words.size() ? words[number] : QString::number(number);
}

/// "All three predict tabby cat", or who says otherwise.
QString predictions(const RunTableModel& model, const std::vector<int>& predicted)
{
    const int base = model.referenceColumn();
    const auto reference = base >= 0 && model.record(base) && !model.record(base)->top.empty() ? base
                                                                                               : predicted.front();
    const Prediction& first = model.record(reference)->top.front();
    QStringList others;
    int agree = 0;
    for (const int column : predicted) {
        const Prediction& top = model.record(column)->top.front();
        if (sameClass(*model.record(column), *model.record(reference), 0).value_or(false))
            ++agree;
        else
            others << tr("%1 predicts %2").arg(model.columnTitle(column), className(top));
    }
    const int count = int(predicted.size());
    if (count == 1)
        return tr("%1 predicts %2").arg(model.columnTitle(reference), className(first));
    if (others.isEmpty())
        return count == 2 ? tr("Both predict %1").arg(className(first))
                          : tr("All %1 predict %2").arg(numberWord(count).toLower(), className(first));
    const QString head =
        agree == 1
            ? tr("%1 predicts %2").arg(model.columnTitle(reference), className(first))
            : tr("%1 of %2 predict %3").arg(numberWord(agree), numberWord(count).toLower(), className(first));
    return head + u"; "_s
           + (others.size() <= 2 ? others.join(u", "_s)
                                 : tr("%1 predict otherwise").arg(numberWord(int(others.size())).toLower()));
}

/// "Feature cosine 0.8312 (performer 128) to 0.9812 (lara 49)".
QString featureWords(const RunTableModel& model, const std::vector<int>& measured)
{
    std::vector<int> others;
    for (const int column : measured)
        if (!isExact(*model.record(column)))
            others.push_back(column);
    const auto cosine = [&](int column) { return model.record(column)->featureDrift->cosine; };
    if (others.empty())
        return tr("Exact attention alone: its features are what others are compared with");
    const auto [low, high] = std::ranges::minmax_element(others, {}, cosine);
    const auto named = [&](int column) {
        return u"%1 (%2)"_s.arg(cosineText(cosine(column)), model.columnTitle(column));
    };
    if (others.size() == 1)
        return tr("Feature cosine %1").arg(named(others.front()));
    return tr("Feature cosine %1 to %2").arg(named(*low), named(*high));
}

/// Whether what is gained is worth what is lost: of one input, so that no more than an evaluation is recommended.
QString worth(const RunTableModel& model, int column)
{
    const auto kind = [&](Row row) {
        return model.index(int(row), column).data(RunTableModel::DeltaRole).value<Delta>().kind;
    };
    const auto known = [&](Row row) { return model.state(row, column) == CellState::Done; };
    if (!known(Row::AttentionOnly) || !known(Row::PeakMemory) || !known(Row::RelativeError)
        || model.referenceColumn() < 0)
        return {};
    if (kind(Row::AttentionOnly) != Delta::Better && kind(Row::PeakMemory) != Delta::Better)
        return tr("not worth it: no gain");
    if (kind(Row::RelativeError) == Delta::Worse)
        return tr("not worth it: ignores the queries");
    const auto ours = model.record(column), theirs = model.record(model.referenceColumn());
    if (ours->weights == WeightsKind::Untrained || !theirs || ours->top.empty() || theirs->top.empty()
        || sameClass(*ours, *theirs, 0).value_or(true))
        return tr("worth an evaluation");
    return tr("not worth it: another class");
}

/// "lara 49: error 0.19, attention time ≈, memory −12 % – worth an evaluation"
QString costs(const RunTableModel& model, int column)
{
    QStringList parts;
    const auto held = [&](Row row, int role) { return model.index(int(row), column).data(role); };
    const auto add = [&](const QString& words, const QString& figure) {
        if (!figure.isEmpty())
            parts << words.arg(figure);
    };
    add(tr("error %1"), held(Row::RelativeError, RunTableModel::ValueRole).toString());
    add(tr("attention time %1"), held(Row::AttentionOnly, RunTableModel::DeltaRole).value<Delta>().text);
    add(tr("memory %1"), held(Row::PeakMemory, RunTableModel::DeltaRole).value<Delta>().text);
    if (parts.isEmpty())
        return {};
    const QString words = model.columnTitle(column) + u": "_s + parts.join(u", "_s), end = worth(model, column);
    return end.isEmpty() ? words : tr("%1 – %2").arg(words, end);
}

QString measuringNow(const RunTableModel& model)
{
    for (int row = 0; row < rowCount; ++row)
        for (int column = 0; column < model.columnCount(); ++column)
            if (model.state(model.rowAt(row), column) == CellState::Measuring)
                return tr("Measuring %1: %2. Completed measurements are kept.")
                    .arg(model.columnTitle(column), rowTitle(model.rowAt(row)).toLower());
    return tr("Loading the model and the image.");
}

/// The sentence where features stand in the place of classes.
Verdict featureVerdict(const RunTableModel& model)
{
    std::vector<int> measured;
    QStringList details;
    bool untrained = false;
    for (int column = 0; column < model.columnCount(); ++column) {
        if (!model.index(0, column).data(RunTableModel::PredictionsRole).isValid())
            continue;
        measured.push_back(column);
        untrained = untrained || model.record(column)->weights == WeightsKind::Untrained;
        if (column != model.referenceColumn() && !costs(model, column).isEmpty())
            details << costs(model, column);
    }
    if (measured.empty() && !model.isRunning() && model.anyFeatures())
        return {tr("The features are not finite"), {}};
    if (measured.empty() && !model.isRunning())
        return {
            model.anyRecord() ? tr("Features were not measured yet") : tr("Not run yet"),
            tr("Press Run (F5) to compare the features of every selected backend with those of exact attention.")};
    if (measured.empty())
        return {tr("Running each backend…"), measuringNow(model)};
    return {untrained ? tr("Compare costs only: these weights are untrained") : featureWords(model, measured),
            model.isRunning() ? measuringNow(model) : details.join(detailSeparator())};
}

}

QString detailSeparator()
{
    return u"     "_s;
}

Verdict verdict(const RunTableModel& model)
{
    if (model.subject() == Subject::Features && !model.isUnreadable(model.currentInput()))
        return featureVerdict(model);
    std::vector<int> predicted;
    QStringList notFinite;
    bool untrained = false;
    QStringList details;
    for (int column = 0; column < model.columnCount(); ++column) {
        const auto record = model.record(column);
        if (record && record->top.empty() && !record->views.empty())
            notFinite << model.columnTitle(column);
        if (!record || record->top.empty())
            continue;
        predicted.push_back(column);
        untrained = untrained || record->weights == WeightsKind::Untrained;
        if (column != model.referenceColumn() && !costs(model, column).isEmpty())
            details << costs(model, column);
    }
    if (model.isUnreadable(model.currentInput()))
        return {tr("This file could not be read"), model.inputs().size() < 2 ? tr("Open another one with Ctrl+O.")
                                                   : model.isRunning()
                                                       ? tr("Processing continues with the other inputs.")
                                                       : tr("The other inputs are not affected.")};
    if (predicted.empty() && !notFinite.isEmpty())
        return {tr("No prediction: the logits are not finite"), notFinite.join(u", "_s)};
    if (predicted.empty())
        return {model.isRunning() ? tr("Running each backend…") : tr("Not run yet"),
                model.isRunning() ? measuringNow(model)
                                  : tr("Press Run (F5) to run every selected backend and measure its cost.")};
    QString head = untrained ? tr("Compare costs only: these weights are untrained")
                             : predictions(model, predicted);
    if (!notFinite.isEmpty())
        head += tr("; the logits of %1 are not finite").arg(notFinite.join(u", "_s));
    return {head, model.isRunning() ? measuringNow(model) : details.join(detailSeparator())};
}

}
