#include "ui/neighbours/search_form.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/number_fields.h"
#include "ui/workspace/accuracy_text.h"

#include "core/lab/neighbours/neighbour_report.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr int maxLimit = 100'000'000, maxK = 100'000, nameWidth = 150;
constexpr FeatureDistance shownDistances[]{FeatureDistance::L2, FeatureDistance::L2Squared,
                                           FeatureDistance::Cosine};

}

SearchForm::SearchForm(NeighboursSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_source(new ActionButton(u"folder"_s, {}, ActionButton::Look::Plain, this))
    , m_folder(new ActionButton(u"folder"_s, {}, ActionButton::Look::Plain, this))
    , m_limit(new CaptionSpin(tr("Limit"), 0, maxLimit, 0, this))
    , m_attention(new CaptionCombo(tr("Attention"), this))
    , m_counts(new QLineEdit(this))
    , m_distance(new CaptionCombo(tr("Distance"), this))
    , m_temperature(new RealSpin(this))
    , m_note(new ElidedLabel(this))
{
    m_limit->setSpecialValueText(tr("All"));
    m_limit->setToolTip(tr("Number of samples of each folder, spread evenly"));
    m_attention->setAccessibleName(tr("Attention with which features are computed"));
    m_attention->setToolTip(tr("Features of other attentions come from the backends that are selected"));
    m_counts->setAccessibleName(tr("Numbers of neighbours"));
    m_counts->setPlaceholderText(u"1, 5, 10 … 200"_s);
    m_counts->setMinimumWidth(150);
    m_counts->setMaximumWidth(260);
    m_counts->setTextMargins(4, 0, 4, 0);
    m_distance->setAccessibleName(tr("Distance between features"));
    m_distance->addItems({tr("L2"), tr("L2, squared"), tr("Cosine")});
    m_temperature->setAccessibleName(tr("Temperature"));
    m_temperature->setToolTip(
        tr("Neighbours weigh exp(−distance/temperature); by default 1, or 0.07 for the cosine"));
    m_temperature->setPrefix(u"τ "_s);
    m_temperature->setRange(0, 1e9);
    m_temperature->setDecimals(6);
    m_temperature->setSpecialValueText(tr("τ default"));
    m_temperature->setMinimumWidth(96);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setFont(fontFor(Type::Small));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    auto* data = new QHBoxLayout;
    data->setSpacing(8);
    column->addLayout(data);
    for (QWidget* field : std::initializer_list<QWidget*>{m_source, m_folder, m_limit, m_attention})
        data->addWidget(field);
    data->addWidget(m_note, 1);
    auto* search = new QHBoxLayout;
    search->setSpacing(8);
    column->addLayout(search);
    auto* counts = new QLabel(tr("k"), this);
    counts->setForegroundRole(QPalette::PlaceholderText);
    counts->setToolTip(tr("Numbers of neighbours"));
    for (QWidget* field : std::initializer_list<QWidget*>{counts, m_counts, m_distance, m_temperature})
        search->addWidget(field);
    search->addStretch(1);
    auto* menu = new QMenu(this);
    menu->addAction(tr("Build from a labelled folder…"), this, &SearchForm::askBuild);
    menu->addAction(tr("Open a datastore…"), this, &SearchForm::askDatastore);
    connect(m_source, &QPushButton::clicked, this,
            [this, menu] { menu->popup(m_source->mapToGlobal(QPoint(0, m_source->height()))); });
    connect(m_folder, &QPushButton::clicked, this, &SearchForm::askEvaluate);
    connect(m_limit, &QSpinBox::valueChanged, this, &SearchForm::reportChange);
    connect(m_attention, &QComboBox::currentIndexChanged, this, &SearchForm::reportChange);
    connect(m_counts, &QLineEdit::textChanged, this, &SearchForm::reportChange);
    connect(m_distance, &QComboBox::currentIndexChanged, this, &SearchForm::reportChange);
    connect(m_temperature, &QDoubleSpinBox::valueChanged, this, &SearchForm::reportChange);
    connect(&session, &NeighboursSession::choicesChanged, this, [this] {
        takeBackends();
        reportChange();
    });
    takeBackends();
    refreshNames();
}

void SearchForm::takeBackends()
{
    const QSignalBlocker quiet(m_attention);
    const QString chosen = m_attention->currentData().toString();
    m_attention->clear();
    m_attention->addItem(tr("Model's own"), QString::fromLatin1("native"));
    for (const QString& spec : m_session.workspace().backends().checkedSpecs())
        if (m_attention->findData(spec) < 0)
            m_attention->addItem(titleOfSpec(spec), spec);
    m_attention->setCurrentIndex(std::max(0, m_attention->findData(chosen)));
}

void SearchForm::refreshNames()
{
    const auto name = [this](const QString& path) {
        return fontMetrics().elidedText(dataTitle(path), Qt::ElideMiddle, nameWidth);
    };
    m_source->setText(!m_build.isEmpty()       ? tr("Build from %1").arg(name(m_build))
                      : !m_datastore.isEmpty() ? fontMetrics().elidedText(
                            QFileInfo(m_datastore).completeBaseName(), Qt::ElideMiddle, nameWidth)
                                               : tr("Datastore…"));
    m_source->setToolTip(!m_build.isEmpty() ? tr("%1\nFeatures go to %2").arg(m_build, toQt(question().datastore))
                         : !m_datastore.isEmpty()
                             ? m_datastore
                             : tr("The features that are searched: of a labelled folder, or from a file"));
    m_source->setAccessibleName(m_build.isEmpty() && m_datastore.isEmpty()
                                    ? tr("Choose a datastore")
                                    : tr("Datastore: %1; click to choose another").arg(m_source->text()));
    m_folder->setText(m_evaluate.isEmpty() ? tr("Evaluate on…") : tr("Evaluate on %1").arg(name(m_evaluate)));
    m_folder->setToolTip(
        m_evaluate.isEmpty()
            ? tr("A labelled folder with the classes of the datastore, for accuracy and for images to look at")
            : m_evaluate);
    m_note->setText(missing());
    m_folder->setAccessibleName(
        m_evaluate.isEmpty() ? tr("Choose a folder to evaluate on")
                             : tr("Evaluated folder: %1; click to choose another").arg(dataTitle(m_evaluate)));
}

void SearchForm::reportChange()
{
    refreshNames();
    emit changed();
}

void SearchForm::setBuild(const QString& folder)
{
    m_build = folder;
    if (!folder.isEmpty())
        m_datastore.clear();
    reportChange();
}

void SearchForm::setDatastore(const QString& file)
{
    m_datastore = file;
    m_build.clear();
    reportChange();
}

void SearchForm::setEvaluate(const QString& folder)
{
    m_evaluate = folder;
    reportChange();
}

void SearchForm::askBuild()
{
    const QString folder = QFileDialog::getExistingDirectory(
        this, tr("A folder with one subfolder of images or videos per class"), m_build);
    if (!folder.isEmpty())
        setBuild(folder);
}

void SearchForm::askDatastore()
{
    const QString file = QFileDialog::getOpenFileName(this, tr("A datastore of features"),
                                                      QFileInfo(m_datastore).path(),
                                                      tr("Datastores (*.safetensors);;All files (*)"));
    if (!file.isEmpty())
        setDatastore(file);
}

void SearchForm::askEvaluate()
{
    const QString folder = QFileDialog::getExistingDirectory(this, tr("A labelled folder to evaluate on"),
                                                             m_evaluate);
    if (!folder.isEmpty())
        setEvaluate(folder);
}

std::vector<int64_t> SearchForm::countsOf(QString& problem) const
{
    std::vector<int64_t> counts;
    for (const QString& word : m_counts->text().split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const int value = word.trimmed().toInt(&isNumber);
        if (!isNumber || value < 1 || value > maxK)
            problem = tr("“%1” is not a number of neighbours from 1 to %2.").arg(word.trimmed(), countText(maxK));
        else
            counts.push_back(value);
    }
    return problem.isEmpty() ? counts : std::vector<int64_t>();
}

NeighbourQuestion SearchForm::question() const
{
    NeighbourQuestion form;
    QString problem;
    form.attention = AttentionSpec::parse(fromQt(m_attention->currentData().toString()));
    form.build = fromQt(m_build);
    form.datastore = fromQt(m_build.isEmpty() ? m_datastore : m_session.datastoreFor(m_build, form.attention));
    form.evaluate = fromQt(m_evaluate);
    form.limit = m_limit->value();
    form.request.k = countsOf(problem);
    form.request.distance = shownDistances[m_distance->currentIndex()];
    if (m_temperature->value() > 0)
        form.request.temperature = m_temperature->value();
    return m_session.question(form);
}

QString SearchForm::missing() const
{
    QString problem;
    (void)countsOf(problem);
    if (!problem.isEmpty())
        return problem;
    if (m_build.isEmpty() && m_datastore.isEmpty())
        return tr("Choose a labelled folder whose features are computed, or a datastore of features.");
    if (m_build.isEmpty() && m_evaluate.isEmpty())
        return tr("Choose a labelled folder to evaluate on.");
    return {};
}

}
