#pragma once

#include "core/base/json.h"
#include "core/figure/table.h"

#include <QString>

class QAbstractItemModel;

namespace attnscope::ui {

/// A table as text for the clipboard, its headings first.
QString tableAsTsv(const QAbstractItemModel& model);
QString tableAsMarkdown(const QAbstractItemModel& model);
/// For files.
QString tableAsCsv(const QAbstractItemModel& model);
/// A column for each key of flat records.
Table recordsTable(const std::vector<Json>& records);
/// Numbers in full under their names and units in the JSON: the objects of the report's lists, a line for each of their points.
QByteArray recordsAsCsv(const Json& report);
/// As the command line's `--json` writes it.
QByteArray jsonText(const Json& report);
QString tableAsLatex(const QAbstractItemModel& model, const QString& caption);

}
