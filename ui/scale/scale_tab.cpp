#include "ui/scale/scale_tab.h"

#include "ui/scale/scale_words.h"
#include "ui/style/qt_text.h"

#include "core/lab/decode/decode_output.h"
#include "core/lab/lab_json.h"
#include "core/lab/lab_tables.h"

#include <QLineEdit>

namespace attnscope::ui {

namespace {

/// Its points come one by one.
bool isEmpty(const ScaleReport& report)
{
    return std::ranges::all_of(report.rows, [](const ScaleRow& row) { return row.points.empty(); });
}

bool isEmpty(const DecodeReport& report)
{
    return report.rows.front().points.empty();
}

}

ScaleTab::ScaleTab(ScaleSession& session, ScaleSession::Kind kind, About about, QWidget* parent)
    : InstrumentTab(session, std::move(about), parent)
    , m_session(session)
    , m_kind(kind)
{
    connect(&session, &ScaleSession::resultsChanged, this, [this](int changed) {
        if (changed == m_kind)
            refreshIfShown();
    });
}

QString ScaleTab::command() const
{
    return hasResults() || isMeasuring() ? m_session.command(m_kind)
                                         : lineOf(job(), m_session.chosenThreads()).text();
}

ScaleTab::Outcome ScaleTab::outcome() const
{
    return std::visit(
        []<typename Report>(const Report& report) -> Outcome {
            if constexpr (requires { isEmpty(report); })
                if (isEmpty(report))
                    return {};
            Outcome outcome{translated(attnscope::verdict(report)), translated(attnscope::conditions(report))};
            if constexpr (requires { report.complete; })
                outcome.complete = report.complete;
            return outcome;
        },
        *m_session.result(m_kind));
}

QString ScaleTab::loadText() const
{
    if (!hasResults())
        return {};
    return std::visit(
        [](const auto& report) {
            if constexpr (requires { report.environment; })
                return loadWarning(report.environment, report.device.threads);
            else if constexpr (requires { report.model.environment; })
                return loadWarning(report.model.environment, report.model.device.threads);
            else
                return QString();
        },
        *m_session.result(m_kind));
}

Json ScaleTab::results() const
{
    return std::visit([](const auto& report) -> Json { return toJson(report); }, *m_session.result(m_kind));
}

QLineEdit* ScaleTab::newCountsField(const QString& name, int minWidth, const QString& text)
{
    auto* field = new QLineEdit(text, this);
    field->setAccessibleName(name);
    field->setMinimumWidth(minWidth);
    field->setMaximumWidth(320);
    field->setTextMargins(4, 0, 4, 0);
    return field;
}

CaptionCombo* ScaleTab::newImageSizes()
{
    auto* box = new CaptionCombo(tr("Image"), this);
    box->setAccessibleName(tr("Image size, which determines the number of tokens"));
    box->addItem(tr("Same as run"), 0);
    box->setItemData(0, tr("The size in the bar above, or else the model's own"), Qt::ToolTipRole);
    for (const int side : {224, 384, 448})
        box->addItem(tr("%1 px").arg(side), side);
    return box;
}

}
