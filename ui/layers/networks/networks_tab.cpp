#include "ui/layers/networks/networks_tab.h"

#include "ui/layers/maps/map_view.h"
#include "ui/layers/maps/shown_maps.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/field_row.h"
#include "ui/workspace/accuracy_text.h"

#include "core/lab/layers/layer_maps.h"

#include <QBoxLayout>
#include <QFileInfo>
#include <QLineEdit>

#include <algorithm>
#include <array>
#include <cmath>

namespace attnscope::ui {

namespace {

constexpr size_t shownTensors = 100;

/// Weights of the query, mean over heads.
HeatMap meanMap(LayerMaps maps)
{
    std::vector<float>& mean = maps.implied.front();
    for (size_t key = 0; key < mean.size(); ++key) {
        float sum = 0;
        for (const std::vector<float>& head : maps.implied)
            sum += head[key];
        mean[key] = sum / float(maps.implied.size());
    }
    return weightMap(maps, 0, WeightsShown::Implied, std::max<int64_t>(0, maps.frames - 1) / 2);
}

class NetworksTab : public InstrumentTab {
    Q_DECLARE_TR_FUNCTIONS(attnscope::ui::NetworksTab)
public:
    NetworksTab(LayersSession& layers, QWidget* parent)
        : InstrumentTab(
            layers.networks(),
            {u"networks"_s,
             tr("How far apart are two networks, block by block?"),
             tr("Two networks"),
             tr("The open network and another checkpoint on the same inputs"),
             {u"open"_s, EmptyScreen::tr("Open…"), u"Ctrl+O"_s},
             sketchCurves({{"lara", 0.08, 0.7, 0.2, tr("drift")}, {"softmax", 0.96, 0.5, 0.2, tr("CKA")}})},
            parent)
        , m_layers(layers)
        , m_session(layers.networks())
    {
        m_checkpoint->edit()->setPlaceholderText(tr("Another checkpoint; empty: network 2, or the open one"));
        m_dtype->addItems({tr("as the first"), u"float32"_s, u"bfloat16"_s, u"float16"_s});
        m_dtype->setToolTip(tr("In which the second network computes"));
        QVBoxLayout* column = addCharts(
            {{tr("Drift of each block"), nullptr, tr("Appears once all inputs have been run")}}, 6);
        m_legend->hide();
        auto* row = static_cast<QBoxLayout*>(column->itemAt(column->count() - 1)->layout());
        const auto addPart = [row](QWidget* title, QWidget* view, int stretch) {
            auto* part = new QVBoxLayout;
            part->setSpacing(4);
            part->addWidget(title);
            part->addWidget(view, 1);
            row->addLayout(part, stretch);
        };
        addPart(m_charts.front().title, m_charts.front().view, 4);
        const QString names[]{tr("CKA of all blocks with all blocks"), tr("Attention in the first network"),
                              tr("Attention in the second network")};
        for (size_t i = 0; i < m_maps.size(); ++i) {
            m_captions[i] = new ElidedLabel(this);
            m_captions[i]->setFont(fontFor(Type::BodyStrong));
            m_maps[i] = new MapView(names[i], this);
            addPart(m_captions[i], m_maps[i], 3);
        }
        m_maps[0]->setOpacity(1);
        m_captions[0]->setToolTip(
            tr("Blocks of the first network down, of the second across; choose two of them to "
               "see their attention"));
        addTables({tr("Blocks"), tr("Tensors"), tr("Description")});
        addHead(tr("The drift as SVG, PNG or PDF, the table as CSV or TSV, everything as JSON"));
        build({m_checkpoint, m_dtype});
        connect(m_maps[0], &MapView::patchChosen, this, [this](int first, int second) {
            m_chosen = {second, first};
            refreshMaps();
        });
        for (MapView* map : {m_maps[1], m_maps[2]})
            connect(map, &MapView::patchChosen, this, [this, map](int down, int across) {
                m_session.setQuery(queryAt(*map, m_session.maps()->front().grid, 0, down, across));
            });
        connect(&m_session, &NetworksSession::mapsChanged, this, &NetworksTab::refreshMaps);
    }

    bool hasResults() const override { return m_session.report() != nullptr; }
    QString command() const override
    {
        return hasResults() && !m_session.shown().pasted() ? m_session.command().text() : QString();
    }
    QString staleText() const override
    {
        return hasResults() ? m_session.command().madeWith(NetworksSession::lineOf(question())) : QString();
    }
    bool take(Content, const QString& path) override
    {
        m_checkpoint->setPath(path);
        return true;
    }

    void setCompact(bool compact) override
    {
        InstrumentTab::setCompact(compact);
        if (compact)
            m_content->setStretch(1, 7);
    }

private:
    const NetworkComparison& report() const { return *m_session.report(); }
    NetworksSession::Question question() const
    {
        return m_session.question(m_checkpoint->path(),
                                  m_dtype->currentIndex() == 0 ? QString() : m_dtype->currentText());
    }
    void start() override { m_session.start(question()); }

    QString missing() const override
    {
        const NetworksSession::Question wanted = question();
        return wanted.inputs.empty() ? tr("Open images or videos first; CKA needs four, and 64 are good.")
               : wanted.first == wanted.second ? tr("Choose another checkpoint, or another type.")
                                               : QString();
    }
    QString summary() const override
    {
        return tr("Drift, CKA and attention of each block on %1, and the differences of all tensors.")
            .arg(counted(question().inputs.size(), [](int n) { return tr("%1 input(s)", nullptr, n); }));
    }
    QString note() const override
    {
        return tr(
            "Both networks run with their own attention; attnscope-cli layers --against compares others too.");
    }

    Outcome outcome() const override
    {
        const NetworkComparison& shown = report();
        const auto largest = std::ranges::max_element(shown.drift);
        QStringList conditions{counted(shown.inputs.size(), [](int n) { return tr("%1 input(s)", nullptr, n); })};
        if (std::isfinite(shown.kl))
            conditions << tr("KL %1 nats over %2 classes").arg(errorText(shown.kl)).arg(shown.matchedClasses)
                       << tr("the same first class for %1").arg(toQt(formatPercentage(shown.agreement)));
        if (!shown.whyNoCka.empty())
            conditions << tr("CKA needs at least 4 inputs");
        return {
            largest == shown.drift.end()
                ? tr("%1 and %2 have other blocks").arg(toQt(shown.first.name), toQt(shown.second.name))
                : tr("They drift apart most in %1: %2")
                      .arg(toQt(shown.firstBlocks[size_t(largest - shown.drift.begin())]), errorText(*largest)),
            conditions.join(u" · "_s), shown.complete};
    }
    QString running() const override { return tr("Comparing two networks"); }
    QList<LegendRow::Entry> entries() const override { return {}; }
    std::vector<Chart> charts() const override { return {blockDrift(report())}; }
    Table contents() const override
    {
        return m_tables->current() == 0   ? blockTable(report())
               : m_tables->current() == 1 ? weightTable(report(), shownTensors)
                                          : descriptionTable(report());
    }
    Json results() const override { return toJson(report()); }

    void refreshParts() override
    {
        InstrumentTab::refreshParts();
        refreshMaps();
    }

    /// CKA, and the attention of the two blocks that are chosen in it.
    void refreshMaps()
    {
        MapView& cka = *m_maps[0];
        m_captions[0]->setText(tr("CKA"));
        if (hasResults() && !report().cka.empty()) {
            HeatMap map = ckaMap(report());
            // From the lowest on, so that blocks that are much alike have different colours.
            const double low = std::ranges::min(map.values);
            cka.setMap(std::move(map), HeatColours::Magnitude, 1, MapView::Quantity::Number,
                       std::isnan(low) ? 0 : low);
            m_chosen = {std::min(m_chosen.x(), cka.columns() - 1), std::min(m_chosen.y(), cka.rows() - 1)};
            const Cell value = decimalCell(report().cka[size_t(m_chosen.y())][size_t(m_chosen.x())], 4);
            m_captions[0]->setText(tr("CKA %1").arg(translated(value.text)));
            cka.setQuery(m_chosen);
        } else {
            cka.setMap(std::nullopt, HeatColours::Magnitude, 1);
            cka.setNotice(hasResults() ? tr("CKA needs at least 4 inputs") : QString());
        }
        showAttention(0, m_chosen.y());
        showAttention(1, m_chosen.x());
    }

    void showAttention(int network, int layer)
    {
        MapView& map = *m_maps[size_t(network) + 1];
        ElidedLabel& caption = *m_captions[size_t(network) + 1];
        const NetworksSession::Maps* all = hasResults() ? m_session.maps() : nullptr;
        const std::vector<LayerMaps>* layers = all == nullptr ? nullptr
                                                              : &(*all)[size_t(network)].attention.front().maps;
        map.setNotice(m_session.mapsProblem());
        caption.setText(map.accessibleName());
        if (layers == nullptr || size_t(layer) >= layers->size() || (*layers)[size_t(layer)].grid.rows <= 0) {
            map.setMap(std::nullopt, HeatColours::Magnitude, 1);
            return;
        }
        const LayerMaps& maps = (*layers)[size_t(layer)];
        HeatMap weights = meanMap(maps);
        const std::vector<std::string>& blocks = network == 0 ? report().firstBlocks : report().secondBlocks;
        const ModelSummary& model = network == 0 ? report().first : report().second;
        caption.setText(
            u"%1, %2"_s.arg(toQt(blocks[size_t(layer)]), QFileInfo(toQt(model.weightsSource)).completeBaseName()));
        const double largest = std::ranges::max(weights.values);
        const InputEntry* input = m_layers.workspace().input();
        const bool isShown = input != nullptr && input->path == m_session.shown().path;
        map.setImage(isShown ? m_layers.seenImage() : QImage());
        map.setMap(std::move(weights), HeatColours::Magnitude, largest);
        map.setQuery(m_session.query() ? placeOf(*m_session.query(), all->front().grid, maps.grid) : std::nullopt);
    }

    LayersSession& m_layers;
    NetworksSession& m_session;
    PathField* m_checkpoint = new PathField(PathField::Kind::OpenFile, tr("Checkpoint of the second network"), {},
                                            this);
    CaptionCombo* m_dtype = new CaptionCombo(tr("Type"), this);
    std::array<ElidedLabel*, 3> m_captions = {};
    std::array<MapView*, 3> m_maps = {};  ///< CKA, and attention of both
    QPoint m_chosen;                      ///< blocks: x of the second network, y of the first
};

}

InstrumentTab* networksTab(LayersSession& layers, QWidget* parent)
{
    return new NetworksTab(layers, parent);
}

}
