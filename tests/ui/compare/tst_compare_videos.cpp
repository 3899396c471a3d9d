#include "tests/support/test_class.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/compare_session.h"
#include "ui/compare/frame_strip.h"
#include "ui/compare/table/views_model.h"
#include "ui/compare/views_panel.h"
#include "ui/engine/view_frames.h"
#include "ui/widgets/controls.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QSignalSpy>
#include <QTableView>

#include <algorithm>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;
using attnscope::ui::test::WindowFixture;

namespace {

QString video(WindowFixture& fixture)
{
    const QString path = fixture.folder.filePath(u"clip.mp4"_s);
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write("V") == 1 ? path : QString();
}

void choose(ViewsPanel& panel, const QString& grid)
{
    panel.grids()->setCurrentText(grid);
    emit panel.grids()->textActivated(grid);
}

}

class TestCompareVideos : public QObject {
    Q_OBJECT
private slots:
    void aVideoBringsItsViewsAndAPictureTakesThemAway()
    {
        WindowFixture fixture;
        ComparePage* page = fixture.window->page<ComparePage>();
        fixture.window->openPaths({video(fixture)});
        QVERIFY(fixture.waitIdle());
        QCOMPARE(page->chartSegments()->count(), 4);
        QCOMPARE(page->chartSegments()->current(), 3);
        QVERIFY(page->viewsPanel()->isVisible());
        fixture.window->openPaths(fixture.images(1));
        QVERIFY(fixture.waitIdle());
        QCOMPARE(page->chartSegments()->count(), 3);
        QVERIFY(!page->viewsPanel()->isVisible());
    }

    void eachViewHasItsProbabilityAndDifferingAnswersAreMarked()
    {
        WindowFixture fixture;
        ViewsPanel* panel = fixture.window->page<ComparePage>()->viewsPanel();
        fixture.window->openPaths({video(fixture)});
        QVERIFY(fixture.waitIdle());
        choose(*panel, u"10x3"_s);
        QVERIFY(fixture.waitIdle());
        const QAbstractItemModel* model = panel->table()->model();
        QCOMPARE(model->columnCount(), 2 + 30);
        int marked = 0;
        for (int row = 0; row < model->rowCount(); ++row)
            for (int view = 0; view < 30; ++view) {
                const QModelIndex cell = model->index(row, ViewsModel::FirstView + view);
                QVERIFY(cell.data(ViewsModel::FractionRole).isValid());
                const bool differs = cell.data(ViewsModel::DiffersRole).toBool();
                QCOMPARE(differs, view == 2 && cell.data(ViewsModel::BackendRole).toString() == "performer"_L1);
                marked += differs;
            }
        QCOMPARE(marked, 1);
        QCOMPARE(model->index(0, ViewsModel::FirstView + 5).data(Qt::AccessibleTextRole).toString(),
                 u"clip 2 of 10, right crop, 1.0 s to 1.3 s: tabby 0.71"_s);
        fixture.shot(u"compare-video"_s);
    }

    void framesOfTheChosenViewAreShown()
    {
        WindowFixture fixture;
        ViewsPanel* panel = fixture.window->page<ComparePage>()->viewsPanel();
        fixture.window->openPaths({video(fixture)});
        QVERIFY(fixture.waitIdle());
        choose(*panel, u"1x3"_s);
        QVERIFY(fixture.waitIdle());
        QCOMPARE(panel->strip()->shownFrames(), 4);
        QVERIFY(panel->strip()->accessibleDescription().startsWith(u"clip 1 of 1, centre crop"_s));
        panel->table()->setCurrentIndex(panel->table()->model()->index(0, ViewsModel::FirstView + 2));
        QVERIFY(panel->strip()->accessibleDescription().startsWith(u"clip 1 of 1, right crop"_s));
        QCOMPARE(panel->strip()->shownFrames(), 4);
    }

    void aTickedBackendGetsItsRow()
    {
        WindowFixture fixture;
        fixture.window->openPaths({video(fixture)});
        QVERIFY(fixture.waitIdle());
        ViewsModel model(fixture.window->session<CompareSession>()->runs());
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 3);
        const auto& entries = fixture.window->workspace().backends().entries();
        const auto other = std::find_if(entries.begin(), entries.end(),
                                        [](const BackendList::Entry& each) { return !each.checked; });
        QVERIFY(other != entries.end());
        fixture.window->workspace().backends().setChecked(other->id, true);
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(fixture.window->page<ComparePage>()->viewsPanel()->table()->model()->rowCount(), 4);
        // Sorting moves its rows.
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        const QPersistentModelIndex second = model.index(1, ViewsModel::FirstView);
        const QString backend = second.data(ViewsModel::BackendRole).toString();
        fixture.window->session<CompareSession>()->runs().sortByRow(attnscope::ui::Row::WholeModel,
                                                                    Qt::DescendingOrder);
        QCOMPARE(resets.count(), 0);
        QCOMPARE(second.data(ViewsModel::BackendRole).toString(), backend);
    }

    void theCommandRepeatsTheViews()
    {
        WindowFixture fixture;
        CompareSession& session = *fixture.window->session<CompareSession>();
        fixture.window->openPaths({video(fixture)});
        QVERIFY(fixture.waitIdle());
        choose(*fixture.window->page<ComparePage>()->viewsPanel(), u"3x1"_s);
        QVERIFY(fixture.waitIdle());
        QVERIFY(session.command().contains(u"--views 3x1"_s));
        fixture.window->openPaths(fixture.images(1));
        QVERIFY(fixture.waitIdle());
        QVERIFY(!session.command().contains(u"--views"_s));
    }

    void smallFramesAreTheModelsInputTurnedBack()
    {
        Transform transform;
        transform.mean = {0.5f, 0.5f, 0.5f};
        transform.stddev = {0.5f, 0.5f, 0.5f};
        FloatArray view{{3, 2, 8, 8}, std::vector<float>(3 * 2 * 8 * 8, -1.0f)};
        std::fill(view.values.begin() + 64, view.values.begin() + 128, 1.0f);  // red of the second frame
        const QVector<QImage> frames = smallFrames(view, transform);
        QCOMPARE(frames.size(), 2);
        QCOMPARE(frames[0].size(), QSize(64, 64));
        QCOMPARE(frames[0].pixelColor(30, 30), QColor(0, 0, 0));
        QCOMPARE(frames[1].pixelColor(30, 30), QColor(255, 0, 0));
        QVERIFY(smallFrames({{5, 5}, std::vector<float>(25)}, transform).isEmpty());
    }
};

ATTNSCOPE_WINDOW_TEST(TestCompareVideos)
#include "tst_compare_videos.moc"
