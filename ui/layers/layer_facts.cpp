// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/layers/layer_facts.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"

#include "core/base/format.h"

#include <QGridLayout>
#include <QLabel>

namespace attnscope::ui {

namespace {

constexpr int columnHeight = 4, mostFacts = 2 * columnHeight + 1;  // the last one goes across

QString withSpread(double value, double deviation)
{
    return deviation > 0 ? QStringLiteral("%1 ± %2").arg(errorText(value), errorText(deviation)) : errorText(value);
}

using FactList = std::vector<std::pair<QString, QString>>;

/// In two columns: how the error is made up, and what to hold it against; then what the layer does alone.
FactList factsOf(const InspectedAttention& one, const InspectedLayer& layer, const HeadErrors& errors, InspectionMode mode)
{
    const auto tr = [](const char* text) { return LayerFacts::tr(text); };
    FactList facts{{tr("relative error"), withSpread(errors.error.relative, errors.error.relativeDeviation)}};
    if (one.deterministic) {
        facts.emplace_back(tr("mse"), errorText(errors.error.mse));
        facts.emplace_back(tr("deterministic"), tr("no variance"));
        facts.emplace_back();
    } else {
        facts.emplace_back(tr("mse"), errorText(errors.error.mse));
        facts.emplace_back(tr("= bias²"), errorText(errors.parts.biasSquared));
        facts.emplace_back(tr("+ variance"), errorText(errors.parts.variance));
    }
    facts.emplace_back(tr("mean of values"), errorText(layer.meanOfValues.relative));
    facts.emplace_back(tr("zero"), QStringLiteral("1"));
    if (errors.classToken)
        facts.emplace_back(tr("class token"), errorText(errors.classToken->relative));
    if (errors.patches)
        facts.emplace_back(tr("patches"), errorText(errors.patches->relative));
    facts.resize(2 * columnHeight);
    const auto at = static_cast<std::size_t>(layer.layer);
    if (mode == InspectionMode::EndToEnd && at < one.alone.size())
        facts.emplace_back(tr("this layer alone"),
                           (one.alone[at].top1Agrees ? tr("KL %1, same class") : tr("KL %1, ≠ class")).arg(errorText(one.alone[at].kl)));
    return facts;
}

}  // namespace

LayerFacts::LayerFacts(LayersSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 4, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(3);
    for (int i = 0; i < mostFacts; ++i) {
        m_facts.push_back({new QLabel(this), new QLabel(this)});
        m_facts.back().value->setFont(fontFor(Type::BodyStrong));
        m_facts.back().value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_facts.back().value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    for (int i = 0; i < mostFacts; ++i) {
        const bool last = i + 1 == mostFacts;
        const int column = i / columnHeight * 3, row = i % columnHeight;
        m_grid->addWidget(m_facts[static_cast<std::size_t>(i)].name, last ? columnHeight : row, last ? 0 : column);
        m_grid->addWidget(m_facts[static_cast<std::size_t>(i)].value, last ? columnHeight : row, last ? 1 : column + 1, 1, last ? 4 : 1);
    }
    for (const int column : {1, 4})
        m_grid->setColumnStretch(column, 1);
    m_grid->setColumnMinimumWidth(2, 10);
    connect(&m_session, &LayersSession::changed, this, &LayerFacts::refresh);
    connect(&m_session, &LayersSession::cellChanged, this, &LayerFacts::refresh);
}

void LayerFacts::refresh()
{
    const HeadErrors* errors = m_session.cellErrors();
    FactList facts;
    if (errors != nullptr)
        facts = factsOf(*m_session.shown(), m_session.layers()[static_cast<std::size_t>(m_session.cell().layer)], *errors,
                        m_session.mode());
    for (std::size_t i = 0; i < m_facts.size(); ++i) {
        const bool shown = i < facts.size();
        m_facts[i].name->setText(shown ? facts[i].first : QString());
        m_facts[i].value->setText(shown ? facts[i].second : QString());
        m_facts[i].value->setAccessibleName(m_facts[i].name->text());
        m_facts[i].name->setVisible(shown);  // places that stay empty keep their height
        m_facts[i].value->setVisible(shown);
    }
}

QString LayerFacts::text() const
{
    QStringList lines;
    for (const Fact& fact : m_facts)
        if (!fact.name->text().isEmpty())
            lines << fact.name->text() + QStringLiteral(": ") + fact.value->text();
    return lines.join(QLatin1Char('\n'));
}

}  // namespace attnscope::ui
