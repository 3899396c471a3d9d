#include "ui/compare/compare_page.h"

#include "ui/charts/chart_view.h"
#include "ui/charts/figure_file.h"
#include "ui/charts/run_marks.h"
#include "ui/compare/compare_card.h"
#include "ui/compare/compare_empty.h"
#include "ui/compare/compare_export.h"
#include "ui/compare/features_panel.h"
#include "ui/compare/merged_panel.h"
#include "ui/compare/patch_images.h"
#include "ui/compare/photo_view.h"
#include "ui/compare/verdict.h"
#include "ui/compare/views_panel.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/message_stack.h"
#include "ui/widgets/page_head.h"
#include "ui/widgets/page_stack.h"
#include "ui/workspace/accuracy_text.h"

#include "core/base/error.h"
#include "core/base/format.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableView>
#include <QTimer>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr int minChart = 170, minImages = 300;  // those of many backends

/// " · 10.0 s"
QString videoNote(const Preview& preview)
{
    return preview.seconds > 0 ? ComparePage::tr(" · %1 s").arg(preview.seconds, 0, 'f', 1) : QString();
}

/// What every comparison can be drawn as.
QStringList chartNames()
{
    return {ComparePage::tr("Pareto"), ComparePage::tr("Bars"), ComparePage::tr("Table")};
}

}

ComparePage::ComparePage(CompareSession& session, QWidget* parent)
    : Page(session.workspace(), parent)
    , m_session(session)
    , m_runs(session.runs())
    , m_figures(new QuantitiesModel(m_runs, this))
    , m_later(new QTimer(this))
{
    setContents(compareEmpty(), buildContent());
    connect(empty()->second(), &QPushButton::clicked, this, &ComparePage::askFiles);
    connect(empty()->first(), &QPushButton::clicked, this, [this] { emit actionRequested(u"demo"_s); });
    empty()->link()->setVisible(!m_workspace.demoNetwork(u"deit"_s).isEmpty());
    connect(empty()->link(), &LinkButton::clicked, this, [this] { emit actionRequested(u"shortDemo"_s); });
    m_later->setSingleShot(true);
    m_later->setInterval(30);
    connect(m_later, &QTimer::timeout, this, &ComparePage::refresh);
    connectSession();
    refresh();
}

QWidget* ComparePage::buildContent()
{
    m_content = new QWidget(this);
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildHead());
    m_body = new QBoxLayout(QBoxLayout::TopToBottom);
    m_body->setSpacing(Layout::gap);
    m_card = new CompareCard(m_runs, m_content);
    m_body->addWidget(m_card, 0, Qt::AlignTop);
    m_body->setAlignment(m_card, {});
    m_body->addWidget(buildChartCard(), 1);
    column->addLayout(m_body, 1);
    column->addStretch();  // takes what is left below a table that is shown alone
    connect(m_card, &CompareCard::chosenChanged, this, &ComparePage::choose);
    connect(m_card, &CompareCard::stepRequested, this,
            [this](int step) { m_workspace.setCurrentInput(m_workspace.currentInput() + step); });
    connect(m_card, &CompareCard::detailsRequested, this, &Page::showProblem);
    BackendList& backends = m_workspace.backends();
    connect(m_card, &CompareCard::referenceRequested, &backends, &BackendList::setReference);
    connect(m_card, &CompareCard::removeRequested, &backends,
            [&backends](int id) { backends.setChecked(id, false); });
    return m_content;
}

QWidget* ComparePage::buildHead()
{
    m_head = new QWidget(m_content);
    auto* row = new QHBoxLayout(m_head);
    row->setContentsMargins(4, 0, 2, 0);
    row->setSpacing(12);
    auto* words = new QVBoxLayout;
    words->setSpacing(3);
    m_headline = new ElidedLabel(m_head);
    m_headline->setFont(fontFor(Type::Verdict));
    m_headline->setTextFormat(Qt::PlainText);
    m_headline->setMinimumWidth(60);
    m_headline->setElideMode(Qt::ElideRight);
    words->addStretch(1);
    words->addWidget(m_headline);
    for (ElidedLabel*& line : m_detail) {
        line = new ElidedLabel(m_head);
        line->setForegroundRole(QPalette::PlaceholderText);
        line->setTextFormat(Qt::PlainText);
        line->setElideMode(Qt::ElideRight);
        words->addWidget(line);
    }
    words->addStretch(1);
    row->addLayout(words, 1);
    m_subjects = new Segments(tr("Compared"), {tr("Classes"), tr("Features")}, m_head);
    m_subjects->setToolTip(
        tr("What is compared: predicted classes, or the network's features with those of exact attention"));
    row->addWidget(m_subjects);
    connect(m_subjects, &Segments::chosen, this, [this](int choice) {
        m_session.setFeatures(choice == 1);
        if (choice == 1 && m_runs.anyRecord() && !m_runs.anyFeatures() && canRun())
            run();
    });
    m_view = new Segments(tr("View"), {tr("Cells"), tr("Chart")}, m_head);
    row->addWidget(m_view);
    connect(m_view, &Segments::chosen, this, &ComparePage::arrange);
    m_copy = new ActionButton(u"copy"_s, tr("Copy as command"), ActionButton::Look::Flat, m_head);
    m_copy->setToolTip(tr("The attnscope-cli command that repeats this comparison"));
    row->addWidget(m_copy);
    connect(m_copy, &QPushButton::clicked, this, &ComparePage::copyCommand);
    return m_head;
}

QWidget* ComparePage::buildChartCard()
{
    auto* card = new QFrame(m_content);
    card->setProperty("card", true);
    m_chartCard = card;
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(11, 6, 11, 6);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    m_segments = new Segments(tr("Kind of chart"), chartNames(), card);
    m_hint = new ElidedLabel(tr("lower left is better"), card);
    m_hint->setElideMode(Qt::ElideRight);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_hint->setFont(fontFor(Type::Small));
    m_y = new CaptionCombo(tr("y"), card);
    m_x = new CaptionCombo(tr("x"), card);
    m_y->setAccessibleName(tr("Vertical axis"));
    m_x->setAccessibleName(tr("Horizontal axis"));
    for (const Measure& each : inputMeasures()) {
        m_y->addItem(axisName(each));
        m_x->addItem(axisName(each));
    }
    const auto preset = [](QComboBox& box, const char* key) {
        box.setCurrentIndex(int(&measure(key) - inputMeasures().data()));
    };
    preset(*m_y, "error");
    preset(*m_x, "attention_latency");
    row->addWidget(m_segments);
    row->addSpacing(6);
    row->addWidget(m_hint, 1);
    column->addLayout(row);
    m_chartStack = new PageStack(card);
    m_chart = new ChartView(tr("Chart"), m_chartStack, ChartView::Names::AtMarks);
    m_chart->setNotice(tr("Points appear as they are measured"));
    m_table = new QTableView(m_chartStack);
    plainTable(*m_table, tr("All values"));
    m_table->setModel(m_figures);
    m_table->verticalHeader()->setDefaultSectionSize(28);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_scale = newScaleBox(*m_chart, card);
    for (CaptionCombo* box : {m_scale, m_y, m_x})
        row->addWidget(box);
    m_chartStack->addWidget(m_chart);
    m_chartStack->addWidget(m_table);
    m_viewsPanel = new ViewsPanel(m_session, m_chartStack);
    m_chartStack->addWidget(m_viewsPanel);
    m_featuresPanel = new FeaturesPanel(m_runs, m_chartStack);
    m_chartStack->addWidget(m_featuresPanel);
    m_mergedPanel = new MergedPanel(m_runs, m_chartStack);
    m_chartStack->addWidget(m_mergedPanel);
    row->addWidget(m_mergedPanel->blocks());
    connect(m_mergedPanel, &MergedPanel::anyChanged, this, [this] { offerCharts(chartKind()); });
    connect(m_viewsPanel, &ViewsPanel::anyChanged, this,
            [this] { offerCharts(m_viewsPanel->any() ? ChartKind::Views : chartKind()); });
    connect(m_featuresPanel, &FeaturesPanel::hintChanged, this, &ComparePage::showChart);
    m_chartStack->setMinimumHeight(minChart
                                   - 50);  // not what its highest page would like: the gap above the card stays
    column->addWidget(m_chartStack, 1);
    offerCharts(ChartKind::Pareto);
    connect(m_segments, &Segments::chosen, this, &ComparePage::showChart);
    connect(m_x, &QComboBox::currentIndexChanged, this, &ComparePage::refreshChart);
    connect(m_y, &QComboBox::currentIndexChanged, this, &ComparePage::refreshChart);
    connect(&m_runs, &RunTableModel::figuresChanged, this, &ComparePage::refreshChart);
    connect(&m_runs, &QAbstractItemModel::modelReset, this, &ComparePage::refreshChart);
    connect(m_chart, &ChartView::chosenChanged, this, [this](qint64 column) { choose(int(column)); });
    return card;
}

void ComparePage::connectSession()
{
    const auto later = [this] {
        if (!m_later->isActive())
            m_later->start();
    };
    connect(&m_runs, &RunTableModel::figuresChanged, this, later);
    connect(&m_runs, &QAbstractItemModel::modelReset, this, later);
    connect(&m_session, &Session::activityChanged, this, later);
    connect(&m_workspace, &Workspace::modelChanged, this, [this] {
        messages()->offerUntrained();
        refreshUntrained();
        refreshInput();
    });
    connect(&m_workspace, &Workspace::opening, messages(), &MessageStack::openNextFile);
    connect(&m_workspace, &Workspace::unreadableChanged, this, &ComparePage::refreshUnreadable);
    followMessages(m_session);
    connect(&m_session, &CompareSession::subjectChanged, this, &ComparePage::takeSubject);
    connect(&m_workspace, &Workspace::previewChanged, this,
            [this](const std::shared_ptr<const Preview>& preview, const QString& note) {
                m_previewNote = note;
                m_turned = preview && preview->turned;
                m_videoNote = preview && preview->video ? videoNote(*preview) : QString();
                m_card->photo()->setImage(preview ? preview->image : QImage(), {});
                m_card->photo()->setNote(note);
                m_card->photo()->setProperty("storedWidth",
                                             preview ? QVariant::fromValue<qint64>(preview->width) : QVariant());
                m_card->photo()->setProperty("storedHeight",
                                             preview ? QVariant::fromValue<qint64>(preview->height) : QVariant());
                refreshInput();
            });
}

void ComparePage::refresh()
{
    const bool any = hasResults();
    showContents(any);
    if (!any)
        return;
    const Verdict words = verdict(m_runs);
    m_headline->setText(words.headline);
    m_headline->setToolTip(words.detail.isEmpty() ? words.headline
                                                  : words.headline + QLatin1Char('\n') + words.detail);
    m_details = words.detail;
    for (ElidedLabel* line : m_detail)
        line->setToolTip(words.detail);
    refreshInput();
    refreshUntrained();
    arrange();
}

void ComparePage::refreshInput()
{
    if (m_workspace.input() == nullptr)
        return;
    const InputEntry& input = *m_workspace.input();
    PhotoView* photo = m_card->photo();
    const qint64 width = photo->property("storedWidth").toLongLong(),
                 height = photo->property("storedHeight").toLongLong();
    QString details = width > 0 ? tr("%1×%2").arg(width).arg(height) : QString();
    QStringList spoken{input.name, details};
    QRectF crop;
    if (width > 0 && m_workspace.model()) {
        Preview preview{photo->image(), width, height, m_turned};
        crop = cropOnView(preview, m_workspace.model()->transform);
        spoken << toQt(m_workspace.model()->transform.name());
    }
    details += m_videoNote;
    if (m_turned) {
        details += tr(" · rotated");
        spoken << tr("Rotated for display according to the file's metadata; the model sees it as stored, as in "
                     "the published evaluation");
    }
    photo->setCrop(crop);
    const QRect seen = QRectF(crop.x() * photo->image().width(), crop.y() * photo->image().height(),
                              crop.width() * photo->image().width(), crop.height() * photo->image().height())
                           .toRect();
    // Turned for looking, an image does not lie as its patches do.
    m_mergedPanel->setImage(m_turned || crop.isEmpty() ? QImage() : photo->image().copy(seen));
    photo->setToolTip(spoken.join(QLatin1Char('\n')));
    photo->setAccessibleDescription(spoken.join(u", "_s));
    m_card->showInput(input.name, details, m_workspace.currentInput(), int(m_workspace.inputs().size()));
}

void ComparePage::refreshUntrained()
{
    messages()->setUntrained(m_workspace.isUntrained());
}

void ComparePage::refreshUnreadable()
{
    const auto& files = m_workspace.unreadable();
    if (files.empty()) {
        delete m_unreadable;
        m_unreadable = nullptr;
        return;
    }
    const QString name = QFileInfo(toQt(files.front().path)).fileName();
    QString sentence = tr("%1: %2").arg(name, toQt(files.front().reason));
    if (files.size() > 1)
        sentence += tr(" (and %1 more like it)").arg(files.size() - 1);
    if (m_unreadable != nullptr) {
        m_unreadable->setSentence(sentence);
        return;
    }
    m_unreadable = showMessage(MessageBar::Kind::Error, sentence);
    connect(m_unreadable, &MessageBar::closed, this, [this] { m_unreadable = nullptr; });
}

void ComparePage::showChart()
{
    const ChartKind kind = chartKind();
    const bool drawn = kind == ChartKind::Pareto || kind == ChartKind::Bars;
    m_chartStack->setCurrentWidget(drawn                       ? static_cast<QWidget*>(m_chart)
                                   : kind == ChartKind::Table  ? static_cast<QWidget*>(m_table)
                                   : kind == ChartKind::Views  ? static_cast<QWidget*>(m_viewsPanel)
                                   : kind == ChartKind::Merged ? static_cast<QWidget*>(m_mergedPanel)
                                                               : m_featuresPanel);
    m_x->setVisible(kind == ChartKind::Pareto);
    m_scale->setVisible(kind == ChartKind::Pareto);
    m_y->setVisible(drawn);
    m_mergedPanel->blocks()->setVisible(kind == ChartKind::Merged);
    switch (kind) {
    case ChartKind::Pareto:
        m_hint->setText(tr("lower left is better"));
        break;
    case ChartKind::Bars:
        m_hint->setText(tr("lower is better"));
        break;
    case ChartKind::Table:
        m_hint->setText(tr("all values for this input"));
        break;
    case ChartKind::Views:
        m_hint->setText(tr("each view's probability of the class ranked first by their mean"));
        break;
    case ChartKind::Merged:
        m_hint->setText(tr("patches merged into one token share an outline"));
        break;
    case ChartKind::Features:
        m_hint->setText(m_featuresPanel->hint());
        break;
    }
    m_hint->setToolTip(m_hint->text());
    if (drawn)
        m_chart->setForm(kind == ChartKind::Pareto ? ChartView::Form::Marks : ChartView::Form::Bars);
    refreshChart();
}

void ComparePage::refreshChart()
{
    const Measure& x = inputMeasures()[size_t(m_x->currentIndex())];
    const Measure& y = inputMeasures()[size_t(m_y->currentIndex())];
    std::vector<RunMark> marks;
    for (int column = 0; column < m_runs.columnCount(); ++column) {
        const auto record = m_runs.record(column);
        const auto yValue = record ? chartValue(y, measurementsOf(*record)) : std::nullopt;
        const bool bars = chartKind() != ChartKind::Pareto;
        const auto xValue = record && !bars ? chartValue(x, measurementsOf(*record)) : std::nullopt;
        if (yValue && (xValue || bars))
            marks.push_back({column, m_runs.columnTitle(column), m_runs.column(column).lookKey(), xValue, *yValue,
                             record->latency ? tr("n = %1").arg(record->latency->repetitions) : QString()});
    }
    m_chart->setChart(runChart(marks, axisOf(x), axisOf(y)));
    showChosen();
}

/// What is chosen is a backend, wherever its column stands.
void ComparePage::showChosen()
{
    int chosen = -1;
    for (int column = 0; column < m_runs.columnCount(); ++column)
        if (m_runs.column(column).id == m_chosen)
            chosen = column;
    m_chart->setChosen(chosen);
    m_card->setChosen(chosen);
}

/// A video has views to look into, features their own images; both are shown at once.
void ComparePage::offerCharts(ChartKind wanted)
{
    m_kinds = {ChartKind::Pareto, ChartKind::Bars, ChartKind::Table};
    QStringList names = chartNames();
    if (m_viewsPanel->any()) {
        m_kinds.push_back(ChartKind::Views);
        names << tr("Views");
    }
    if (m_mergedPanel->any()) {
        m_kinds.push_back(ChartKind::Merged);
        names << tr("Tokens");
    }
    if (m_runs.subject() == Subject::Features) {
        m_kinds.push_back(ChartKind::Features);
        names << tr("Features");
    }
    const auto place = std::ranges::find(m_kinds, wanted);
    const QSignalBlocker silent(m_segments);
    m_segments->setChoices(names);
    m_segments->setCurrent(place == m_kinds.end() ? 0 : int(place - m_kinds.begin()));
    showChart();
}

void ComparePage::takeSubject()
{
    const bool features = m_runs.subject() == Subject::Features;
    m_subjects->setVisible(!m_session.isHeadless());
    m_subjects->setCurrent(m_session.hasFeatures() ? 1 : 0);
    const bool had = std::ranges::find(m_kinds, ChartKind::Features) != m_kinds.end();
    if (features != had)
        offerCharts(features ? ChartKind::Features : chartKind());
    arrange();
}

QString ComparePage::savedForm() const
{
    return m_session.hasFeatures() ? u"features"_s : QString();
}

void ComparePage::restoreForm(const QString& form)
{
    m_session.setFeatures(form == "features"_L1);
}

/// Where the cells stand in its place, the chart itself is the next view.
void ComparePage::showNextView()
{
    if (m_view->isVisible() && m_view->current() == 0)
        return m_view->setCurrent(1);
    m_segments->setCurrent((m_segments->current() + 1) % m_segments->count());
}

/// What is shown as an image comes first where it is one; the numbers are always there.
QStringList ComparePage::exportFilters() const
{
    QStringList numbers{tr("All numbers as CSV (*.csv)"), tr("All numbers as TSV (*.tsv)"),
                        tr("All results as JSON (*.json)")};
    switch (chartKind()) {
    case ChartKind::Pareto:
    case ChartKind::Bars:
        return QStringList{tr("Chart as PNG, 2× (*.png)"), tr("Chart as SVG (*.svg)"), tr("Chart as PDF (*.pdf)")}
               + numbers;
    case ChartKind::Features:
    case ChartKind::Merged:
        return QStringList{tr("Images of the patches as PNG, 2× (*.png)")} + numbers;
    case ChartKind::Views:
    case ChartKind::Table:
        break;
    }
    return numbers;
}

QString ComparePage::exportTo(const QString& path)
{
    QStringList formats;
    for (const QString& filter : exportFilters())
        formats << filter.section(u"*."_s, -1).chopped(1);
    if (const QString refused = refusedFormat(path, formats); !refused.isEmpty())
        return refused;
    const QString suffix = QFileInfo(path).suffix().toLower();
    try {
        if (suffix == "json"_L1)
            return writeBytes(path, comparisonJson(m_runs, m_workspace, m_session.otherModels()).toUtf8());
    } catch (const Error& error) {
        return toQt(error.what());
    }
    if (suffix == "csv"_L1 || suffix == "tsv"_L1)
        return writeBytes(
            path, comparisonText(m_runs, suffix == "csv"_L1 ? QLatin1Char(',') : QLatin1Char('\t')).toUtf8());
    if (chartKind() == ChartKind::Features || chartKind() == ChartKind::Merged)
        return writeBytes(
            path,
            (chartKind() == ChartKind::Features ? m_featuresPanel->images() : m_mergedPanel->images())->png());
    return m_chart->saveAs(path);
}

void ComparePage::choose(int column)
{
    m_chosen = column >= 0 && column < m_runs.columnCount() ? m_runs.column(column).id : 0;
    showChosen();
}

void ComparePage::askExport()
{
    const QStringList filters = exportFilters();
    const QString suffix = filters.front().section(u"*."_s, -1).chopped(1);
    const QString input = m_workspace.input() == nullptr ? QString()
                                                         : QFileInfo(m_workspace.input()->name).completeBaseName();
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export"), exportName({m_workspace.modelName(), input}, suffix), filters.join(u";;"_s));
    if (!path.isEmpty())
        showProblem(exportTo(path));
}

void ComparePage::take(Content, const QStringList& paths)
{
    if (m_workspace.takeInputs(paths, Workspace::Opened::IsAdded))
        run();
}

/// As many whole parts as there is room for on two lines.
void ComparePage::fitDetail()
{
    const QFontMetrics metrics(m_detail[0]->font());
    QStringList parts = m_details.split(detailSeparator());
    int room = m_head->width() - m_copy->sizeHint().width() - 24;
    for (const Segments* choice : {m_subjects, m_view})
        room -= choice->isVisible() ? choice->sizeHint().width() + 12 : 0;
    for (ElidedLabel* line : m_detail) {
        const bool last = line == m_detail.back();
        const auto text = [&](qsizetype kept) {
            QString words = parts.mid(0, kept).join(detailSeparator());
            if (!last || kept == parts.size())
                return words;
            return (kept == 0 ? QString() : words + detailSeparator())
                   + ComparePage::tr("and %1 more").arg(parts.size() - kept);
        };
        qsizetype kept = parts.size();
        while (kept > (last && parts.size() > 1 ? 0 : 1) && metrics.horizontalAdvance(text(kept)) > room)
            --kept;
        line->setText(text(kept));
        parts.remove(0, kept);
    }
}

void ComparePage::arrange()
{
    fitDetail();
    const bool compact = isCompact();
    const bool two = !compact && !m_detail.back()->text().isEmpty();
    const int lines = QFontMetrics(m_headline->font()).height() + 2 * QFontMetrics(font()).height() + 18;
    m_head->setFixedHeight(std::max(PageHead::heightFor(compact, font()), two ? lines : 0));
    for (ElidedLabel* line : m_detail)
        line->setVisible(!compact && !line->text().isEmpty());
    const int spareWidth = m_content->width() - m_card->widestUseful();
    const bool aside = spareWidth >= 400;
    m_body->setDirection(aside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_card->setMaximumWidth(aside ? m_card->widestUseful() : QWIDGETSIZE_MAX);
    m_body->setAlignment(m_card, aside ? Qt::AlignTop : Qt::Alignment());
    m_body->setStretch(0, aside ? 1 : 0);
    const int spare = stack()->height() - m_head->height() - m_card->height() - Layout::gap;
    const int least = chartKind() == ChartKind::Features && m_card->isTable() ? minImages : minChart;
    const bool tabbed = !aside && spare < least;
    m_view->setVisible(tabbed);
    m_card->setVisible(!tabbed || m_view->current() == 0);
    m_chartCard->setVisible(!tabbed || m_view->current() == 1);
    m_body->setContentsMargins(0, 0, 0, 0);
    if (tabbed && m_view->current() == 0)
        m_body->setAlignment(m_card, Qt::AlignTop);
}

QString ComparePage::attentionToExport() const
{
    const BackendList::Entry* entry = m_workspace.backends().entry(m_chosen);
    return entry == nullptr || entry->spec != entry->spec.inNetwork() ? QString() : toQt(entry->spec.canonical());
}

}
