// What is tried on given q, k and v: samples and feature maps.
#include "ui/scale/scale_tab.h"
#include "ui/scale/scale_words.h"
#include "ui/scale/tensors/tensor_source.h"
#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include "core/attention/backend_info.h"
#include "core/lab/lab_charts.h"
#include "core/lab/lab_tables.h"

#include <QLineEdit>

namespace attnscope::ui {

namespace {

constexpr int64_t maxShownSamples = 1 << 20;

class TensorTab : public ScaleTab {
public:
    bool take(Content, const QString& path) override
    {
        m_source->setDump(path);
        return true;
    }

protected:
    using ScaleTab::ScaleTab;

    void buildWith(const QList<QWidget*>& fields)
    {
        build(m_source->fields() + fields);
        connect(m_source, &TensorSource::changed, this, &TensorTab::refreshForm);
        connect(empty()->second(), &QPushButton::clicked, m_source, &TensorSource::askDump);
        m_source->setKind(TensorSource::Kind::Model);
    }
    /// The model has nothing to look at.
    bool isBlind(const SubjectRequest& subject) const { return subject.isModel() && subject.inputs.empty(); }

    TensorSource* m_source = new TensorSource(newImageSizes(), this);
};

/// Error against samples at the same q, k, v (the LARA paper's figure 1): of the model at hand, of a file, or random ones.
class SamplesTab : public TensorTab {
    Q_DECLARE_TR_FUNCTIONS(attnscope::ui::SamplesTab)
public:
    SamplesTab(ScaleSession& session, QWidget* parent)
        : TensorTab(session, ScaleSession::Samples,
                    {u"samples"_s,
                     tr("How many samples does an approximation need?"),
                     tr("Error vs. number of samples"),
                     tr("As in figure 1 of the LARA paper: the same q, k, v for all, averaged over heads, layers "
                        "and inputs."),
                     {u"open"_s, tr("Open q, k, v…")},
                     sketchCurves({{"performer", 0.96, 0.64}, {"lara", 0.78, 0.42, 0.03}, {"ra", 0.88, 0.1}})},
                    parent)
    {
        m_seeds->setToolTip(tr("Number of seeds for each random attention"));
        addCharts({{tr("Mean squared error"), nullptr, tr("Curves appear once everything has been measured")},
                   {tr("Variance"), m_part}});
        addTables({tr("Errors")});
        buildWith({m_counts, m_seeds});
    }

    ScaleQuestion job() const override { return request(); }
    void setCompact(bool) override {}

private:
    const ApproximateReport& report() const { return *m_session.report<ApproximateReport>(); }

    ApproximateJob request() const
    {
        ApproximateJob form{m_source->subject(), {}};
        form.request.attention = m_session.approximations();
        form.request.samples = parseCounts(m_counts->text(), maxShownSamples).numbers;
        form.request.seeds = m_seeds->value();
        return m_session.completed(form, m_session.inputs());
    }

    QString missing() const override
    {
        const QString problem = parseCounts(m_counts->text(), maxShownSamples).problem;
        m_counts->setToolTip(problem.isEmpty() ? tr("Sample counts in ascending order, separated by commas")
                                               : problem);
        const ApproximateJob wanted = request();
        return !problem.isEmpty() ? problem
               : wanted.request.attention.empty()
                   ? tr("Select a backend other than softmax, which is the reference for the error.")
               : isBlind(wanted.subject) ? tr("Open an image in Compare, or a file with q, k and v.")
                                         : QString();
    }

    QString summary() const override
    {
        const ApproximateJob wanted = request();
        const std::vector<int64_t>& counts = wanted.request.samples;
        QStringList names;
        for (const AttentionSpec& spec : wanted.request.attention)
            names << toQt(spec.isMixed() ? spec.canonical() : spec.backend());
        return tr("Error of %1 with %3 to %4 samples (%2), %5: %6.")
            .arg(fewNames(names), counted(counts.size(), [](int n) { return tr("%1 value(s)", nullptr, n); }),
                 QString::number(counts.front()), QString::number(counts.back()),
                 m_source->text(m_session.inputs()),
                 remainingText(guessedSeconds(wanted, m_session.model(), m_session.threads(), m_session.onGpu())));
    }

    QString note() const override
    {
        return tr("Mean, standard deviation, bias² and variance over seeds, with a 1/samples line and two "
                  "baselines. Exact softmax is 0.");
    }

    QString running() const override
    {
        return tr("Measuring the error %1").arg(m_source->text(m_session.inputs()));
    }

    QList<LegendRow::Entry> entries() const override
    {
        QStringList specs;
        for (const Curve& curve : report().curves)
            specs << toQt(curve.attention);
        const QStringList looks = looksOfSpecs(specs);
        QList<LegendRow::Entry> entries;
        for (const Curve& curve : report().curves)
            entries << LegendRow::Entry{.key = toQt(curve.attention),
                                        .name = translated(curveTitle(curve)),
                                        .backend = looks[entries.size()],
                                        .help = toQt(curve.attention)};
        return entries << LegendRow::Entry{.key = u"mean of the values"_s,
                                           .name = tr("mean of the values"),
                                           .help = tr("Baseline: every query outputs the mean of v")}
                       << LegendRow::Entry{
                              .key = u"zero"_s, .name = tr("zero"), .help = tr("Baseline: every query outputs 0")};
    }

    QStringList hiddenSeries() const override
    {
        QStringList hidden = m_legend->hidden();
        for (const Curve& curve : report().curves)
            if (hidden.contains(toQt(curve.attention)))
                hidden << toQt(curve.attention + ", 1/samples");
        return hidden;
    }

    void nameParts() override
    {
        m_charts[1].title->setText(isVariance() ? tr("Variance and 1/samples") : tr("Bias²"));
        m_charts[1].view->setNotice(isVariance() ? tr("Deterministic backends have no variance")
                                                 : tr("No bias² above 0"));
    }

    bool isVariance() const { return m_part->current() == 0; }

    std::vector<Chart> charts() const override
    {
        return {errorChart(report(), ErrorPart::Total),
                errorChart(report(), isVariance() ? ErrorPart::Variance : ErrorPart::BiasSquared)};
    }

    Table contents() const override { return approximationErrors(report()); }

    QString secondName() const override { return isVariance() ? u"variance"_s : u"bias"_s; }

    QLineEdit* m_counts = newCountsField(tr("Sample counts"), 190, u"1, 4, 9, 16, 25, 49, 100, 196"_s);
    CaptionSpin* m_seeds = new CaptionSpin(tr("Seeds"), 1, 100, 5, this);
    Segments* m_part = newChoices(tr("Error component"), {tr("Variance"), tr("Bias²")});
};

QStringList anglesInWords()
{
    QStringList words;
    for (const KernelAngle each : kernelAngles)
        words << toQt(describe(each));
    return words;
}

/// Random features by themselves: exp(q·k) next to the estimate and the variance of every feature map, against the norm.
class KernelTab : public TensorTab {
    Q_DECLARE_TR_FUNCTIONS(attnscope::ui::KernelTab)
public:
    KernelTab(ScaleSession& session, QWidget* parent)
        : TensorTab(session, ScaleSession::Kernel,
                    {u"kernel"_s,
                     tr("How well do random features estimate exp(q·k)?"),
                     tr("Random features vs. norm"),
                     tr("Variances are exact, in closed form; estimates are one draw with the seed above."),
                     {u"open"_s, tr("Open q, k, v…")},
                     sketchCurves({{"rfa", 0.1, 0.98, 0.12, tr("trigonometric")},
                                   {"performer", 0.14, 0.56, 0.05, tr("positive")}})},
                    parent)
    {
        m_features->setToolTip(tr("Number of random features of every map"));
        addCharts({{tr("exp(x·y) and its estimates ± std. dev."), m_angles},
                   {tr("Std. dev. relative to exp(x·y)"),
                    nullptr,
                    {},
                    tr("Lines: in closed form, for this angle. Single marks: measured heads")}});
        addTables({tr("Measured heads"), tr("Estimates")});
        buildWith({m_features});
    }

    ScaleQuestion job() const override { return request(); }

private:
    const KernelReport& report() const { return *m_session.report<KernelReport>(); }
    KernelAngle angle() const { return kernelAngles[size_t(m_angles->current())]; }
    QStringList inputs() const { return {m_session.input()}; }

    KernelJob request() const
    {
        return m_session.completed(KernelJob{m_source->subject(), {.samples = m_features->value()}},
                                   m_session.input().isEmpty() ? QStringList() : inputs());
    }

    QString missing() const override
    {
        return isBlind(request().subject) ? tr("Open an image in Compare, or a file with q and k.") : QString();
    }

    QString summary() const override
    {
        return counted(m_features->value(),
                       [](int n) {
                           return tr("Positive, hyperbolic, trigonometric and cosine maps with %1 feature(s)",
                                     nullptr, n);
                       })
               + u", "_s + m_source->text(inputs()) + QLatin1Char('.');
    }

    QString note() const override
    {
        return tr(
            "Exact values, estimates and their variance against the norm of q and k, before any normaliser.");
    }

    QString running() const override { return tr("Estimating the kernel %1").arg(m_source->text(inputs())); }

    /// One entry for each feature map: it stands for the map's curves and for its measured heads.
    QList<LegendRow::Entry> entries() const override
    {
        QList<LegendRow::Entry> all{
            {.key = u"exact"_s, .name = tr("exact"), .backend = toQt(referenceBackend), .help = tr("exp(x·y)")}};
        for (size_t f = 0; f < kernelFeatures.size(); ++f) {
            const QString name = toQt(toText(kernelFeatures[f]));
            all << LegendRow::Entry{
                .key = name, .name = name, .backend = toQt(kernelLook(f, angle())), .help = name};
        }
        return all;
    }

    QStringList hiddenSeries() const override
    {
        QStringList hidden = m_legend->hidden();
        for (size_t f = 0; f < kernelFeatures.size(); ++f) {
            const std::string name(toText(kernelFeatures[f]));
            const bool isHidden = m_legend->hidden().contains(toQt(name));
            for (const KernelAngle each : kernelAngles)
                if (each != angle() || isHidden)
                    hidden << toQt(kernelSeries(f, each));
            if (isHidden)
                hidden << toQt(name + ", measured");
        }
        return hidden;
    }

    std::vector<Chart> charts() const override
    {
        return {kernelEstimateChart(report(), angle()), kernelChart(report())};
    }

    Table contents() const override
    {
        if (m_tables->current() == 0)
            return report().heads.empty() ? kernelValues(report().pairs) : kernelHeads(report());
        for (const KernelCurve& curve : report().curves)
            if (curve.angle == angle())
                return kernelValues(curve.points);
        return {};
    }

    Exports exports() const override
    {
        Exports all = ScaleTab::exports();
        std::swap(all.chart, all.second);
        return all;
    }
    QString secondName() const override { return u"estimates"_s; }

    CaptionSpin* m_features = new CaptionSpin(tr("Features"), 1, 16'384, 64, this);
    Segments* m_angles = newChoices(tr("Angle between x and y"), anglesInWords(),
                                    tr("How y lies to x, of equal length"));
};

}

ScaleTab* samplesTab(ScaleSession& session, QWidget* parent)
{
    return new SamplesTab(session, parent);
}

ScaleTab* kernelTab(ScaleSession& session, QWidget* parent)
{
    return new KernelTab(session, parent);
}

}
