#include "ui/scale/decode/decode_words.h"
#include "ui/scale/decode/mechanism_list.h"
#include "ui/scale/decode/mechanisms_panel.h"
#include "ui/scale/scale_tab.h"
#include "ui/scale/scale_words.h"
#include "ui/scale/tensors/tensor_source.h"
#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/number_fields.h"
#include "ui/workspace/accuracy_text.h"

#include "core/lab/decode/decode_output.h"

#include <QFileInfo>
#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>

namespace attnscope::ui {

namespace {

enum StreamSource { IndependentTokens, SmoothTokens, RecalledTokens, FileTokens };
constexpr TokenKind madeTokens[]{TokenKind::Normal, TokenKind::Smooth, TokenKind::Recall};
constexpr auto defaultPositions = "1024, 4096, 16384, 65536"_L1;
constexpr int maxDecodePositions = 1 << 20, panelWidth = 236, maxNamed = 3;

/// Causal attention token by token: time, state and error against the position, next to softmax with a cache.
class DecodeTab : public ScaleTab {
    Q_DECLARE_TR_FUNCTIONS(attnscope::ui::DecodeTab)
public:
    DecodeTab(ScaleSession& session, QWidget* parent)
        : ScaleTab(session, ScaleSession::Decode,
                   {u"decode"_s,
                    tr("What does one more token cost?"),
                    tr("Cost of a token vs. position"),
                    tr("Streams take turns over the same tokens; the last ones before each position are timed one "
                       "by one."),
                    {u"open"_s, tr("Open q, k, v…")},
                    sketchCurves({{"softmax", 0.12, 0.96, 0.16, tr("cache")},
                                  {"rfa", 0.42, 0.42},
                                  {"local", 0.16, 0.16, 0, tr("window")}})},
                   parent)
    {
        m_source->setAccessibleName(tr("Source of the tokens"));
        const QString helps[]{tr("q, k and v of every token are independent standard normal numbers"),
                              tr("Neighbours are alike, as the frames of a video"),
                              tr("Every query asks for what came 128 tokens ago"),
                              tr("The tokens of one layer in a file of q, k and v")};
        m_source->addItems({tr("Independent"), tr("Correlated"), tr("To be recalled"), tr("From a file…")});
        for (int source = 0; source < m_source->count(); ++source)
            m_source->setItemData(source, helps[source], Qt::ToolTipRole);
        m_layer->setToolTip(tr("Layer of the file"));
        m_factor->setAccessibleName(tr("Factor of the logits"));
        m_factor->setToolTip(tr("Factor of the logits: q and k are each multiplied by its square root"));
        m_factor->setPrefix(u"τ "_s);
        m_factor->setRange(1e-6, 1e6);
        m_factor->setDecimals(6);
        m_factor->setValue(1);
        m_factor->setMinimumWidth(72);
        m_positions->setPlaceholderText(tr("The whole file"));
        auto* positions = new QLabel(tr("Positions"), this);
        positions->setForegroundRole(QPalette::PlaceholderText);
        m_panel->setFixedWidth(panelWidth);
        addCharts({{tr("Time of one token"), m_quantity, tr("Points appear as positions are reached")},
                   {tr("Weight of a token in later outputs"), nullptr, tr("Needs more tokens"),
                    tr("The response to a value of 1 at one token and 0 at all others: what a gate or a window "
                       "forgets")}});
        addTables({tr("Summary"), tr("All values"), tr("Later weights")});
        build({m_source, m_layer, m_heads, m_width, positions, m_positions, m_factor}, m_panel);
        connect(m_source, &QComboBox::activated, this,
                [this](int index) { index == FileTokens ? askFile() : takeSource(index); });
        connect(m_mechanisms, &MechanismList::selectionChanged, this, [this] {
            showLegend();
            refreshForm();
        });
        connect(empty()->second(), &QPushButton::clicked, this, &DecodeTab::askFile);
        takeSource(IndependentTokens);
    }

    ScaleQuestion job() const override { return request(); }

    bool take(Content, const QString& path) override
    {
        m_file = path;
        m_source->setItemText(FileTokens,
                              path.isEmpty() ? tr("From a file…") : tr("From %1").arg(QFileInfo(path).fileName()));
        takeSource(path.isEmpty() ? IndependentTokens : FileTokens);
        return true;
    }

    void setCompact(bool compact) override
    {
        m_isCompact = compact;
        m_content->setSpacing(compact ? 8 : 12);
        showLegend();
    }

private:
    const DecodeReport& report() const { return *m_session.report<DecodeReport>(); }

    /// Where there is little height the panel shows the marks, as long as it has those of the charts.
    void showLegend()
    {
        std::vector<std::string> chosen;
        for (const StreamSpec& spec : m_mechanisms->checked())
            chosen.push_back(spec.canonical());
        const std::vector<std::string> shown = measured();
        const bool same = shown.size() == chosen.size() + 1
                          && std::equal(chosen.begin(), chosen.end(), shown.begin() + 1);
        m_legend->setVisible(!m_isCompact || !same || !m_legend->hidden().isEmpty());
    }

    std::vector<std::string> measured() const
    {
        std::vector<std::string> mechanisms;
        if (hasResults())
            for (const DecodeRow& row : report().rows)
                mechanisms.push_back(row.mechanism);
        return mechanisms;
    }

    void takeSource(int index)
    {
        const bool file = index == FileTokens;
        // A file has an end of its own.
        if (file != (m_chosen == FileTokens))
            m_positions->setText(file ? QString() : QString(defaultPositions));
        m_chosen = index;
        m_source->setCurrentIndex(index);
        m_layer->setVisible(file);
        m_heads->setVisible(!file);
        m_width->setVisible(!file);
        refreshForm();
    }

    void askFile()
    {
        const QString path = TensorSource::askFile(this, m_file);
        if (path.isEmpty())
            takeSource(m_chosen);  // the combo box has moved on
        else
            take(Content::Tensors, path);
    }

    Counts positions() const
    {
        return m_chosen == FileTokens && m_positions->text().trimmed().isEmpty()
                   ? Counts()
                   : parseCounts(m_positions->text(), maxDecodePositions);
    }

    DecodeRequest request() const
    {
        DecodeRequest form;
        form.mechanisms = m_mechanisms->checked();
        form.positions = positions().numbers;
        if (m_chosen == FileTokens) {
            form.file = fromQt(m_file);
            form.layer = m_layer->value();
        } else {
            form.tokens = madeTokens[m_chosen];
            form.heads = m_heads->value();
            form.width = m_width->value();
        }
        form.temperature = m_factor->value();
        return m_session.decodeRequest(form);
    }

    QString missing() const override
    {
        QString problem = positions().problem;
        m_positions->setToolTip(problem.isEmpty() ? tr("Positions in ascending order, separated by commas")
                                                  : problem);
        if (!problem.isEmpty())
            return problem;
        const DecodeRequest wanted = request();
        if (wanted.mechanisms.empty())
            return tr("Select a mechanism to compare with the cache.");
        return wanted.dtype == "float32" || wanted.dtype == "float64"
                   ? QString()
                   : tr("Streams are not computed in %1; choose float32 or float64 in the bar above.")
                         .arg(toQt(wanted.dtype));
    }

    QString summary() const override
    {
        const DecodeRequest wanted = request();
        QStringList names;
        for (const StreamSpec& spec : wanted.mechanisms)
            names << mechanismTitle(spec.canonical());
        const QString file = QFileInfo(m_file).fileName(),
                      what = tr("Time, state and error of %1")
                                 .arg(names.size() <= maxNamed ? fewNames(names)
                                                               : counted(names.size(), [](int n) {
                                                                     return tr("%1 mechanism(s)", nullptr, n);
                                                                 }));
        if (wanted.positions.empty())
            return tr("%1, over all tokens of %2.").arg(what, file);
        const QString last = countText(wanted.positions.back());
        return m_chosen == FileTokens
                   ? tr("%1, up to token %2 of %3.").arg(what, last, file)
                   : tr("%1, up to %2 tokens: %3.").arg(what, last, remainingText(guessedSeconds(wanted)));
    }

    QString note() const override
    {
        return tr("Next to softmax with a cache, on one thread of the CPU. Errors are those from softmax over all "
                  "tokens so far.");
    }

    QString running() const override { return tr("Measuring the first position"); }

    QList<LegendRow::Entry> entries() const override
    {
        const std::vector<std::string> mechanisms = measured(), looks = looksOfMechanisms(mechanisms);
        QList<LegendRow::Entry> entries;
        for (size_t i = 0; i < looks.size(); ++i) {
            const QString title = mechanismTitle(mechanisms[i]);
            entries << LegendRow::Entry{.key = toQt(mechanisms[i]),
                                        .name = title,
                                        .backend = toQt(looks[i]),
                                        .help = tr("%1: %2").arg(title, toQt(report().rows[i].title))};
        }
        return entries;
    }

    void nameParts() override
    {
        showLegend();
        const QString titles[]{tr("Time of one token"), tr("State between tokens"), tr("Error vs. exact softmax")},
            helps[]{tr("Medians; bands: 5th to 95th percentile"),
                    tr("Bytes that are kept for the next token, all heads"),
                    tr("Relative error of the timed tokens; the cache's own is rounding")};
        m_charts[0].title->setText(titles[m_quantity->current()]);
        m_charts[0].title->setToolTip(helps[m_quantity->current()]);
    }

    std::vector<Chart> charts() const override
    {
        if (report().rows.front().points.empty())
            return {};
        m_charts[0].view->setPlaces(report().request.positions);
        return {decodeChart(report(), DecodeMetric(m_quantity->current())), impulseChart(report())};
    }

    Table contents() const override
    {
        const int table = m_tables->current();
        return report().rows.front().points.empty() ? Table()
               : table == 0                         ? decodeSummary(report())
               : table == 1                         ? decodePoints(report())
                                                    : decodeImpulses(report());
    }

    QString secondName() const override { return u"impulse"_s; }

    MechanismList* m_mechanisms = new MechanismList(this);
    MechanismsPanel* m_panel = new MechanismsPanel(*m_mechanisms, this);
    CaptionCombo* m_source = new CaptionCombo(tr("Tokens"), this);
    CaptionSpin* m_layer = new CaptionSpin(tr("Layer"), 0, 65'535, 0, this);
    CaptionSpin* m_heads = new CaptionSpin(tr("Heads"), 1, 256, 3, this);
    CaptionSpin* m_width = new CaptionSpin(tr("Head size"), 1, 1024, 64, this);
    QLineEdit* m_positions = newCountsField(tr("Positions in tokens"), 180, defaultPositions);
    RealSpin* m_factor = new RealSpin(this);
    Segments* m_quantity = newChoices(tr("Quantity"), {tr("Time"), tr("State"), tr("Error")});
    bool m_isCompact = false;
    int m_chosen = 0;  ///< of the sources
    QString m_file;
};

}

ScaleTab* decodeTab(ScaleSession& session, QWidget* parent)
{
    return new DecodeTab(session, parent);
}

}
