// The part Tokens: what an attention chose, which keys it leaves out, and where it errs, two maps of it next to the exact weights.
#include "ui/layers/layer_details.h"

#include "ui/layers/maps/colour_legend.h"
#include "ui/layers/maps/map_view.h"
#include "ui/layers/maps/shown_maps.h"
#include "ui/layers/maps/token_choices.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/frame_chooser.h"

#include "core/base/format.h"
#include "core/lab/layers/layer_maps.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>

#include <algorithm>

namespace attnscope::ui {

void LayerDetails::buildTokens(QWidget* page)
{
    const QString names[tokenMapsShown]{tr("First map of tokens"), tr("Second map of tokens")};
    for (int i = 0; i < tokenMapsShown; ++i) {
        m_tokenBoxes[i] = new QComboBox(page);
        m_tokenBoxes[i]->setAccessibleName(names[i]);
        m_tokenBoxes[i]->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_tokenBoxes[i]->setMinimumContentsLength(
            14);  // "Blocks kept exactly", with the exact map's column a little narrower
        m_tokenBoxes[i]->hide();
        m_tokenLegends[i] = new ColourLegend(HeatColours::Magnitude, AxisScale::Linear, m_controls);
        m_tokenLegends[i]->hide();
        m_controlRow->addWidget(m_tokenLegends[i]);
        connect(m_tokenBoxes[i], &QComboBox::activated, this, [this, i] {
            m_tokenKeys[i] = m_tokenBoxes[i]->currentData().toString();
            refreshMaps();
        });
    }
}

/// What was chosen before stays chosen where an attention has it.
void LayerDetails::offerTokens(const std::vector<TokenChoice>& choices)
{
    for (int i = 0; i < tokenMapsShown; ++i) {
        QComboBox& box = *m_tokenBoxes[i];
        box.clear();
        for (const TokenChoice& choice : choices) {
            box.addItem(choice.title, choice.key);
            box.setItemData(box.count() - 1, choice.help, Qt::ToolTipRole);
        }
        const int chosen = box.findData(m_tokenKeys[i]);
        box.setCurrentIndex(chosen >= 0 ? chosen : std::min(i, box.count() - 1));
        box.setToolTip(box.currentText() + QLatin1Char('\n') + box.currentData(Qt::ToolTipRole).toString());
        box.setEnabled(box.count() > 1);
    }
}

const TokenChoice& LayerDetails::shownChoice(const std::vector<TokenChoice>& choices, int place) const
{
    return choices[size_t(std::max(0, m_tokenBoxes[place]->currentIndex()))];
}

void LayerDetails::showTokens(const LayerMaps& maps, size_t head, const std::vector<TokenChoice>& choices)
{
    m_landmarks->hide();
    m_maps[1]->setLandmarks({}, 0);
    m_maps[1]->setMerged({});
    const double weights = largestOf(maps.exact[head], size_t(maps.prefix));
    m_maps[0]->setMap(weightMap(maps, head, WeightsShown::Exact, shownFrame(maps.frames)), HeatColours::Magnitude,
                      weights);
    m_maps[0]->setQuery(queryPlace(maps.grid, maps.frames));
    m_weightLegend->setRange(tr("weight"), 0, weights);
    QStringList about;
    bool ofKeys = false;
    m_tokenLegends[1]->hide();
    for (int i = 0; i < std::min<int>(tokenMapsShown, int(choices.size())); ++i) {
        const TokenChoice& choice = shownChoice(choices, i);
        m_maps[i + 1]->setMap(choice.map, choice.colours, choice.limit, choice.quantity);
        m_maps[i + 1]->setQuery(queryPlace(choice.grid, choice.frames));
        m_tokenLegends[i]->setColours(choice.colours);
        m_tokenLegends[i]->setRange(choice.legend, 0, choice.limit);
        m_tokenLegends[i]->setVisible(!choice.legend.isEmpty());
        ofKeys = ofKeys || choice.quantity == MapView::Quantity::Seen
                 || choice.quantity == MapView::Quantity::Mass;
        QString text = tr("%1: %2").arg(choice.title, choice.help);
        if (choice.ofClassToken)
            text += choice.quantity == MapView::Quantity::Category
                        ? tr(" (class token: %1)").arg(int(*choice.ofClassToken))
                        : tr(" (class token: %1)").arg(errorText(*choice.ofClassToken));
        if (!about.contains(text))
            about << text;
    }
    if (ofKeys && m_session.layerKeys() != nullptr) {
        m_note->setText(keysNote(maps, head, *m_session.layerKeys()));
        return;
    }
    QStringList first{queryWords(m_session.query(), maps.frames)};
    if (m_session.cell().head < 0)
        first << tr("head 0");
    about.prepend(first.join(u" · "_s));
    m_note->setText(about.join(QLatin1Char('\n')));
}

/// How much the query sees, and what the head's queries see.
QString LayerDetails::keysNote(const LayerMaps& maps, size_t head, const LayerKeys& keys) const
{
    const std::vector<float>& seen = maps.seen[head];
    const auto count = std::count_if(seen.begin(), seen.end(), [](float weight) { return weight > 0; });
    const auto mass = double(keys.massKept[head][size_t(maps.query)]);
    const bool mean = m_session.cell().head < 0;
    QStringList note{queryWords(m_session.query(), maps.frames)};
    if (mean)
        note << tr("head 0");
    note << (count == 0 ? tr("sees no key, and uses all")
                        : tr("sees %1 of %2 keys, with %3 of exact attention's weight")
                              .arg(count)
                              .arg(seen.size())
                              .arg(errorText(mass)));
    if (maps.prefix > 0 && count > 0)
        note << (seen[0] > 0 ? tr("the class token is seen") : tr("the class token is not seen"));
    const HeadKeys& all = mean ? keys.mean : keys.heads[head];
    QStringList queries{mean ? tr("mean over heads") : tr("head %1").arg(m_session.cell().head),
                        tr("%1 of all pairs are seen").arg(toQt(formatPercentage(all.density))),
                        tr("mass kept %1 on average").arg(errorText(all.massKept))};
    if (all.emptyRows > 0)
        queries << tr("%1 of queries saw no key and used all").arg(toQt(formatPercentage(all.emptyRows)));
    return note.join(u" · "_s) + QLatin1Char('\n') + queries.join(u" · "_s);
}

std::vector<HeatMap> LayerDetails::tokenFigures() const
{
    const std::vector<TokenChoice> choices = tokenChoices(m_session,
                                                          m_frames->isVisible() ? m_frames->current() : 0);
    std::vector<HeatMap> figures;
    for (int i = 0; i < std::min<int>(tokenMapsShown, int(choices.size())) && part() == Part::Tokens; ++i)
        figures.push_back(shownChoice(choices, i).map);
    return figures;
}

}
