#include "ui/results/exits_tab.h"

#include "ui/style/qt_text.h"
#include "ui/widgets/field_row.h"
#include "ui/workspace/accuracy_text.h"

#include "core/lab/exits/exit_figures.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>

namespace attnscope::ui {

namespace {

constexpr int maxSamples = 2'000'000'000;

class ExitsTab : public InstrumentTab {
    Q_DECLARE_TR_FUNCTIONS(attnscope::ui::ExitsTab)
public:
    ExitsTab(ResultsSession& session, QWidget* parent)
        : InstrumentTab(session,
                        {u"exits"_s,
                         tr("How many blocks does a sample need?"),
                         tr("Early exits"),
                         tr("Accuracy behind each block, and what samples that leave early save"),
                         {u"folder"_s, tr("Choose a folder…")},
                         sketchFront({{"performer", 0.1, 0.16, true},
                                      {"performer", 0.3, 0.42, true},
                                      {"performer", 0.52, 0.66, true},
                                      {"softmax", 0.26, 0.6, true},
                                      {"softmax", 0.46, 0.82, true},
                                      {"softmax", 0.8, 0.9, true}})},
                        parent)
        , m_session(session)
    {
        m_folder->edit()->setPlaceholderText(tr("A folder with one subfolder per class"));
        m_limit->setAccessibleName(tr("Number of samples"));
        m_limit->setSpecialValueText(tr("All"));
        m_limit->setToolTip(tr("Number of samples, spread evenly over the folder"));
        QVBoxLayout* column = addCharts(
            {{tr("Accuracy against blocks run"), nullptr, tr("Curves appear once everything has been measured")}},
            6);
        m_charts.front().title->hide();
        auto* above = new QHBoxLayout;
        above->setSpacing(8);
        above->addWidget(m_views, 0, Qt::AlignTop);
        above->addWidget(m_legend, 1);
        column->insertLayout(0, above);
        addTables({tr("Thresholds")});
        addHead(tr("Charts as SVG, PNG or PDF, the table as CSV or TSV"));
        build({m_folder, m_limit});
        connect(empty()->second(), &QPushButton::clicked, this, [this] {
            const QString folder = QFileDialog::getExistingDirectory(this, tr("Labelled folder"),
                                                                     m_folder->path());
            if (!folder.isEmpty())
                m_folder->setPath(folder);
        });
    }

    bool hasResults() const override { return m_session.exits() != nullptr; }
    QString command() const override
    {
        return hasResults() || isMeasuring() ? m_session.exitsCommand().text()
               : m_folder->path().isEmpty()  ? QString()
                                             : m_session.commandOf(job()).text();
    }
    QString staleText() const override
    {
        return hasResults() ? m_session.exitsCommand().madeWith(m_session.commandOf(job())) : QString();
    }
    /// A folder to begin with, where none was chosen.
    bool take(Content, const QString& path) override
    {
        if (m_folder->path().isEmpty())
            m_folder->setPath(path);
        return true;
    }

private:
    const ExitReport& report() const { return *m_session.exits(); }
    ExitsJob job() const { return m_session.exitsJob(m_folder->path(), m_limit->value()); }
    void start() override { m_session.start(job()); }

    QString missing() const override
    {
        return job().request.attention.empty() ? tr("Select at least one backend.")
               : m_folder->path().isEmpty()    ? tr("Choose a labelled folder: every block's prediction for its "
                                                       "samples is compared with the last one's.")
                                               : QString();
    }
    QString summary() const override
    {
        return tr("Accuracy behind every block for %1, with %2.")
            .arg(QFileInfo(m_folder->path()).fileName(),
                 counted(job().request.attention.size(), [](int n) { return tr("%1 backend(s)", nullptr, n); }));
    }
    QString note() const override
    {
        return tr("attnscope-cli exits measures the same; attnscope-cli train --exits trains a head for each "
                  "block, without which exits say little.");
    }

    Outcome outcome() const override
    {
        return {translated(verdict(report())), translated(conditions(report())), report().complete};
    }
    QString running() const override { return tr("Measuring early exits"); }

    QList<LegendRow::Entry> entries() const override
    {
        const QStringList rules = isOfThresholds() ? QStringList{tr("confidence"), tr("fixed depth")}
                                                   : QStringList{tr("confidence"), tr("correctness oracle"),
                                                                 tr("likelihood oracle")};
        QList<LegendRow::Entry> entries;
        const std::vector<Chart> drawn = charts();
        for (const ChartSeries& series : drawn.front().series) {
            const qsizetype each = entries.size() % rules.size(), run = entries.size() / rules.size();
            entries << LegendRow::Entry{
                .key = toQt(series.name),
                .name = u"%1 · %2"_s.arg(titleOfSpec(toQt(report().attention[size_t(run)].attention)),
                                         rules[each]),
                .backend = toQt(series.backend)};
        }
        return entries;
    }

    std::vector<Chart> charts() const override
    {
        Chart chart = isOfThresholds() ? exitChart(report()) : oracleChart(report());
        widen(chart.x);
        return {std::move(chart)};
    }
    Table contents() const override { return exitTable(report(), &AttentionExits::confidence); }
    bool isOfThresholds() const { return m_views->current() == 0; }

    Exports exports() const override
    {
        Exports all = InstrumentTab::exports();
        all.records = [this] {
            Json json = results();
            for (Json& run : json["runs"]) {
                Json points = Json::array();
                for (const char* rule : {"depth", "confidence", "oracle_likelihood", "oracle_correctness"}) {
                    for (Json& point : run[rule])
                        points.emplace_back(std::move(point))["rule"] = rule;
                    run.erase(rule);
                }
                run["points"] = std::move(points);
            }
            return json;
        };
        return all;
    }
    Json results() const override { return toJson(report()); }

    ResultsSession& m_session;
    PathField* m_folder = new PathField(PathField::Kind::Folder, tr("Labelled folder"), {}, this);
    CaptionSpin* m_limit = new CaptionSpin(tr("Limit"), 0, maxSamples, 0, this);
    Segments* m_views = newChoices(tr("View"), {tr("Thresholds"), tr("Oracles")},
                                   tr("Oracles know the label, and bound what any rule without it can do"));
};

}

InstrumentTab* exitsTab(ResultsSession& session, QWidget* parent)
{
    return new ExitsTab(session, parent);
}

}
