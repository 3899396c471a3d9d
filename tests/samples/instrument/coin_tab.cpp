#include "tests/samples/instrument/coin_tab.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/command_line.h"

namespace attnscope::ui {

namespace {

CommandLine lineOf(const CoinRequest& request)
{
    return {"toss", request, {"--tosses"}};
}

class CoinTab : public InstrumentTab {
    Q_DECLARE_TR_FUNCTIONS(attnscope::ui::CoinTab)
public:
    CoinTab(CoinSession& session, QWidget* parent)
        : InstrumentTab(session,
                        {u"coin"_s,
                         tr("Is the coin fair?"),
                         tr("Heads vs. tosses"),
                         tr("The fraction of heads after 1, 2, 4 … tosses"),
                         {u"open"_s, tr("A thousand")},
                         sketchCurves({{"softmax", 0.9, 0.5}})},
                        parent)
        , m_session(session)
    {
        addCharts({{tr("Fraction of heads")}});
        addTables({tr("Tosses")});
        build({m_tosses});
        connect(empty()->second(), &QPushButton::clicked, this, [this] { m_tosses->setValue(1024); });
    }

    bool hasResults() const override { return m_session.report() != nullptr; }
    QString command() const override
    {
        return lineOf(hasResults() || isMeasuring() ? m_session.request() : request()).text();
    }
    QString staleText() const override
    {
        return hasResults() ? lineOf(m_session.request()).madeWith(lineOf(request())) : QString();
    }

private:
    const CoinReport& report() const { return *m_session.report(); }
    CoinRequest request() const { return {m_tosses->value(), m_session.workspace().context().seed}; }
    void start() override { m_session.start(request()); }

    QString missing() const override { return m_tosses->value() == 0 ? tr("Toss it at least once.") : QString(); }
    QString summary() const override { return tr("%1 tosses.").arg(m_tosses->value()); }
    QString note() const override { return tr("Heads are 1, tails are 0."); }
    QString running() const override { return tr("Tossing"); }
    Outcome outcome() const override
    {
        return {tr("Heads: %1").arg(report().heads.back()), tr("%1 tosses").arg(report().request.tosses),
                report().complete};
    }
    QList<LegendRow::Entry> entries() const override { return {{.key = u"heads"_s, .name = tr("heads")}}; }
    std::vector<Chart> charts() const override
    {
        ChartSeries series{.name = "heads"};
        for (size_t i = 0; i < report().heads.size(); ++i)
            series.points.push_back({.x = double(1 << i), .y = report().heads[i]});
        return {{.title = "heads", .series = {series}}};
    }
    Table contents() const override
    {
        Table table{.columns = {{fromQt(tr("Tosses"))}, {fromQt(tr("Heads"))}}};
        for (size_t i = 0; i < report().heads.size(); ++i)
            table.addTexts({std::to_string(1 << i), std::to_string(report().heads[i])});
        return table;
    }
    Json results() const override { return {{"tosses", report().request.tosses}, {"heads", report().heads}}; }

    CoinSession& m_session;
    CaptionSpin* m_tosses = new CaptionSpin(tr("Tosses"), 0, 1 << 20, 64, this);
};

}

CoinSession::CoinSession(Workspace& workspace, QObject* parent)
    : Session(workspace, parent)
    , m_task(workspace.engine(), {MeasuringGate::Work::Laboratory}, tossCoin)
{
    follow(m_task);
    connect(&m_task, &TaskBase::grew, this, &Session::stateChanged);
}

InstrumentTab* coinTab(CoinSession& session, QWidget* parent)
{
    return new CoinTab(session, parent);
}

}
