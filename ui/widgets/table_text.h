// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAbstractItemModel;

namespace attnscope::ui {

/// A table as text for the clipboard, its headings first.
QString tableAsTsv(const QAbstractItemModel& model);
QString tableAsMarkdown(const QAbstractItemModel& model);
/// For files. In CSV, texts that a spreadsheet would take for a formula stand behind an apostrophe.
QString tableAsCsv(const QAbstractItemModel& model);
QString tableAsLatex(const QAbstractItemModel& model, const QString& caption);

}  // namespace attnscope::ui
