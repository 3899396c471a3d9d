#pragma once

#include "ui/charts/chart_view.h"
#include "ui/gallery/gallery_list.h"
#include "ui/neighbours/neighbours_session.h"
#include "ui/widgets/cell_table.h"
#include "ui/workspace/page.h"

class QLabel;
class QTableView;

namespace attnscope::ui {

class CaptionCombo;
class NeighbourView;
class ReportHead;
class SearchForm;
class Segments;

/// Neighbours: classification by the labels of the nearest features, and the images that they belong to.
class NeighboursPage : public Page {
    Q_OBJECT
public:
    explicit NeighboursPage(NeighboursSession& session, QWidget* parent = nullptr);

    bool canRun() const override;
    void run() override;
    bool hasResults() const override { return m_session.report() != nullptr; }
    QString command() const override;
    const QAbstractItemModel* shownTable() const override;
    void askExport() override;
    void askFiles() override;
    void take(Content content, const QStringList& paths) override;
    QString dropHint(Content content) const override;
    bool tryDemo() override;
    /// The accuracy and its table, or everything as JSON, by the suffix. Empty, or what is wrong.
    QString exportTo(const QString& path);
    /// Looks for the neighbours of this image.
    void look(const QString& path);

    SearchForm* form() const { return m_form; }
    ChartView* chart() const { return m_chart; }
    QTableView* table() const { return m_table; }
    const CellTable& cells() const { return m_cells; }
    Segments* parts() const { return m_parts; }
    CaptionCombo* curves() const { return m_curves; }
    GalleryView* samples() const { return m_samplesView; }
    NeighbourView* neighbours() const { return m_view; }
    ReportHead& head() const { return *m_head; }

private:
    void arrange() override;
    QWidget* buildContent();
    void buildAccuracy(QBoxLayout& into);
    void buildSamples(QBoxLayout& into);
    void connectSession();
    void refresh();
    void refreshCurves();
    void refreshChart();
    void refreshWords();
    QString runningText() const;
    void refreshSamples();
    void takeFolder(const QString& folder);
    bool mayReplaceDatastore();

    NeighboursSession& m_session;
    Thumbnails m_thumbnails;
    ReportHead* m_head;
    SearchForm* m_form;
    CaptionCombo* m_curves;
    Segments* m_parts;
    QStackedWidget* m_accuracyStack;
    ChartView* m_chart;
    QTableView* m_table;
    CellTable m_cells;
    GalleryView* m_samplesView;
    GalleryList m_samples;
    QLabel* m_samplesHint;
    NeighbourView* m_view;
    bool m_wanted = false;  ///< the form, though nothing was searched yet
};

}
