// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/table_text.h"

#include <QAbstractItemModel>
#include <QStringList>

namespace attnscope::ui {

namespace {

template <typename Line>
QString lines(const QAbstractItemModel& model, Line line)
{
    QStringList head, out;
    for (int column = 0; column < model.columnCount(); ++column)
        head << model.headerData(column, Qt::Horizontal).toString();
    out << line(head);
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells << model.index(row, column).data().toString();
        out << line(cells);
    }
    return out.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace

QString tableAsTsv(const QAbstractItemModel& model)
{
    return lines(model, [](const QStringList& cells) { return cells.join(QLatin1Char('\t')); });
}

QString tableAsMarkdown(const QAbstractItemModel& model)
{
    QString text = lines(model, [](QStringList cells) {
        cells.replaceInStrings(QStringLiteral("|"), QStringLiteral("\\|"));
        return QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |");
    });
    QString rule = QStringLiteral("|");
    for (int column = 0; column < model.columnCount(); ++column)
        rule += QStringLiteral("---|");
    return text.insert(text.indexOf(QLatin1Char('\n')) + 1, rule + QLatin1Char('\n'));
}

}  // namespace attnscope::ui
