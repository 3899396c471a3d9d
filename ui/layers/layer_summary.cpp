#include "ui/layers/layer_summary.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"

#include <QGridLayout>
#include <QLabel>

namespace attnscope::ui {

namespace {

constexpr int columnHeight = 4, maxRows = 2 * columnHeight + 1;  // the last one goes across

QString withSpread(double value, double stddev)
{
    return stddev > 0 ? u"%1 ± %2"_s.arg(errorText(value), errorText(stddev)) : errorText(value);
}

using EntryList = std::vector<std::pair<QString, QString>>;

/// In two columns: how the error is made up, and what to hold it against; then what the layer does alone.
EntryList infoOf(const InspectedAttention& one, const InspectedLayer& layer, const HeadErrors& errors,
                 InspectionMode mode)
{
    EntryList info{{tr("relative error"), withSpread(errors.error.relative, errors.error.relativeStddev)},
                   {tr("MSE"), errorText(errors.error.mse)},
                   {one.deterministic ? tr("deterministic") : tr("= bias²"),
                    one.deterministic ? tr("no variance") : errorText(errors.parts.biasSquared)},
                   {one.deterministic ? QString() : tr("+ variance"),
                    one.deterministic ? QString() : errorText(errors.parts.variance)},
                   {tr("mean of values"), errorText(layer.meanOfValues.relative)},
                   {tr("zero"), u"1"_s}};
    if (errors.classToken)
        info.emplace_back(tr("prefix tokens"), errorText(errors.classToken->relative));
    if (errors.patches)
        info.emplace_back(tr("patches"), errorText(errors.patches->relative));
    info.resize(2 * columnHeight);
    const auto at = size_t(layer.layer);
    if (mode == InspectionMode::EndToEnd && at < one.alone.size())
        info.emplace_back(tr("this layer alone"),
                          (one.alone[at].top1Agrees ? tr("KL %1, same class") : tr("KL %1, ≠ class"))
                              .arg(errorText(one.alone[at].kl)));
    return info;
}

}

LayerSummary::LayerSummary(LayersSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 4, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(3);
    for (int i = 0; i < maxRows; ++i) {
        const Entry entry{new ElidedLabel(this), new QLabel(this)};
        entry.name->setElideMode(Qt::ElideRight);
        entry.value->setFont(fontFor(Type::BodyStrong));
        entry.value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        entry.value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        const bool last = i + 1 == maxRows;
        const int row = last ? columnHeight : i % columnHeight, column = last ? 0 : i / columnHeight * 3;
        grid->addWidget(entry.name, row, column);
        grid->addWidget(entry.value, row, column + 1, 1, last ? 4 : 1);
        m_info.push_back(entry);
    }
    for (const int column : {1, 4})
        grid->setColumnStretch(column, 1);
    grid->setColumnMinimumWidth(2, 10);
    connect(&m_session, &LayersSession::changed, this, &LayerSummary::refresh);
    connect(&m_session, &LayersSession::cellChanged, this, &LayerSummary::refresh);
}

void LayerSummary::refresh()
{
    const HeadErrors* errors = m_session.cellErrors();
    EntryList info;
    if (errors != nullptr)
        info = infoOf(*m_session.shown(), m_session.layers()[size_t(m_session.cell().layer)], *errors,
                      m_session.mode());
    const size_t known = info.size();
    info.resize(m_info.size());
    for (size_t i = 0; i < m_info.size(); ++i) {
        m_info[i].name->setText(info[i].first);
        m_info[i].name->setToolTip(info[i].first);
        m_info[i].value->setText(info[i].second);
        m_info[i].value->setAccessibleName(info[i].first);
        m_info[i].name->setVisible(i < known);  // places that stay empty keep their height
        m_info[i].value->setVisible(i < known);
    }
}

QString LayerSummary::text() const
{
    QStringList lines;
    for (const Entry& entry : m_info)
        if (!entry.name->text().isEmpty())
            lines << entry.name->text() + u": "_s + entry.value->text();
    return lines.join(QLatin1Char('\n'));
}

}
