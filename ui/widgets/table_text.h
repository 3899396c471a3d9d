#pragma once

#include "core/base/json.h"

#include <QString>

class QAbstractItemModel;

namespace attnscope::ui {

/// A table as text for the clipboard, its headings first.
QString tableAsTsv(const QAbstractItemModel& model);
QString tableAsMarkdown(const QAbstractItemModel& model);
/// A cell of a CSV file; a text that a spreadsheet would take for a formula stands behind an apostrophe.
QString csvCell(QString text);
/// For files. In CSV, texts that a spreadsheet would take for a formula stand behind an apostrophe.
QString tableAsCsv(const QAbstractItemModel& model);
/// Numbers in full under their names and units in the JSON: the objects of the report's lists, a line for each of their points.
QByteArray recordsAsCsv(const Json& report);
QString tableAsLatex(const QAbstractItemModel& model, const QString& caption);

}
