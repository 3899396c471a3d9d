// Files on their way into the window and out of it: opened, dropped, pasted, exported.
#include "ui/style/qt_text.h"
#include "ui/widgets/confirm.h"
#include "ui/widgets/drop_hint.h"
#include "ui/window/checkpoint_dialog.h"
#include "ui/window/main_window.h"
#include "ui/window/recent_files.h"
#include "ui/workspace/accuracy_text.h"

#include "core/attention/attention_spec.h"
#include "core/base/error.h"
#include "core/lab/layers/inspect.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QInputDialog>
#include <QMimeData>
#include <QPointer>
#include <QProcess>

#include <algorithm>
#include <vector>

namespace attnscope::ui {

namespace {

/// One a line, in the file next to a checkpoint of the demo: what it is compared under.
std::vector<AttentionSpec> attentionsOf(const QString& checkpoint)
{
    const QFileInfo info(checkpoint);
    QFile file(info.path() + QLatin1Char('/') + info.completeBaseName() + u".attentions.txt"_s);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    std::vector<AttentionSpec> specs;
    try {
        for (const QByteArray& line : file.read(1 << 16).split('\n'))
            if (!line.trimmed().isEmpty())
                specs.push_back(AttentionSpec::parse(line.trimmed().toStdString()));
    } catch (const UsageError&) {
        return {};  // the ticked ones, then
    }
    return specs;
}

bool hasSuffix(const QString& path, std::initializer_list<const char*> suffixes)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    return std::ranges::any_of(suffixes, [&](const char* each) { return suffix == QLatin1String(each); });
}

/// Names that need no look into the file: it is one of those, or Compare says what is wrong with it.
bool isImageOrCheckpoint(const QString& path)
{
    return hasSuffix(path, {"jpg", "jpeg", "png", "webp", "bmp", "ppm", "pgm", "pnm", "tif", "tiff", "safetensors",
                            "pth", "pt", "bin"});
}

/// For the words over the page alone: what is done goes by content.
bool isCalledVideo(const QString& path)
{
    return hasSuffix(
        path, {"mp4", "m4v", "mov", "mkv", "webm", "avi", "gif", "mpg", "mpeg", "ts", "3gp", "ogv", "flv", "wmv"});
}

bool isFolder(const QStringList& paths)
{
    return paths.size() == 1 && QFileInfo(paths.front()).isDir();
}

bool mayBeTensors(const QStringList& paths)
{
    return paths.size() == 1 && hasSuffix(paths.front(), {"safetensors"});
}

bool isCheckpoint(const QStringList& paths)
{
    return paths.size() == 1 && hasSuffix(paths.front(), {"safetensors", "pth", "pt"});
}

/// An archive or table of images, which is evaluated as the folder that it holds.
bool isArchive(const QString& path)
{
    return hasSuffix(path, {"tar", "tgz", "zip", "parquet"}) || path.endsWith(u".tar.gz"_s, Qt::CaseInsensitive);
}

/// What needs no look into a file.
std::optional<Content> contentByName(const QStringList& paths)
{
    if (paths.size() != 1)
        return std::nullopt;
    if (isFolder(paths) || isArchive(paths.front()))
        return Content::Folder;
    if (hasSuffix(paths.front(), {"sqlite", "sqlite3", "db"}))
        return Content::Store;
    return paths.front().endsWith(trainingStateSuffix) ? std::optional(Content::TrainingState) : std::nullopt;
}

QStringList localFiles(const QMimeData& data)
{
    QStringList paths;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    return paths;
}

}

Page* MainWindow::showFirst(Content content)
{
    for (size_t i = 0; i < m_entries.size(); ++i)
        if (m_entries[i].screen.takes.contains(content)) {
            showEntry(i);
            return page();
        }
    return nullptr;
}

void MainWindow::open(Content content, const QStringList& paths)
{
    if (content == Content::Inputs && paths.size() == 1 && Workspace::looksLikeCheckpoint(paths.front())
        && page()->takeCheckpoint(paths.front()))
        return;
    if (content == Content::Inputs && std::ranges::all_of(paths, &Workspace::looksLikeCheckpoint))
        m_workspace.takeInputs(paths, page()->uses().networks ? Workspace::Opened::IsAdded
                                                              : Workspace::Opened::Replaces);  // of every screen
    else if (takesHere(content))
        page()->take(content, paths);
    else if (Page* taking = showFirst(content); taking != nullptr)
        taking->take(content, paths);
}

void MainWindow::openPaths(const QStringList& paths)
{
    if (Page* comparing = showFirst(Content::Inputs); comparing != nullptr)
        comparing->take(Content::Inputs, paths);
}

void MainWindow::takePaths(const QStringList& paths)
{
    m_recent->add(paths);
    if (const std::optional<Content> content = contentByName(paths);
        content && (*content == Content::Store || takesHere(*content))) {
        open(*content, paths);
        return;
    }
    if (mayBeTensors(paths)) {
        sortTensors(paths.front());
        return;
    }
    if (std::ranges::all_of(paths, isImageOrCheckpoint)) {
        open(Content::Inputs, paths);
        return;
    }
    // What it is stands in the file, and files are not read in this thread.
    const auto player = std::ranges::find_if(m_entries,
                                             [](const Entry& entry) { return entry.screen.isVideo != nullptr; });
    m_engine.postFiles({}, [paths, isVideo = player == m_entries.end() ? nullptr : player->screen.isVideo,
                            self = QPointer<MainWindow>(this)] {
        QString video;
        for (const QString& path : paths)
            if (video.isEmpty() && isVideo && !isImageOrCheckpoint(path) && isVideo(path))
                video = path;
        QMetaObject::invokeMethod(qApp, [self, paths, video] {
            if (self)
                self->takeSorted(paths, video);
        });
    });
}

void MainWindow::openRecent(const QString& path)
{
    if (QFileInfo::exists(path))
        return takePaths({path});
    m_recent->remove(path);
    page()->showMessage(MessageBar::Kind::Warning,
                        tr("%1 is no longer there; it was removed from the list.").arg(path));
}

void MainWindow::takeChosen(Page& page, const QStringList& paths)
{
    m_recent->add(paths);
    if (mayBeTensors(paths))
        sortTensors(paths.front());
    else
        page.take(Content::Inputs, paths);
}

/// Weights and dumped q, k, v are called alike: what the file is stands in its header.
void MainWindow::sortTensors(const QString& path)
{
    m_engine.postFiles({}, [path, self = QPointer<MainWindow>(this)] {
        const bool dumped = holdsTensors(fromQt(path));
        QMetaObject::invokeMethod(qApp, [self, path, dumped] {
            if (self)
                self->open(dumped ? Content::Tensors : Content::Inputs, {path});
        });
    });
}

void MainWindow::takeSorted(const QStringList& paths, const QString& video)
{
    if (video.isEmpty() && isFolder(paths))
        return open(Content::Folder, paths);
    if (video.isEmpty() || (takesHere(Content::Inputs) && takesHere(Content::Video)))
        return open(Content::Inputs, paths);
    QStringList others = paths;
    others.removeOne(video);
    if (!others.isEmpty())
        open(Content::Inputs, others);
    open(Content::Video, {video});
}

void MainWindow::tryDemo()
{
    if (page()->tryDemo())
        return;
    if (!takesHere(Content::Tensors) && compareDemo(longDemoNetwork))
        return;
    // Layers of the photograph, in a demo network that takes one.
    const QString network = m_workspace.demoNetwork(shortDemoNetwork), used = m_workspace.context().weights;
    if (!network.isEmpty() && used != network && used != m_workspace.demoNetwork(longDemoNetwork))
        m_workspace.useCheckpoint(network, {}, 0);
    if (QFileInfo::exists(m_workspace.demoImage()))
        return open(Content::Inputs, {m_workspace.demoImage()});
    QFile inside(u":/demo/cat.jpg"_s);
    if (inside.open(QIODevice::ReadOnly))
        takePasted(inside.readAll());
}

bool MainWindow::compareDemo(const QString& network)
{
    const QString checkpoint = m_workspace.demoNetwork(network);
    if (checkpoint.isEmpty())
        return false;
    m_workspace.useCheckpoint(checkpoint, {}, 0);
    if (const auto specs = attentionsOf(checkpoint); !specs.empty())
        m_workspace.backends().setSpecs(specs);
    openPaths({m_workspace.demoImage()});
    return true;
}

void MainWindow::takePasted(const QByteArray& bytes)
{
    if (!takesHere(Content::Inputs))
        showFirst(Content::Inputs);
    m_workspace.takePasted(bytes);
    page()->run();
}

void MainWindow::askCheckpoint(Workspace::Opened what)
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a checkpoint"), {}, tr("Checkpoints (*.safetensors *.pth *.pt *.bin);;All files (*)"));
    if (path.isEmpty())
        return;
    m_recent->add({path});
    m_workspace.openCheckpoint(path, what);
}

void MainWindow::askArchive()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Archive or list to evaluate"), {},
        tr("Archives, tables and lists of images (*.tar *.tar.gz *.tgz *.zip *.parquet *.txt *.csv *.tsv "
           "*.json);;All files (*)"));
    if (!path.isEmpty())
        showFirst(Content::Folder)->take(Content::Folder, {path});
}

void MainWindow::askClassEmbeddings()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open class embeddings"), {},
                                                      tr("Class embeddings (*.safetensors);;All files (*)"));
    if (path.isEmpty())
        return;
    RunContext context = m_workspace.context();
    context.classEmbeddings = path;
    m_workspace.setContext(context);
}

void MainWindow::askImageSize()
{
    const QString own = tr("Model default");
    QStringList sizes{own, u"224"_s, u"336"_s, u"384"_s, u"448"_s, u"518"_s, u"1022"_s};
    RunContext context = m_workspace.context();
    QString now = context.imageSize.isOwn() ? own : toQt(context.imageSize.text());
    if (!sizes.contains(now))
        sizes << now;
    bool accepted = false;
    const QString text = QInputDialog::getItem(this, tr("Image size"),
                                               tr("Side of a square, or WIDTHxHEIGHT, in pixels:"), sizes,
                                               int(sizes.indexOf(now)), true, &accepted)
                             .trimmed();
    if (!accepted)
        return;
    try {
        context.imageSize = text == own || text.isEmpty() ? InputSize() : InputSize::parse(fromQt(text));
    } catch (const UsageError& error) {
        page()->showMessage(MessageBar::Kind::Error, toQt(error.what()));
        return;
    }
    m_workspace.setContext(context);
}

void MainWindow::showCheckpoint()
{
    if (!m_workspace.inspection())
        return;
    QStringList models;
    if (m_workspace.surroundings())
        for (const CatalogueEntry& entry : m_workspace.surroundings()->models)
            models << toQt(entry.name);
    CheckpointDialog dialog(*m_workspace.inspection(), models, this);
    if (dialog.exec() == QDialog::Accepted)
        m_workspace.takeCheckpoint(dialog.model(), dialog.heads());
}

void MainWindow::paste()
{
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    if (data == nullptr)
        return;
    if (const QStringList paths = localFiles(*data); !paths.isEmpty())
        takePaths(paths);
    else if (!takeImage(*data))
        page()->showMessage(MessageBar::Kind::Info,
                            tr("There is no image on the clipboard; copy one, or open a file."));
}

bool MainWindow::takeImage(const QMimeData& data)
{
    const auto image = qvariant_cast<QImage>(data.imageData());
    if (image.isNull())
        return false;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    takePasted(bytes);
    return true;
}

void MainWindow::askPlugin()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Load your own attention"), {},
        tr("TorchScript modules and libraries (*.ts *.pt *.so);;All files (*)"));
    if (path.isEmpty()
        || !confirmed(this, {u"plugin"_s,
                             tr("Load this attention?"),
                             tr("%1 is a program that runs with all your rights; load it only if you trust "
                                "whoever made it. Attnscope starts again with it.")
                                 .arg(QFileInfo(path).fileName()),
                             {},
                             tr("Load"),
                             tr("Cancel")}))
        return;
    tryPlugin(path);
}

void MainWindow::tryPlugin(const QString& path)
{
    auto* check = new QProcess(this);
    check->setProcessChannelMode(QProcess::MergedChannels);
    const auto refuse = [this, check](const QString& sentence) {
        page()->showMessage(MessageBar::Kind::Error, sentence);
        check->deleteLater();
    };
    connect(check, &QProcess::errorOccurred, this, [refuse, check](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            refuse(tr("%1 cannot be started (%2); install Attnscope again.")
                       .arg(check->program(), check->errorString()));
    });
    connect(check, &QProcess::finished, this, [this, refuse, check, path](int code, QProcess::ExitStatus status) {
        if (status == QProcess::NormalExit && code == 0)
            return m_options.restartWithPlugin(path);
        refuse(QString::fromUtf8(check->readAll()).trimmed().section(QLatin1Char('\n'), -1));
    });
    check->start(m_options.commandLine, {u"plugin-check"_s, path});
}

/// What the folder holds is said over the window as soon as it is known: looking takes a moment, and not in this thread.
void MainWindow::announceFolder(const QString& folder)
{
    m_dropHint->announce(tr("Evaluate on %1").arg(QFileInfo(folder).fileName()));
    const auto evaluating = std::ranges::find_if(
        m_entries, [](const Entry& entry) { return entry.screen.describeFolder != nullptr; });
    if (evaluating == m_entries.end())
        return;
    m_engine.postFiles("drop-look",
                       [folder, describe = evaluating->screen.describeFolder, self = QPointer<MainWindow>(this)] {
                           QMetaObject::invokeMethod(qApp, [self, words = describe(folder)] {
                               if (self && self->m_dropHint->isVisible())
                                   self->m_dropHint->announce(words);
                           });
                       });
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QStringList paths = localFiles(*event->mimeData());
    if (paths.isEmpty() && !event->mimeData()->hasImage())
        return;
    event->acceptProposedAction();
    const Content content = contentByName(paths).value_or(
        std::ranges::any_of(paths, isCalledVideo) ? Content::Video : Content::Inputs);
    QString hint = takesHere(content) ? page()->dropHint(content) : QString();
    if (hint.isEmpty() && content == Content::Folder)
        return announceFolder(paths.front());
    if (hint.isEmpty())
        hint = content == Content::Store   ? tr("Show the results of this store")
               : mayBeTensors(paths)       ? tr("Use as weights, or inspect its q, k, v")
               : isCheckpoint(paths)       ? tr("Use as weights")
               : content == Content::Video ? tr("Play this video in Live")
                                           : counted(std::max<qsizetype>(1, paths.size()),
                                                     [](int n) { return tr("Compare %1 image(s)", nullptr, n); });
    m_dropHint->announce(hint);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*)
{
    m_dropHint->hide();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_dropHint->hide();
    const QStringList paths = localFiles(*event->mimeData());
    event->acceptProposedAction();
    if (!paths.isEmpty())
        takePaths(paths);
    else if (!takeImage(*event->mimeData()))
        page()->showMessage(MessageBar::Kind::Error,
                            tr("The dropped image cannot be read; save it to a file and open that file."));
}

}
