// SPDX-License-Identifier: GPL-3.0-or-later
// Files on their way into the window and out of it: opened, dropped, pasted, exported.
#include "ui/batch/batch_page.h"
#include "ui/compare/compare_page.h"
#include "ui/style/qt_text.h"
#include "ui/train/train_page.h"
#include "ui/widgets/drop_hint.h"
#include "ui/window/checkpoint_dialog.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QMimeData>
#include <QPointer>

#include <algorithm>

namespace attnscope::ui {

namespace {

bool hasSuffix(const QString& path, std::initializer_list<const char*> suffixes)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    return std::any_of(suffixes.begin(), suffixes.end(), [&](const char* each) { return suffix == QLatin1String(each); });
}

/// Names that need no look into the file: it is one of those, or Compare says what is wrong with it.
bool isImageOrCheckpoint(const QString& path)
{
    return hasSuffix(path, {"jpg", "jpeg", "png", "webp", "bmp", "ppm", "pgm", "pnm", "tif", "tiff", "safetensors", "pth", "pt", "bin"});
}

/// For the words over the page alone: what is done goes by content.
bool isCalledVideo(const QString& path)
{
    return hasSuffix(path, {"mp4", "m4v", "mov", "mkv", "webm", "avi", "gif", "mpg", "mpeg", "ts", "3gp", "ogv", "flv", "wmv"});
}

bool mayBeTensors(const QStringList& paths)
{
    return paths.size() == 1 && hasSuffix(paths.front(), {"safetensors"});
}

QString videoFilter()
{
    return MainWindow::tr("Videos (*.mp4 *.m4v *.mov *.mkv *.webm *.avi *.gif *.mpg *.mpeg *.ts *.3gp *.ogv)");
}

QStringList localFiles(const QMimeData& data)
{
    QStringList paths;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    return paths;
}

}  // namespace

void MainWindow::openPaths(const QStringList& paths)
{
    showScreen(Screen::Compare);
    m_session.openPaths(paths);
}

void MainWindow::takePaths(const QStringList& paths)
{
    if (isTrainingData(paths)) {
        trainPage()->openFolder(paths.front());
        return;
    }
    if (const QString output = interruptedOutput(paths); !output.isEmpty()) {
        trainPage()->restore(output);
        return;
    }
    if (isStore(paths)) {
        openStore(paths.front());
        return;
    }
    if (m_screen == Screen::Batch && isEvaluationData(paths)) {
        batchPage()->openFolder(paths.front());
        return;
    }
    if (mayBeTensors(paths)) {
        sortTensors(paths.front());
        return;
    }
    if (std::all_of(paths.begin(), paths.end(), isImageOrCheckpoint)) {
        if (!inspectPaths(paths))
            openPaths(paths);
        return;
    }
    // What it is stands in the file, and files are not read in this thread.
    m_engine.postFiles({}, [backend = m_options.live ? m_options.live : coreLiveBackend(), paths, self = QPointer<MainWindow>(this)] {
        QString video;
        for (const QString& path : paths)
            if (video.isEmpty() && !isImageOrCheckpoint(path) && backend->isVideo(fromQt(path)))
                video = path;
        QMetaObject::invokeMethod(qApp, [self, paths, video] {
            if (self)
                self->takeSorted(paths, video);
        });
    });
}

/// Weights and dumped q, k, v are called alike: what the file is stands in its header.
void MainWindow::sortTensors(const QString& path)
{
    m_engine.postFiles({}, [path, self = QPointer<MainWindow>(this)] {
        const bool dumped = holdsDumpedAttention(fromQt(path));
        QMetaObject::invokeMethod(qApp, [self, path, dumped] {
            if (!self)
                return;
            if (dumped)
                self->openTensors(path);
            else if (!self->inspectPaths({path}))
                self->openPaths({path});
        });
    });
}

void MainWindow::takeSorted(const QStringList& paths, const QString& video)
{
    QStringList others = paths;
    others.removeOne(video);
    if (isEvaluationData(paths) && video.isEmpty()) {  // no folder of frames
        showScreen(Screen::Batch);
        batchPage()->openFolder(paths.front());
        return;
    }
    if (inspectPaths(paths))
        return;
    if (video.isEmpty() || !others.isEmpty())
        openPaths(others);
    if (video.isEmpty())
        return;
    showScreen(Screen::Live);
    m_live.openFile(video);
}

void MainWindow::tryDemo()
{
    if (QFileInfo::exists(m_options.demoImage)) {
        if (!inspectPaths({m_options.demoImage}))
            m_session.openPaths({m_options.demoImage});
        return;
    }
    QFile inside(QStringLiteral(":/demo/cat.jpg"));
    if (inside.open(QIODevice::ReadOnly))
        takePasted(inside.readAll());
}

void MainWindow::askFiles()
{
    if (m_screen == Screen::Live)
        askVideo();
    else if (m_screen == Screen::Train)
        trainPage()->askFolder();
    else if (m_screen == Screen::Batch)
        batchPage()->askFolder();
    else if (m_screen == Screen::Results)
        askStore();
    else
        askImages();
}

void MainWindow::askVideo()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a video"), {}, videoFilter() + tr(";;All files (*)"));
    if (!path.isEmpty())
        m_live.openFile(path);
}

void MainWindow::askImages()
{
    const QStringList paths = QFileDialog::getOpenFileNames(this, tr("Open images or videos"), {},
                                                            tr("Images (*.jpg *.jpeg *.png *.webp *.bmp *.ppm *.pgm *.pnm *.tif *.tiff)") + QStringLiteral(";;") + videoFilter() + tr(";;q, k, v tensors (*.safetensors);;All "
                                                                                                                                                                                        "files (*)"));
    if (mayBeTensors(paths))
        sortTensors(paths.front());
    else if (!paths.isEmpty() && !inspectPaths(paths))
        openPaths(paths);
}

void MainWindow::askCheckpoint()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a checkpoint"), {}, tr("Checkpoints (*.safetensors *.pth *.pt *.bin);;All files (*)"));
    if (path.isEmpty())
        return;
    m_session.openCheckpoint(path);
}

void MainWindow::showCheckpoint()
{
    if (!m_session.inspection())
        return;
    QStringList models;
    if (m_session.surroundings())
        for (const CatalogueEntry& entry : m_session.surroundings()->models)
            models << toQt(entry.name);
    CheckpointDialog dialog(*m_session.inspection(), models, this);
    if (dialog.exec() == QDialog::Accepted)
        m_session.useCheckpoint(dialog.path(), dialog.model(), dialog.heads());
}

void MainWindow::paste()
{
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    if (data == nullptr)
        return;
    if (const QStringList paths = localFiles(*data); !paths.isEmpty())
        takePaths(paths);
    else if (!takeImage(*data))
        showMessage(MessageBar::Kind::Info, tr("There is no image on the clipboard; copy one, or open a file."));
}

bool MainWindow::takeImage(const QMimeData& data)
{
    const QImage image = qvariant_cast<QImage>(data.imageData());
    if (image.isNull())
        return false;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    takePasted(bytes);
    return true;
}

void MainWindow::saveChart()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Export chart"), QStringLiteral("attnscope-%1.png").arg(m_session.context().model),
                                                      tr("PNG, 2× (*.png);;PDF (*.pdf)"));
    if (path.isEmpty())
        return;
    if (const QString problem = m_page->saveChart(path); !problem.isEmpty())
        m_page->showMessage(MessageBar::Kind::Error, problem);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QStringList paths = localFiles(*event->mimeData());
    if (paths.isEmpty() && !event->mimeData()->hasImage())
        return;
    const bool weights = paths.size() == 1 && QStringList{QStringLiteral("safetensors"), QStringLiteral("pth"), QStringLiteral("pt")}.contains(QFileInfo(paths.front()).suffix());
    const bool video = std::any_of(paths.begin(), paths.end(), isCalledVideo);
    event->acceptProposedAction();
    if (isEvaluationData(paths)) {
        announceFolder(paths.front());
        return;
    }
    if (isStore(paths)) {
        m_dropHint->announce(tr("Show the results of this store"));
        return;
    }
    const auto weightsHint = [](const QString& path) {
        return mayBeTensors({path}) ? tr("Use as weights, or inspect its q, k, v") : tr("Use as weights");
    };
    if (!interruptedOutput(paths).isEmpty()) {
        m_dropHint->announce(tr("Resume this training run"));
        return;
    }
    m_dropHint->announce(isTrainingData(paths) ? tr("Train on this folder") : weights ? weightsHint(paths.front())
                          : m_screen == Screen::Layers ? tr("Inspect layers with these tensors")
                          : video ? tr("Play this video in Live") : (paths.size() < 2 ? tr("Compare this image") : tr("Compare %1 images").arg(paths.size())));
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) { m_dropHint->hide(); }

void MainWindow::dropEvent(QDropEvent* event)
{
    m_dropHint->hide();
    const QStringList paths = localFiles(*event->mimeData());
    event->acceptProposedAction();
    if (!paths.isEmpty())
        takePaths(paths);
    else if (!takeImage(*event->mimeData()))
        showMessage(MessageBar::Kind::Error, tr("The dropped image cannot be read; save it to a file and open that file."));
}

}  // namespace attnscope::ui
