// What the Layers screen writes to files.
#include "ui/charts/figure_file.h"
#include "ui/layers/layer_details.h"
#include "ui/layers/layers_page.h"
#include "ui/style/qt_text.h"

#include "core/lab/layers/layer_maps.h"

#include <QComboBox>
#include <QDate>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>

namespace attnscope::ui {

QMenu* LayersPage::exportMenu()
{
    auto* menu = new QMenu(this);
    const auto entry = [this, menu](const QString& text, Export what, bool enabled) {
        menu->addAction(text, this, [this, what] { askExport(what); })->setEnabled(enabled);
    };
    const bool maps = !m_details->figures().empty();
    entry(tr("Error map…"), Export::Errors, true);
    entry(tr("Drift by depth…"), Export::Drift, true);
    menu->addSeparator();
    entry(tr("Exact map…"), Export::ExactMap, maps);
    entry(tr("Implied map…"), Export::ImpliedMap, maps);
    entry(tr("Difference…"), Export::Difference, maps);
    entry(tr("Keys seen…"), Export::KeysSeen, !m_details->keyFigures().empty());
    entry(tr("Mass kept…"), Export::MassKept, !m_details->keyFigures().empty());
    const std::vector<HeatMap> tokens = m_details->tokenFigures();
    for (size_t i = 0; i < tokens.size(); ++i)
        entry(tr("%1…").arg(m_details->tokenBox(int(i))->currentText()),
              i == 0 ? Export::FirstTokens : Export::SecondTokens, true);
    entry(tr("Terms of the logits…"), Export::Terms, m_session.terms() != nullptr);
    entry(tr("All maps as tensors…"), Export::Tensors, m_session.maps() != nullptr);
    return menu;
}

QString LayersPage::defaultName(Export what, const QString& suffix) const
{
    static const char* const names[]{"errors",    "drift",  "exact",  "implied", "difference", "seen",
                                     "mass-kept", "tokens", "tokens", "terms",   "maps"};
    const QString model = toQt(m_session.inspection()->model.model.name),
                  attention = toQt(m_session.shown()->backend);
    return u"%1-%2-%3-%4.%5"_s.arg(model, attention, QString::fromLatin1(names[int(what)]),
                                   QDate::currentDate().toString(Qt::ISODate), suffix);
}

void LayersPage::askExport(Export what)
{
    if (m_session.inspection() == nullptr)
        return;
    const bool tensors = what == Export::Tensors;
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export"), defaultName(what, tensors ? u"safetensors"_s : u"svg"_s),
        tensors ? tr("Tensors (*.safetensors)") : tr("SVG (*.svg);;PNG, 2× (*.png);;PDF (*.pdf);;CSV (*.csv)"));
    if (!path.isEmpty())
        showProblem(exportTo(what, path));
}

QString LayersPage::exportTo(Export what, const QString& path)
{
    if (m_session.shown() == nullptr)
        return tr("There is nothing to export yet.");
    switch (what) {
    case Export::Errors:
        return writeFigure(path, errorMap(*m_session.shown(), m_session.mode(), m_session.figure()));
    case Export::Drift:
        return writeFigure(path, driftChart(*m_session.inspection()));
    case Export::Tensors:
        if (const QString refused = refusedFormat(path, {u"safetensors"_s}); !refused.isEmpty())
            return refused;
        m_session.writeTensors(path);
        return {};
    case Export::Terms:
        return m_session.terms() == nullptr ? tr("There are no terms yet; show them first.")
                                            : writeFigure(path, termMaps(*m_session.terms()));
    case Export::ExactMap:
    case Export::ImpliedMap:
    case Export::Difference:
    case Export::KeysSeen:
    case Export::MassKept:
    case Export::FirstTokens:
    case Export::SecondTokens:
        break;
    }
    const Export first = what >= Export::FirstTokens ? Export::FirstTokens
                         : what >= Export::KeysSeen  ? Export::KeysSeen
                                                     : Export::ExactMap;
    const std::vector<HeatMap> maps = first == Export::FirstTokens ? m_details->tokenFigures()
                                      : first == Export::KeysSeen  ? m_details->keyFigures()
                                                                   : m_details->figures();
    const auto which = size_t(what) - size_t(first);
    return which < maps.size() ? writeFigure(path, maps[which])
                               : tr("There are no maps yet; wait until they have been computed.");
}

}
