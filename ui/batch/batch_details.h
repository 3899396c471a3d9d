#pragma once

#include "ui/batch/samples_model.h"
#include "ui/engine/store_reader.h"
#include "ui/gallery/thumbnails.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/controls.h"

#include <QFrame>
#include <QSortFilterProxyModel>

class QStackedWidget;
class QTableView;

namespace attnscope::ui {

class GalleryView;
class TabStrip;

/// What the store knows of one run, in tabs: its classes, what it confuses, its mistakes as images, pairs with other runs, and files that
/// could not be read. Only the tab that is looked at is asked for.
class BatchDetails : public QFrame {
    Q_OBJECT
public:
    BatchDetails(StoreReader& store, Thumbnails::Load image, QWidget* parent = nullptr);

    enum Tab { Classes, Confusions, Mistakes, Pairs, Unreadable, TabCount };
    /// Another run; or none.
    void setSubject(const std::optional<StoredEvaluation>& evaluation, int run);
    /// The same run has more samples now.
    void refresh();
    void showTab(Tab tab);
    void setCompact(bool compact);

    TabStrip* tabs() const { return m_tabs; }
    QTableView* table(Tab tab) const { return m_views[tab]; }
    GalleryView* gallery() const { return m_gallery; }
    SamplesModel& samples() { return m_samples; }
    QString sentence() const { return m_sentence->text(); }
    /// The table that is looked at, for the clipboard; null with the gallery.
    const QAbstractItemModel* shownTable() const;

signals:
    /// This file, with these attentions.
    void compareRequested(const QString& path, const QStringList& attention);

private:
    QWidget* buildTable(Tab tab, QAbstractItemModel* model, const QString& name);
    QWidget* buildGallery();
    void connectViews();
    const StoredRun* run() const;
    const StoredRun* reference() const;
    QStringList looksOfRuns() const;
    /// What is read is taken while the same run is looked at.
    template <typename Read, typename Take>
    void ask(const std::string& tag, Read read, Take take);
    void load();
    void loadCounts();
    void loadClasses();
    void loadConfusions();
    void loadMistakes();
    void loadPairs();
    void loadUnreadable();
    void showTable(Tab tab, const Table& table);
    void showKinds();
    SampleQuery query() const;
    void openSample(const QModelIndex& index);
    void setHeadline(const QString& sentence);

    StoreReader& m_store;
    Thumbnails m_thumbnails;
    std::optional<StoredEvaluation> m_evaluation;
    int m_run = 0;
    quint64 m_subject = 0;
    std::vector<std::string> m_classes;
    std::optional<int64_t> m_label, m_prediction;
    CellTable m_tables[TabCount];
    QSortFilterProxyModel m_sorted[TabCount];
    SamplesModel m_samples;
    UnreadableModel m_unreadable;
    TabStrip* m_tabs;
    ElidedLabel* m_sentence;
    QWidget* m_bar;
    CaptionCombo* m_kinds;
    CaptionCombo* m_classBox;
    QStackedWidget* m_stack;
    QTableView* m_views[TabCount]{};
    GalleryView* m_gallery;
};

}
