// Files of the Results screen: stores, tables, figures and reports.
#include "ui/charts/chart_view.h"
#include "ui/charts/figure_file.h"
#include "ui/results/exits_tab.h"
#include "ui/results/results_page.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/table_text.h"
#include "ui/workspace/command_line.h"

#include "core/attention/backend_info.h"
#include "core/report/report.h"
#include "core/run/record_fields.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QTableView>
#include <algorithm>
#include <vector>

namespace attnscope::ui {

namespace {

/// A run as files have it: plain numbers, their units in the names.
Json recordOf(const ResultRow& row)
{
    const StoredEvaluation& evaluation = *row.evaluation;
    const EvaluationSettings& settings = evaluation.settings;
    const StoredRun& run = row.stored();
    const Accuracy& accuracy = row.accuracy;
    const auto [low, high] = accuracy.interval();
    const auto known = [&](double value) { return accuracy.known() ? Json(value) : Json(); };
    return {{"run", run.id},
            {"attention", run.attention},
            {"weights", toText(run.weights)},
            {"model", settings.model},
            {"data", evaluation.dataRoot},
            {"state", toText(evaluation.state)},
            {"samples", accuracy.samples},
            {"top1", known(accuracy.value())},
            {"top1_low", known(low)},
            {"top1_high", known(high)},
            {"top5", known(accuracy.top5().value())},
            {"latency_ms", run.latency ? writeFields(*run.latency) : Json()},
            {"memory_bytes", run.memory ? writeFields(*run.memory) : Json()},
            {"error", run.error ? writeFields(*run.error) : Json()},
            {"unreadable", evaluation.unreadable},
            {"device", settings.device},
            {"threads", settings.threads},
            {"dtype", settings.dtype},
            {"seed", settings.seed},
            {"changed", evaluation.changed},
            {"note", evaluation.note},
            {"failure", run.failure}};
}

}

const QAbstractItemModel* ResultsPage::shownTable() const
{
    if (showsExits())
        return &m_exits->cells();
    return m_comparison->hasFocus() ? static_cast<const QAbstractItemModel*>(&m_sides) : &m_proxy;
}

QString ResultsPage::command() const
{
    if (showsExits())
        return m_exits->command();
    const ResultRow* row = current();
    return row == nullptr ? QString() : toQt(row->evaluation->settings.command);
}

void ResultsPage::askFiles()
{
    const QString file = QFileDialog::getOpenFileName(this, tr("Open a results store"),
                                                      QFileInfo(m_store.file()).path(),
                                                      tr("Results stores (*.sqlite *.db);;All files (*)"));
    if (!file.isEmpty())
        m_store.setFile(file);
}

QString ResultsPage::defaultName(const QString& suffix) const
{
    const ResultRow* row = current();
    if (row == nullptr)
        return exportName({u"results"_s}, suffix);
    return exportName({toQt(row->evaluation->settings.model), toQt(row->stored().backend)}, suffix);
}

void ResultsPage::askExport()
{
    if (showsExits())
        return m_exits->askExport();
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export"), defaultName(u"csv"_s),
        tr("Runs as CSV (*.csv);;Runs as JSON (*.json);;Table as TSV (*.tsv);;Table as Markdown (*.md);;Table as "
           "LaTeX (*.tex);;Chart as SVG "
           "(*.svg);;Chart as PNG, 2× (*.png);;Chart as PDF (*.pdf)"));
    if (!path.isEmpty())
        showProblem(exportTo(path));
}

QString ResultsPage::exportTo(const QString& path)
{
    const QStringList formats{u"csv"_s, u"json"_s, u"tsv"_s, u"md"_s, u"tex"_s, u"svg"_s, u"png"_s, u"pdf"_s};
    if (const QString refused = refusedFormat(path, formats); !refused.isEmpty())
        return refused;
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == "svg"_L1 || suffix == "png"_L1 || suffix == "pdf"_L1)
        return m_chart->saveAs(path);
    Json runs = Json::array();
    for (int row = 0; row < m_proxy.rowCount(); ++row)
        runs.push_back(recordOf(m_proxy.row(row)));
    const Json records{{"runs", std::move(runs)}};
    if (suffix == "csv"_L1)
        return writeBytes(path, recordsAsCsv(records));
    if (suffix == "json"_L1)
        return writeBytes(
            path, QByteArray::fromStdString(records.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"));
    const QString text = suffix == "tsv"_L1 ? tableAsTsv(m_proxy)
                         : suffix == "md"_L1
                             ? tableAsMarkdown(m_proxy)
                             : tableAsLatex(m_proxy, tr("Runs in %1").arg(QFileInfo(m_store.file()).fileName()));
    return writeBytes(path, text.toUtf8());
}

void ResultsPage::askReport()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Report"), defaultName(u"html"_s),
                                                      tr("HTML (*.html);;Markdown (*.md);;CSV (*.csv)"));
    if (!path.isEmpty())
        writeReport(path);
}

/// Of the evaluations that the filter leaves; without a filter, of all.
void ResultsPage::writeReport(const QString& path)
{
    const QStringList formats{u"html"_s, u"htm"_s, u"md"_s, u"csv"_s};
    if (const QString refused = refusedFormat(path, formats); !refused.isEmpty()) {
        showMessage(MessageBar::Kind::Error, refused);
        return;
    }
    std::vector<int64_t> evaluations;
    for (int row = 0; !m_filter->text().isEmpty() && row < m_proxy.rowCount(); ++row)
        if (const int64_t id = m_proxy.row(row).evaluation->id;
            std::ranges::find(evaluations, id) == evaluations.end())
            evaluations.push_back(id);
    m_store.ask(
        {}, this,
        [path, evaluations](ResultStore& store) {
            ReportOptions options;
            options.evaluations = evaluations;
            attnscope::writeReport(store, options, fromQt(path), seriesStyle);
            return path;
        },
        [this](const QString& written) {
            if (!written.isEmpty())
                showMessage(MessageBar::Kind::Info, tr("Report saved to %1.").arg(written));
        });
}

}
