#include "ui/scale/scale_charts.h"
#include "ui/scale/scale_tab.h"
#include "ui/scale/scale_words.h"
#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/workspace/accuracy_text.h"

#include "core/attention/backend_info.h"
#include "core/lab/lab_tables.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QLineEdit>

namespace attnscope::ui {

namespace {

struct LengthPreset {
    const char* name;
    const char* lengths;
};
constexpr LengthPreset lengthPresets[]{
    {QT_TRANSLATE_NOOP("attnscope::ui::LengthTab", "Quick"), "256, 512, 1024, 2048"},
    {QT_TRANSLATE_NOOP("attnscope::ui::LengthTab", "Whole range"), "256, 512, 1024, 2048, 4096, 8192, 16384"},
    {QT_TRANSLATE_NOOP("attnscope::ui::LengthTab", "LARA paper, table 6"), "1024, 2048, 3072, 4096, 8192"}};
constexpr int paperPreset = 2, ownPreset = 3, networkPreset = 4;
constexpr int64_t maxLength = 1 << 20;

/// Time and memory against the number of tokens, of the encoder and of the attention alone next to it.
class LengthTab : public ScaleTab {
    Q_DECLARE_TR_FUNCTIONS(attnscope::ui::LengthTab)
public:
    LengthTab(ScaleSession& session, QWidget* parent)
        : ScaleTab(session, ScaleSession::Length,
                   {u"scale"_s,
                    tr("What does attention cost as sequences get longer?"),
                    tr("Time and memory vs. number of tokens"),
                    tr("Backends are timed in random order; time inside attention is reported next to the total."),
                    {u"scale"_s, tr("LARA paper, table 6")},
                    sketchCurves({{"softmax-explicit", 0.16, 0.98, 0.12, tr("softmax, explicit")},
                                  {"softmax", 0.1, 0.7, 0.1},
                                  {"lara", 0.3, 0.52},
                                  {"performer", 0.2, 0.28}})},
                   parent)
    {
        m_preset->setAccessibleName(tr("Set of lengths"));
        for (const LengthPreset& preset : lengthPresets)
            m_preset->addItem(tr(preset.name));
        m_preset->addItems({tr("Custom"), tr("Open network")});
        m_preset->setItemData(networkPreset,
                              tr("Layers, width and heads of the open network, from its own number of tokens on"),
                              Qt::ToolTipRole);
        m_pass->setAccessibleName(tr("Pass"));
        m_pass->addItems({tr("Forward"), tr("Forward + backward")});
        m_heads->setToolTip(tr("Must divide the embedding dimension"));
        m_published->setChecked(true);
        m_published->setToolTip(tr("Hollow markers: ratios from the LARA paper, table 6, 16 landmarks or samples; "
                                   "never connected to our own"));
        m_hint->setFont(fontFor(Type::Small));
        m_hint->setForegroundRole(QPalette::PlaceholderText);
        const QString notice = tr("Points appear as they are measured");
        m_column = addCharts({{tr("Whole encoder"), nullptr, notice}, {tr("Attention only"), nullptr, notice}});
        m_row->setSpacing(10);
        for (QWidget* widget : std::initializer_list<QWidget*>{m_quantity, m_values, m_published})
            m_row->addWidget(widget);
        m_row->addWidget(m_hint, 1);
        m_column->insertLayout(0, m_row);
        addTables({tr("Scaling and break-even"), tr("All values")});
        build({m_preset, m_lengths, m_layers, m_width, m_heads, m_pass});
        connect(m_published, &QCheckBox::toggled, this, &LengthTab::refreshCharts);
        connect(m_preset, &QComboBox::activated, this, &LengthTab::takePreset);
        connect(m_lengths, &QLineEdit::textChanged, this, [this] {
            int preset = 0;
            while (preset < ownPreset && m_lengths->text() != QLatin1String(lengthPresets[preset].lengths))
                ++preset;
            m_preset->setCurrentIndex(preset);
        });
        connect(empty()->second(), &QPushButton::clicked, this, [this] { takePreset(paperPreset); });
        takePreset(0);
    }

    ScaleQuestion job() const override { return request(); }

    /// Where there is little height, the legend takes the hint's place.
    void setCompact(bool compact) override
    {
        m_hint->setVisible(!compact);
        m_row->removeWidget(m_legend);
        m_column->removeWidget(m_legend);
        if (compact)
            m_row->addWidget(m_legend, 1);
        else
            m_column->insertWidget(1, m_legend);
        ScaleTab::setCompact(compact);
    }

private:
    const ScaleReport& report() const { return *m_session.report<ScaleReport>(); }

    ScaleRequest request() const
    {
        ScaleRequest form;
        form.lengths = parseCounts(m_lengths->text(), maxLength).numbers;
        form.layers = m_layers->value();
        form.width = m_width->value();
        form.heads = m_heads->value();
        form.backward = m_pass->currentIndex() == 1;
        return m_session.scaleRequest(form);
    }

    void takePreset(int index)
    {
        m_preset->setCurrentIndex(index);
        if (index == networkPreset && m_session.model() != nullptr) {
            const ModelSummary& model = *m_session.model();
            m_layers->setValue(int(model.layers));
            m_width->setValue(int(model.width));
            m_heads->setValue(int(model.heads));
            QStringList lengths;
            for (const int times : {1, 2, 4, 8})
                lengths << QString::number(times * model.tokens);
            m_lengths->setText(lengths.join(u", "_s));
        } else if (index < ownPreset) {
            m_lengths->setText(QString::fromLatin1(lengthPresets[index].lengths));
            m_lengths->setCursorPosition(0);  // where there is little room, the first ones are seen
        } else {
            m_lengths->setFocus();
        }
    }

    QString missing() const override
    {
        QString problem = parseCounts(m_lengths->text(), maxLength).problem;
        if (problem.isEmpty() && m_width->value() % m_heads->value() != 0)
            problem = tr("The embedding dimension %2 is not divisible by %1 heads; choose a multiple of the "
                         "number of heads.")
                          .arg(m_heads->value())
                          .arg(m_width->value());
        m_lengths->setToolTip(problem.isEmpty() ? tr("Numbers of tokens in ascending order, separated by commas")
                                                : problem);
        return problem;
    }

    QString summary() const override
    {
        const ScaleRequest wanted = request();
        QStringList names;
        for (const AttentionSpec& spec : wanted.attention)
            if (spec.backend() != referenceBackend || spec != spec.alone())
                names << titleOfSpec(toQt(spec.canonical()));
        return tr("Time and memory of %1, %2 from %3 to %4 tokens: %5.")
            .arg(names.isEmpty() ? tr("explicit and fused softmax")
                                 : tr("%1 alongside softmax").arg(fewNames(names)),
                 counted(wanted.lengths.size(), [](int n) { return tr("%1 length(s)", nullptr, n); }),
                 countText(wanted.lengths.front()), countText(wanted.lengths.back()),
                 remainingText(guessedSeconds(wanted, m_session.threads(), m_session.onGpu())));
    }

    QString note() const override
    {
        const QStringList others = m_session.leftOut();
        return others.isEmpty()
                   ? tr("Uses an encoder with random weights, so neither an image nor a checkpoint "
                        "is needed, and runs the backends selected under Backends.")
                   : tr("Skipped: %1, which needs a network with spatial reduction.").arg(others.join(u", "_s));
    }

    QString running() const override { return tr("Measuring the first length"); }

    QList<LegendRow::Entry> entries() const override
    {
        QStringList specs;
        for (const ScaleRow& row : report().rows)
            specs << toQt(row.attention);
        const QStringList looks = looksOfSpecs(specs);
        QList<LegendRow::Entry> entries;
        for (const QString& spec : specs)
            entries << LegendRow::Entry{
                .key = spec, .name = scaleTitle(fromQt(spec)), .backend = looks[entries.size()], .help = spec};
        return entries;
    }

    /// An attention that is left out takes its published marks with it.
    QStringList hiddenSeries() const override
    {
        QStringList hidden = m_legend->hidden();
        for (const ScaleRow& row : report().rows)
            if (!m_published->isChecked() || hidden.contains(toQt(row.attention)))
                hidden << toQt(row.backend + ", published");
        return hidden;
    }

    void nameParts() override
    {
        const bool time = m_quantity->current() == 0, over = m_values->current() == 1;
        m_published->setVisible(over);
        m_charts[0].title->setText(time ? tr("Whole encoder") : tr("Whole encoder, peak"));
        m_charts[1].title->setText(!time ? tr("Attention only, one layer")
                                   : hasResults() && report().request.backward
                                       ? tr("Attention only, all layers, forward")
                                       : tr("Attention only, all layers"));
        m_hint->setText(over ? tr("relative to explicit softmax at the same length; hollow: published, 16 samples")
                        : time ? tr("medians; bands: 5th to 95th percentile; ✕: stopped")
                               : tr("tensor memory above the level before the pass; ✕: stopped"));
        m_hint->setToolTip(m_hint->text());
    }

    std::vector<Chart> charts() const override
    {
        for (const TitledChart& chart : m_charts)
            chart.view->setPlaces(report().request.lengths);
        return lengthCharts(report(), m_quantity->current() == 0 ? ScaleQuantity::Time : ScaleQuantity::Memory,
                            m_values->current() == 1 ? ScaleMeasure::OverSoftmax : ScaleMeasure::Absolute,
                            hiddenSeries());
    }

    Table contents() const override
    {
        return m_tables->current() == 0 ? scaleExponents(report()) : scalePoints(report());
    }

    QString secondName() const override { return u"attention"_s; }

    CaptionCombo* m_preset = new CaptionCombo(tr("Lengths"), this);
    QLineEdit* m_lengths = newCountsField(tr("Sequence lengths in tokens"), 170, {});
    CaptionSpin* m_layers = new CaptionSpin(tr("Layers"), 1, 64, 8, this);
    CaptionSpin* m_width = new CaptionSpin(tr("Dim"), 1, 4096, 192, this);
    CaptionSpin* m_heads = new CaptionSpin(tr("Heads"), 1, 64, 3, this);
    CaptionCombo* m_pass = new CaptionCombo(tr("Pass"), this);
    Segments* m_quantity = newChoices(tr("Quantity"), {tr("Time"), tr("Memory")});
    Segments* m_values = newChoices(tr("Values"), {tr("Absolute"), tr("Relative to softmax")});
    QCheckBox* m_published = new QCheckBox(tr("Published"), this);
    ElidedLabel* m_hint = new ElidedLabel(this);
    QBoxLayout* m_row = new QHBoxLayout;
    QVBoxLayout* m_column = nullptr;  ///< of the charts
};

}

ScaleTab* lengthTab(ScaleSession& session, QWidget* parent)
{
    return new LengthTab(session, parent);
}

}
