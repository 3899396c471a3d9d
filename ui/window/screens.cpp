#include "ui/window/screens.h"

#include "ui/batch/batch_page.h"
#include "ui/compare/compare_page.h"
#include "ui/layers/layers_page.h"
#include "ui/live/live_page.h"
#include "ui/neighbours/neighbours_page.h"
#include "ui/results/results_page.h"
#include "ui/scale/scale_page.h"
#include "ui/style/qt_text.h"
#include "ui/train/train_page.h"
#include "ui/window/main_window.h"

namespace attnscope::ui {

std::vector<Screen> screens(const ScreenBackends& with)
{
    const auto screen = [](const char* name, const QString& title, const char* icon, int key,
                           const QList<Content>& takes, const char* help) {
        return Screen{
            QString::fromLatin1(name), title, QString::fromLatin1(icon), key, takes, {}, {}, {}, {}, nullptr,
            QString::fromLatin1(help)};
    };
    const std::shared_ptr<LiveBackend> live = with.live ? with.live : coreLiveBackend();
    Screen playing = screen("live", MainWindow::tr("L&ive"), "live", 2, {Content::Video}, "live.md");
    playing.isVideo = [live](const QString& path) { return live->isVideo(fromQt(path)); };
    Screen evaluating = screen("batch", MainWindow::tr("Ba&tch"), "folder", 4, {Content::Folder},
                               "batch-screen.md");
    if (with.evaluation.look)
        evaluating.describeFolder = [look = with.evaluation.look](const QString& folder) {
            return describeFolder(look, folder);
        };
    std::vector<Screen> all{
        makeScreen<CompareSession, ComparePage>(
            screen("compare", MainWindow::tr("&Compare"), "compare", 1, {Content::Inputs}, "compare-screen.md")),
        makeScreen<LiveSession, LivePage>(playing, live),
        makeScreen<LayersSession, LayersPage>(screen("layers", MainWindow::tr("La&yers"), "layers", 3,
                                                     {Content::Inputs, Content::Video, Content::Tensors},
                                                     "layers-screen.md"),
                                              with.layers ? with.layers : coreLayersBackend()),
        makeScreen<BatchSession, BatchPage>(evaluating, with.evaluation, with.storeDelay, with.storePath),
    };
    if (with.scale)
        all.push_back(makeScreen<ScaleSession, ScalePage>(
            screen("scale", MainWindow::tr("Scal&e"), "scale", 5, {Content::Tensors}, "scale-screen.md"),
            with.scale));
    if (with.training.train)
        all.push_back(makeScreen<TrainSession, TrainPage>(screen("train", MainWindow::tr("T&rain"), "train", 6,
                                                                 {Content::Folder, Content::TrainingState},
                                                                 "train-screen.md"),
                                                          with.training, with.storePath));
    all.push_back(makeScreen<ResultsSession, ResultsPage>(
        screen("results", MainWindow::tr("Re&sults"), "results", 7, {Content::Store}, "batch-screen.md#results"),
        with.storeDelay, with.storePath, with.exits));
    if (with.neighbours.search)
        all.push_back(makeScreen<NeighboursSession, NeighboursPage>(
            screen("neighbours", MainWindow::tr("k&NN"), "neighbours", 8, {Content::Folder, Content::Inputs},
                   "neighbours.md"),
            with.neighbours));
    return all;
}

}
