#include "ui/widgets/table_text.h"

#include "core/figure/markup.h"
#include "ui/style/qt_text.h"

#include <QAbstractItemModel>
#include <QHash>
#include <QStringList>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace attnscope::ui {

namespace {

/// Rows that have names, not numbers alone, nor what stands in their first cell anyway.
bool hasRowNames(const QAbstractItemModel& model)
{
    const QVariant first = model.rowCount() > 0 ? model.headerData(0, Qt::Vertical) : QVariant();
    return first.typeId() == QMetaType::QString && first != model.index(0, 0).data();
}

template <typename Line>
QString lines(const QAbstractItemModel& model, Line line)
{
    const bool named = hasRowNames(model);
    QStringList head, out;
    if (named)
        head << QString();
    for (int column = 0; column < model.columnCount(); ++column)
        head << model.headerData(column, Qt::Horizontal).toString();
    out << line(head);
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        if (named)
            cells << model.headerData(row, Qt::Vertical).toString();
        for (int column = 0; column < model.columnCount(); ++column)
            cells << model.index(row, column).data().toString();
        out << line(cells);
    }
    return out.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString latexCell(const QString& text)
{
    static const QHash<QChar, QString> spellings{
        {u'\\', u"\\textbackslash{}"_s}, {u'−', u"$-$"_s},      {u'≈', u"$\\approx$"_s}, {u'±', u"$\\pm$"_s},
        {u'\u202F', u"\\,"_s},           {u'★', u"$\\star$"_s}, {u'▲', QString()},       {u'▼', QString()}};
    QString out;
    for (const QChar c : text)
        out += u"&%$#_{}"_s.contains(c) ? QLatin1Char('\\') + QString(c) : spellings.value(c, QString(c));
    return out;
}

}

QString csvCell(QString text)
{
    text.replace(QLatin1Char('\n'), QLatin1Char(' '));
    bool number = false;
    text.toDouble(&number);
    if (!number && !text.isEmpty() && u"=+-@\t"_s.contains(text.front()))
        text.prepend(QLatin1Char('\''));
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')))
        return text;
    return QLatin1Char('"') + text.replace(QLatin1Char('"'), u"\"\""_s) + QLatin1Char('"');
}

QString tableAsTsv(const QAbstractItemModel& model)
{
    return lines(model, [](const QStringList& cells) { return cells.join(QLatin1Char('\t')); });
}

QString tableAsMarkdown(const QAbstractItemModel& model)
{
    QString text = lines(model, [](QStringList cells) {
        cells.replaceInStrings(u"|"_s, u"\\|"_s);
        return u"| "_s + cells.join(u" | "_s) + u" |"_s;
    });
    QString rule = hasRowNames(model) ? u"|---|"_s : u"|"_s;
    for (int column = 0; column < model.columnCount(); ++column)
        rule += u"---|"_s;
    return text.insert(text.indexOf(QLatin1Char('\n')) + 1, rule + QLatin1Char('\n'));
}

QString tableAsCsv(const QAbstractItemModel& model)
{
    return lines(model, [](QStringList cells) {
        for (QString& cell : cells)
            cell = csvCell(cell);
        return cells.join(QLatin1Char(','));
    });
}

QByteArray recordsAsCsv(const Json& report)
{
    std::vector<Json> records;
    for (const char* list : {"runs", "rows", "curves", "heads", "uniform", "front"})
        for (Json record : report.value(list, Json::array())) {
            if (!record.is_object())  // elsewhere a number of that name
                continue;
            const Json points = record.value("points", Json::array());
            record.erase("points");
            for (const Json& point : points)
                records.emplace_back(record).update(point);
            if (points.empty())
                records.push_back(std::move(record));
        }
    std::vector<std::string> keys, cells;
    for (Json& record : records) {
        record = record.flatten();
        for (const auto& [key, value] : record.items())
            if (std::ranges::find(keys, key) == keys.end())
                keys.push_back(key);
    }
    for (const std::string& key : keys) {
        std::string& heading = cells.emplace_back(key.substr(1));
        std::ranges::replace(heading, '/', ' ');
        if (heading.starts_with("claimed"))
            heading.replace(0, 7, "exponents theoretical");  // what the window calls it
        heading.front() = char(std::toupper(heading.front()));
    }
    std::string text = csvLine(cells);
    for (const Json& record : records) {
        cells.clear();
        for (const std::string& key : keys) {
            const Json value = record.value(key, Json());
            cells.push_back(value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump());
        }
        text += csvLine(cells);
    }
    return QByteArray::fromStdString(text);
}

QString tableAsLatex(const QAbstractItemModel& model, const QString& caption)
{
    QString columns = hasRowNames(model) ? u"l"_s : QString();
    for (int column = 0; column < model.columnCount(); ++column)
        columns += model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignRight
                       ? QLatin1Char('r')
                       : QLatin1Char('l');
    QString body = lines(model, [](QStringList cells) {
        for (QString& cell : cells)
            cell = latexCell(cell);
        return cells.join(u" & "_s) + u" \\\\"_s;
    });
    body.insert(body.indexOf(QLatin1Char('\n')) + 1, u"\\hline\n"_s);
    return u"\\begin{table}\n\\caption{%1}\n\\begin{tabular}{%2}\n\\hline\n%3\\hline\n\\end{tabular}"
           "\n\\end{table}\n"_s.arg(latexCell(caption), columns, body);
}

}
