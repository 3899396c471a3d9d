#include "ui/batch/batch_details.h"

#include "ui/gallery/gallery_view.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/tab_strip.h"
#include "ui/workspace/accuracy_text.h"

#include "core/attention/network/attention_title.h"
#include "core/report/result_tables.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr int64_t shownConfusions = 20;

struct KindOfMistake {
    const char* name;  ///< %1: the reference
    Flips flips;
    bool paired = true;
};

constexpr KindOfMistake kindsOfMistakes[]{
    {QT_TRANSLATE_NOOP("attnscope::ui::BatchDetails", "Wrong where %1 is correct"), Flips::RightToWrong},
    {QT_TRANSLATE_NOOP("attnscope::ui::BatchDetails", "Correct where %1 is wrong"), Flips::WrongToRight},
    {QT_TRANSLATE_NOOP("attnscope::ui::BatchDetails", "Both wrong"), Flips::BothWrong},
    {QT_TRANSLATE_NOOP("attnscope::ui::BatchDetails", "Prediction differs from %1"), Flips::Different},
    {QT_TRANSLATE_NOOP("attnscope::ui::BatchDetails", "All misclassified"), Flips::RightToWrong, false}};

}

BatchDetails::BatchDetails(StoreReader& store, Thumbnails::Load image, QWidget* parent)
    : QFrame(parent)
    , m_store(store)
    , m_thumbnails(std::move(image), GalleryView::imageSize() * 2)
{
    setProperty("card", true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 6);
    column->setSpacing(0);
    m_tabs = new TabStrip(
        tr("Run details"),
        {tr("Classes"), tr("Confusion"), tr("Misclassified"), tr("Pairwise comparison"), tr("Unreadable")}, this);
    column->addWidget(m_tabs);
    m_bar = new QWidget(this);
    auto* row = new QHBoxLayout(m_bar);
    row->setContentsMargins(14, 6, 12, 4);
    row->setSpacing(8);
    m_sentence = new ElidedLabel(m_bar);
    m_sentence->setElideMode(Qt::ElideRight);
    m_sentence->setTextFormat(Qt::PlainText);
    m_kinds = new CaptionCombo(tr("Show"), m_bar);
    m_kinds->setAccessibleName(tr("Filter of misclassified samples"));
    m_classBox = new CaptionCombo(tr("Class"), m_bar);
    m_classBox->setAccessibleName(tr("True class of the samples"));
    m_classBox->setMaxVisibleItems(24);
    m_classBox->setMaximumWidth(220);
    for (CaptionCombo* box : {m_kinds, m_classBox})
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    row->addWidget(m_sentence, 1);
    row->addWidget(m_kinds);
    row->addWidget(m_classBox);
    column->addWidget(m_bar);
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(buildTable(Classes, &m_tables[Classes], tr("Accuracy by class")));
    m_stack->addWidget(buildTable(Confusions, &m_tables[Confusions], tr("Confused classes")));
    m_stack->addWidget(buildGallery());
    m_stack->addWidget(buildTable(Pairs, &m_tables[Pairs], tr("Pairwise comparison of backends")));
    m_stack->addWidget(buildTable(Unreadable, &m_unreadable, tr("Files that could not be read")));
    column->addWidget(m_stack, 1);
    connectViews();
    showTab(Mistakes);
    setSubject({}, 0);
}

QWidget* BatchDetails::buildTable(Tab tab, QAbstractItemModel* model, const QString& name)
{
    auto* page = new QWidget(m_stack);
    auto* inset = new QHBoxLayout(page);
    inset->setContentsMargins(6, 0, 6, 0);
    auto* view = new QTableView(page);
    dressTable(*view, name);
    m_views[tab] = view;
    if (tab == Unreadable) {
        view->setModel(model);
        view->setItemDelegate(new QStyledItemDelegate(view));
        view->horizontalHeader()->setStretchLastSection(true);
    } else {
        m_sorted[tab].setSourceModel(model);
        m_sorted[tab].setSortRole(CellTable::SortRole);
        view->setModel(&m_sorted[tab]);
        view->setSortingEnabled(true);
        view->sortByColumn(-1, Qt::AscendingOrder);
        view->horizontalHeader()->setSortIndicatorShown(true);
    }
    inset->addWidget(view);
    return page;
}

QWidget* BatchDetails::buildGallery()
{
    auto* page = new QWidget(m_stack);
    auto* inset = new QHBoxLayout(page);
    inset->setContentsMargins(8, 0, 4, 0);
    m_gallery = new GalleryView(page);
    m_samples.imageOf = [this](const QString& path) { return m_thumbnails.of(path); };
    m_gallery->setModel(&m_samples);
    inset->addWidget(m_gallery);
    return page;
}

void BatchDetails::connectViews()
{
    connect(m_tabs, &TabStrip::currentChanged, this, [this](int tab) {
        m_stack->setCurrentIndex(tab);
        m_kinds->setVisible(tab == Mistakes);
        m_classBox->setVisible(tab == Mistakes);
        load();
    });
    connect(&m_thumbnails, &Thumbnails::ready, &m_samples, &SamplesModel::imageReady);
    connect(m_gallery, &GalleryView::opened, this, &BatchDetails::openSample);
    connect(m_kinds, &QComboBox::activated, this, &BatchDetails::loadMistakes);
    connect(m_classBox, &QComboBox::activated, this, [this](int choice) {
        m_label = choice > 0 ? std::optional<int64_t>(choice - 1) : std::nullopt;
        m_prediction.reset();
        loadMistakes();
    });
    const auto opened = [this](Tab tab, const std::function<void(const QVariant&)>& act) {
        connect(m_views[tab], &QTableView::activated, this, [this, tab, act](const QModelIndex& index) {
            act(m_sorted[tab].mapToSource(index).data(CellTable::KeyRole));
        });
        connect(m_views[tab], &QTableView::clicked, m_views[tab], &QTableView::activated);
    };
    const auto showMistakesOf = [this](std::optional<int64_t> label, std::optional<int64_t> prediction) {
        m_label = label;
        m_prediction = prediction;
        m_kinds->setCurrentIndex(m_kinds->count() - 1);  // all of this run's
        m_classBox->setCurrentIndex(label ? int(*label) + 1 : 0);
        showTab(Mistakes);
        loadMistakes();
    };
    opened(Classes, [=](const QVariant& key) { showMistakesOf(key.toLongLong(), std::nullopt); });
    opened(Confusions, [=](const QVariant& key) {
        const QStringList labels = key.toString().split(QLatin1Char(','));
        showMistakesOf(labels.front().toLongLong(), labels.back().toLongLong());
    });
    connect(m_views[Unreadable], &QTableView::activated, this,
            [this](const QModelIndex& index) { emit compareRequested(m_unreadable.pathOf(index.row()), {}); });
}

const StoredRun* BatchDetails::run() const
{
    return m_evaluation && m_run < int(m_evaluation->runs.size()) ? &m_evaluation->runs[size_t(m_run)] : nullptr;
}

const StoredRun* BatchDetails::reference() const
{
    return run() != nullptr && m_run > 0 ? &m_evaluation->runs.front() : nullptr;
}

QStringList BatchDetails::looksOfRuns() const
{
    QStringList specs;
    for (const StoredRun& each : m_evaluation->runs)
        specs << toQt(each.attention);
    return looksOfSpecs(specs);
}

void BatchDetails::setSubject(const std::optional<StoredEvaluation>& evaluation, int number)
{
    const bool same =
        evaluation.has_value() == m_evaluation.has_value() && number == m_run
        && (!evaluation || (evaluation->id == m_evaluation->id && evaluation->dataHash == m_evaluation->dataHash));
    m_evaluation = evaluation;
    m_run = number;
    if (same && evaluation)
        return;
    ++m_subject;
    m_label.reset();
    m_prediction.reset();
    m_classes.clear();
    for (CellTable& table : m_tables)
        table.show({});
    m_samples.begin({}, {}, {}, 0);
    m_unreadable.begin(0);
    for (int tab = 0; tab < TabCount; ++tab)
        m_tabs->setCount(tab, {});
    showKinds();
    refresh();
}

void BatchDetails::showKinds()
{
    const QSignalBlocker quiet(m_kinds);
    m_kinds->clear();
    const QString name = reference() != nullptr ? toQt(reference()->backend) : QString();
    for (int i = 0; i < int(std::size(kindsOfMistakes)); ++i)
        if (reference() != nullptr || !kindsOfMistakes[i].paired)
            m_kinds->addItem(tr(kindsOfMistakes[i].name).replace("%1"_L1, name), i);
    m_kinds->setEnabled(run() != nullptr);
    m_classBox->setEnabled(run() != nullptr);
    m_kinds->updateGeometry();
}

void BatchDetails::refresh()
{
    if (run() == nullptr) {
        setHeadline(tr("Select a run above that has started to see its classes, misclassified samples and "
                       "pairwise comparison."));
        return;
    }
    loadCounts();
    load();
}

void BatchDetails::load()
{
    constexpr void (BatchDetails::*loads[TabCount])(){&BatchDetails::loadClasses, &BatchDetails::loadConfusions,
                                                      &BatchDetails::loadMistakes, &BatchDetails::loadPairs,
                                                      &BatchDetails::loadUnreadable};
    if (run() != nullptr)
        (this->*loads[m_tabs->currentIndex()])();
}

template <typename Read, typename Take>
void BatchDetails::ask(const std::string& tag, Read read, Take take)
{
    m_store.ask(tag, this, std::move(read),
                [this, subject = m_subject, take = std::move(take)](auto& found) mutable {
                    if (subject == m_subject)
                        take(found);
                });
}

void BatchDetails::loadCounts()
{
    const int64_t evaluation = m_evaluation->id;
    struct Counts {
        StoredEvaluation evaluation;
        std::vector<std::string> classes;
        int64_t mistakes = 0;
    };
    SampleQuery mistakes{.run = run()->id};
    if (reference() != nullptr)
        mistakes.reference = reference()->id;
    const bool namesKnown = !m_classes.empty();
    ask(
        "details-counts",
        [=](ResultStore& store) {
            Counts counts{store.evaluation(evaluation), {}, store.sampleCount(mistakes)};
            if (!namesKnown)
                counts.classes = store.classes(evaluation);
            return counts;
        },
        [this](Counts& counts) {
            m_evaluation = counts.evaluation;
            m_tabs->setCount(Mistakes, countText(counts.mistakes));
            m_tabs->setCount(Unreadable, countText(counts.evaluation.unreadable));
            if (counts.classes.empty())
                return;
            m_classes = std::move(counts.classes);
            m_tabs->setCount(Classes, countText(int64_t(m_classes.size())));
            const QSignalBlocker quiet(m_classBox);
            m_classBox->clear();
            m_classBox->addItem(tr("All"));
            for (const std::string& name : m_classes)
                m_classBox->addItem(toQt(name));
            m_classBox->updateGeometry();
        });
}

void BatchDetails::showTable(Tab tab, const Table& table)
{
    QTableView* view = m_views[tab];
    const int scrolled = view->verticalScrollBar()->value();
    const QVariant current = view->currentIndex().data(CellTable::KeyRole);
    m_tables[tab].show(table);
    fitTableColumns(*view);
    view->verticalScrollBar()->setValue(scrolled);
    for (int row = 0; current.isValid() && row < m_sorted[tab].rowCount(); ++row)
        if (m_sorted[tab].index(row, 0).data(CellTable::KeyRole) == current)
            return view->selectRow(row);
}

void BatchDetails::loadClasses()
{
    struct Found {
        std::vector<ClassAccuracy> run, reference;
    };
    const int64_t id = run()->id, before = reference() != nullptr ? reference()->id : 0;
    const std::vector<Cell> names = attentionCells(
        {before != 0 ? reference()->attention : run()->attention, run()->attention});
    ask(
        "details-table",
        [=](ResultStore& store) {
            return Found{store.classAccuracies(id),
                         before != 0 ? store.classAccuracies(before) : std::vector<ClassAccuracy>()};
        },
        [=, this](const Found& found) {
            std::vector<RunClasses> runs{{names.back(), found.run}};
            if (before != 0)
                runs.insert(runs.begin(), {names.front(), found.reference});
            showTable(Classes, classTable(runs));
            setHeadline(before != 0 ? tr("Classes that lose most compared with %1 come first. Click a class to "
                                         "see its misclassified samples.")
                                          .arg(translated(names.front().title))
                                    : tr("Worst classes first. Click a class to see its misclassified samples."));
        });
}

void BatchDetails::loadConfusions()
{
    struct Found {
        std::vector<Confusion> confusions;
        std::vector<ClassAccuracy> run;
    };
    const int64_t id = run()->id;
    const QString name = toQt(run()->attention);
    ask(
        "details-table",
        [id](ResultStore& store) {
            return Found{store.worstConfusions(id, shownConfusions), store.classAccuracies(id)};
        },
        [this, name](const Found& found) {
            showTable(Confusions,
                      confusionTable(found.confusions, m_classes, found.run, fromQt(backendOfSpec(name))));
            setHeadline(found.confusions.empty()
                            ? tr("%1 does not confuse any classes.").arg(titleOfSpec(name))
                            : tr("The %1 most frequent confusions of %2. Click a row to see its images.")
                                  .arg(found.confusions.size())
                                  .arg(titleOfSpec(name)));
        });
}

SampleQuery BatchDetails::query() const
{
    SampleQuery query{.run = run()->id};
    const KindOfMistake& kind = kindsOfMistakes[std::clamp(m_kinds->currentData().toInt(), 0, 4)];
    query.flips = kind.flips;
    if (kind.paired && reference() != nullptr)
        query.reference = reference()->id;
    query.label = m_label;
    query.prediction = m_prediction;
    return query;
}

void BatchDetails::loadMistakes()
{
    if (run() == nullptr)
        return;
    const SampleQuery requested = query();
    const QStringList looks = looksOfRuns();
    const QString before = requested.reference ? looks.front() : QString();
    const QString& name = looks[m_run];
    struct Found {
        int64_t total = 0;
        std::vector<std::string> classes;
        std::vector<StoredSample> first;
    };
    const int64_t evaluation = m_evaluation->id;
    const auto nameOf = [this](int64_t label) {
        return label < int64_t(m_classes.size()) ? toQt(m_classes[size_t(label)]) : QString();
    };
    QString words = titleOfSpec(toQt(run()->attention)) + u": "_s + m_kinds->currentText();
    if (m_label && m_prediction)
        words = tr("%1 predicted as %2").arg(nameOf(*m_label), nameOf(*m_prediction));
    m_samples.onWanted = [this, requested](int64_t offset, int64_t count) {
        SampleQuery page = requested;
        page.offset = offset;
        page.count = count;
        ask(
            {}, [page](ResultStore& store) { return store.samples(page); },
            [this, offset](std::vector<StoredSample>& samples) { m_samples.take(offset, std::move(samples)); });
    };
    ask(
        "details-mistakes",
        [requested, evaluation](ResultStore& store) {
            SampleQuery page = requested;
            page.count = SamplesModel::page;
            return Found{store.sampleCount(requested), store.classes(evaluation), store.samples(page)};
        },
        [this, before, name, words](Found& found) {
            if (m_tabs->currentIndex() == Mistakes)
                setHeadline(found.total == 0 ? tr("%1: none yet").arg(words)
                                             : tr("%1: %2").arg(words, countText(found.total)));
            // While the evaluation goes on, what is looked at stays where it is, and there is more below it.
            if (m_samples.rowCount() > 0 && m_samples.total() <= found.total && m_samples.holds(found.first)) {
                m_samples.setTotal(found.total);
                const QScrollBar* bar = m_gallery->verticalScrollBar();
                if (bar->value() == bar->maximum())
                    m_samples.fetchMore({});
                return;
            }
            m_samples.begin(before, name, std::move(found.classes), found.total);
            m_samples.take(0, std::move(found.first));
        });
}

void BatchDetails::loadPairs()
{
    std::vector<int64_t> ids;
    std::map<int64_t, Cell> names;
    const std::vector<Cell> cells = attentionCellsOf(m_evaluation->runs);
    for (const StoredRun& each : m_evaluation->runs) {
        names[each.id] = cells[ids.size()];
        ids.push_back(each.id);
    }
    const int mine = m_run;
    ask(
        "details-table", [ids](ResultStore& store) { return store.pairs(ids); },
        [this, mine, names](const std::vector<RunPair>& found) {
            showTable(Pairs, pairTable(found, names));
            m_tabs->setCount(Pairs, found.empty() ? QString() : countText(int64_t(found.size())));
            if (found.empty())
                return setHeadline(tr("There is only one backend, so there is nothing to compare it with."));
            // Pairs with the reference come first: the one of this run, or the first.
            const RunPair& pair = found[size_t(std::max(0, mine - 1))];
            setHeadline(translated(pairSentence(pair, names.at(pair.a).title, names.at(pair.b).title)));
        });
}

void BatchDetails::loadUnreadable()
{
    const int64_t evaluation = m_evaluation->id;
    m_unreadable.onWanted = [this, evaluation](int64_t offset, int64_t count) {
        ask(
            {}, [=](ResultStore& store) { return store.unreadable(evaluation, offset, count); },
            [this, offset](std::vector<UnreadableSample>& samples) {
                m_unreadable.take(offset, std::move(samples));
            });
    };
    // What the queue knows of its evaluation may be older than what was listed already.
    const int64_t total = std::max<int64_t>(m_evaluation->unreadable, m_unreadable.rowCount());
    m_unreadable.setTotal(total);
    const QScrollBar* bar = m_views[Unreadable]->verticalScrollBar();
    if (bar->value() == bar->maximum())  // else the view asks for more when it comes to its end
        m_unreadable.fetchMore({});
    m_views[Unreadable]->setColumnWidth(0, m_views[Unreadable]->viewport()->width() / 2);
    setHeadline(total == 0 ? tr("All files could be read.") : tr("They count as neither correct nor wrong."));
}

void BatchDetails::openSample(const QModelIndex& index)
{
    QStringList attention{toQt(run()->attention)};
    if (const StoredRun* before = reference(); before != nullptr)
        attention.prepend(toQt(before->attention));
    emit compareRequested(index.data(SamplesModel::PathRole).toString(), attention);
}

void BatchDetails::showTab(Tab tab)
{
    m_tabs->setCurrentIndex(tab);
    m_stack->setCurrentIndex(tab);
}

void BatchDetails::setCompact(bool compact)
{
    m_bar->layout()->setContentsMargins(14, compact ? 2 : 6, 12, compact ? 2 : 4);
}

void BatchDetails::setHeadline(const QString& sentence)
{
    m_sentence->setText(sentence);
    m_sentence->setToolTip(sentence);
}

const QAbstractItemModel* BatchDetails::shownTable() const
{
    const int tab = m_tabs->currentIndex();
    return tab == Mistakes ? nullptr : m_views[tab]->model();
}

}
