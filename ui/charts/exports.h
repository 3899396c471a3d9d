#pragma once

#include "core/base/json.h"

#include <QString>

#include <functional>

class QAbstractItemModel;
class QWidget;

namespace attnscope::ui {

class ChartView;

/// What a screen writes to a file, by the suffix: charts as SVG, PNG or PDF, the table as CSV or TSV, everything as JSON.
struct Exports {
    QString name;  ///< of the file that is proposed
    const ChartView* chart = nullptr;
    const ChartView* second = nullptr;  ///< written next to the first one, under its name and `secondName`
    QString secondName = {};
    const QAbstractItemModel* table = nullptr;
    std::function<Json()> results = {};
    std::function<Json()> records = {};  ///< of the CSV; empty: the results
};

/// Empty, or what is wrong. Asks before it writes over the second chart, about which no file dialog has asked.
QString exportTo(QWidget* parent, const Exports& what, const QString& path);
/// The file that is chosen; empty: none was.
QString askExportPath(QWidget* parent, const QString& name);

}
