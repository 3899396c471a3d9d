#include "ui/widgets/table_text.h"

#include "ui/style/qt_text.h"

#include "core/base/json_path.h"

#include <QAbstractItemModel>

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

/// As it is shown.
Table tableOf(const QAbstractItemModel& model)
{
    Table table;
    const bool named = hasRowNames(model);
    if (named)
        table.columns.emplace_back();
    for (int column = 0; column < model.columnCount(); ++column)
        table.columns.push_back(
            {.title = fromQt(model.headerData(column, Qt::Horizontal).toString()),
             .number = (model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignRight)
                       != 0});
    for (int row = 0; row < model.rowCount(); ++row) {
        std::vector<std::string> texts;
        if (named)
            texts.push_back(fromQt(model.headerData(row, Qt::Vertical).toString()));
        for (int column = 0; column < model.columnCount(); ++column)
            texts.push_back(fromQt(model.index(row, column).data().toString()));
        table.addTexts(texts);
    }
    return table;
}

}

QString tableAsTsv(const QAbstractItemModel& model)
{
    return toQt(tsv(tableOf(model)));
}

QString tableAsMarkdown(const QAbstractItemModel& model)
{
    return toQt(markdown(tableOf(model)));
}

QString tableAsCsv(const QAbstractItemModel& model)
{
    return toQt(csv(tableOf(model)));
}

Table recordsTable(const std::vector<Json>& records)
{
    Table table;
    std::vector<std::string> keys;
    for (const Json& record : records)
        for (const auto& [key, value] : record.items())
            if (std::ranges::find(keys, key) == keys.end())
                table.columns.push_back({.title = keys.emplace_back(key)});
    for (const Json& record : records) {
        std::vector<std::string> texts;
        for (const std::string& key : keys) {
            const Json value = record.value(key, Json());
            texts.push_back(value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump());
        }
        table.addTexts(texts);
    }
    return table;
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
    for (Json& record : records)
        record = record.flatten();
    Table table = recordsTable(records);
    for (Column& column : table.columns) {
        std::string heading = column.title.plain.substr(1);
        std::ranges::replace(heading, '/', ' ');
        if (heading.starts_with("claimed"))
            heading.replace(0, 7, "exponents theoretical");  // what the window calls it
        heading.front() = char(std::toupper(heading.front()));
        column.title = heading;
    }
    return QByteArray::fromStdString(csv(table));
}

QByteArray jsonText(const Json& report)
{
    return QByteArray::fromStdString(printableJson(report.dump(2, ' ', false, Json::error_handler_t::replace))
                                     + "\n");
}

QString tableAsLatex(const QAbstractItemModel& model, const QString& caption)
{
    Table table = tableOf(model);
    table.caption = fromQt(caption);
    return toQt(latex(table));
}

}
