// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAbstractItemModel;

namespace attnscope::ui {

/// A table as text for the clipboard, its headings first.
QString tableAsTsv(const QAbstractItemModel& model);
QString tableAsMarkdown(const QAbstractItemModel& model);

}  // namespace attnscope::ui
