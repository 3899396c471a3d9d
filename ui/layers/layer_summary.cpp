// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/layers/layer_summary.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"

#include "core/base/format.h"

#include <QGridLayout>
#include <QLabel>

namespace attnscope::ui {

namespace {

constexpr int columnHeight = 4, maxRows = 2 * columnHeight + 1;  // the last one goes across

QString withSpread(double value, double stddev)
{
    return stddev > 0 ? QStringLiteral("%1 ± %2").arg(errorText(value), errorText(stddev)) : errorText(value);
}

using EntryList = std::vector<std::pair<QString, QString>>;

/// In two columns: how the error is made up, and what to hold it against; then what the layer does alone.
EntryList infoOf(const InspectedAttention& one, const InspectedLayer& layer, const HeadErrors& errors, InspectionMode mode)
{
    const auto tr = [](const char* text) { return LayerSummary::tr(text); };
    EntryList info{{tr("relative error"), withSpread(errors.error.relative, errors.error.relativeStddev)}};
    if (one.deterministic) {
        info.emplace_back(tr("MSE"), errorText(errors.error.mse));
        info.emplace_back(tr("deterministic"), tr("no variance"));
        info.emplace_back();
    } else {
        info.emplace_back(tr("MSE"), errorText(errors.error.mse));
        info.emplace_back(tr("= bias²"), errorText(errors.parts.biasSquared));
        info.emplace_back(tr("+ variance"), errorText(errors.parts.variance));
    }
    info.emplace_back(tr("mean of values"), errorText(layer.meanOfValues.relative));
    info.emplace_back(tr("zero"), QStringLiteral("1"));
    if (errors.classToken)
        info.emplace_back(tr("class token"), errorText(errors.classToken->relative));
    if (errors.patches)
        info.emplace_back(tr("patches"), errorText(errors.patches->relative));
    info.resize(2 * columnHeight);
    const auto at = static_cast<std::size_t>(layer.layer);
    if (mode == InspectionMode::EndToEnd && at < one.alone.size())
        info.emplace_back(tr("this layer alone"),
                           (one.alone[at].top1Agrees ? tr("KL %1, same class") : tr("KL %1, ≠ class")).arg(errorText(one.alone[at].kl)));
    return info;
}

}  // namespace

LayerSummary::LayerSummary(LayersSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 4, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(3);
    for (int i = 0; i < maxRows; ++i) {
        m_info.push_back({new QLabel(this), new QLabel(this)});
        m_info.back().value->setFont(fontFor(Type::BodyStrong));
        m_info.back().value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_info.back().value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    for (int i = 0; i < maxRows; ++i) {
        const bool last = i + 1 == maxRows;
        const int column = i / columnHeight * 3, row = i % columnHeight;
        m_grid->addWidget(m_info[static_cast<std::size_t>(i)].name, last ? columnHeight : row, last ? 0 : column);
        m_grid->addWidget(m_info[static_cast<std::size_t>(i)].value, last ? columnHeight : row, last ? 1 : column + 1, 1, last ? 4 : 1);
    }
    for (const int column : {1, 4})
        m_grid->setColumnStretch(column, 1);
    m_grid->setColumnMinimumWidth(2, 10);
    connect(&m_session, &LayersSession::changed, this, &LayerSummary::refresh);
    connect(&m_session, &LayersSession::cellChanged, this, &LayerSummary::refresh);
}

void LayerSummary::refresh()
{
    const HeadErrors* errors = m_session.cellErrors();
    EntryList info;
    if (errors != nullptr)
        info = infoOf(*m_session.shown(), m_session.layers()[static_cast<std::size_t>(m_session.cell().layer)], *errors,
                        m_session.mode());
    for (std::size_t i = 0; i < m_info.size(); ++i) {
        const bool shown = i < info.size();
        m_info[i].name->setText(shown ? info[i].first : QString());
        m_info[i].value->setText(shown ? info[i].second : QString());
        m_info[i].value->setAccessibleName(m_info[i].name->text());
        m_info[i].name->setVisible(shown);  // places that stay empty keep their height
        m_info[i].value->setVisible(shown);
    }
}

QString LayerSummary::text() const
{
    QStringList lines;
    for (const Entry& entry : m_info)
        if (!entry.name->text().isEmpty())
            lines << entry.name->text() + QStringLiteral(": ") + entry.value->text();
    return lines.join(QLatin1Char('\n'));
}

}  // namespace attnscope::ui
