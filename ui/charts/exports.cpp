#include "ui/charts/exports.h"

#include "ui/charts/chart_view.h"
#include "ui/charts/figure_file.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/confirm.h"
#include "ui/widgets/table_text.h"

#include <QFileDialog>
#include <QFileInfo>

namespace attnscope::ui {

QString askExportPath(QWidget* parent, const QString& name)
{
    return QFileDialog::getSaveFileName(
        parent, tr("Export"), exportName({name}, u"svg"_s),
        tr("Charts as SVG (*.svg);;Charts as PNG, 2× (*.png);;Charts as PDF (*.pdf);;Table as CSV (*.csv);;Table "
           "as TSV (*.tsv);;All results as JSON (*.json)"));
}

QString exportTo(QWidget* parent, const Exports& what, const QString& path)
{
    const QFileInfo file(path);
    const QString suffix = file.suffix().toLower();
    if (suffix == "tsv"_L1)
        return writeBytes(path, tableAsTsv(*what.table).toUtf8());
    if (suffix == "csv"_L1)
        return writeBytes(path, recordsAsCsv(what.records ? what.records() : what.results()));
    if (suffix == "json"_L1)
        return writeBytes(path, jsonText(what.results()));
    if (what.second == nullptr)
        return what.chart->saveAs(path);
    const QString aside = u"%1/%2-%3.%4"_s.arg(file.path(), file.completeBaseName(), what.secondName,
                                               file.suffix());
    if (QFileInfo::exists(aside)
        && !confirmed(parent, {u"replacing"_s,
                               tr("Replace the second chart?"),
                               tr("The second chart is saved next to the first one, but %1 already exists.")
                                   .arg(QFileInfo(aside).fileName()),
                               {},
                               tr("Replace"),
                               tr("Cancel")}))
        return {};
    const QString problem = what.chart->saveAs(path);
    return problem.isEmpty() ? what.second->saveAs(aside) : problem;
}

}
