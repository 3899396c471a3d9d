#include "ui/live/live_page.h"

#include "ui/charts/figure_file.h"
#include "ui/live/live_empty.h"
#include "ui/live/live_image.h"
#include "ui/live/now_panel.h"
#include "ui/live/timeline_view.h"
#include "ui/live/transport_bar.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/message_stack.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QShortcut>
#include <QStackedWidget>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr double cameraSpan = 60;  // seconds of a camera that the axis shows

/// The axis of a file is all of it; of a camera, or a file whose end nobody knows, what was and a little more.
TimeAxis axisFor(const PlayerState& state, bool camera)
{
    TimeAxis axis;
    axis.playhead = state.seconds;
    if (camera) {
        axis.begin = std::max(0.0, state.seconds - cameraSpan);
        axis.end = axis.begin + cameraSpan;
    } else {
        axis.end = state.length ? std::max(*state.length, 1e-3) : std::max(10.0, state.seconds * 1.25);
    }
    return axis;
}

}

LivePage::LivePage(LiveSession& session, QWidget* parent)
    : Page(session.workspace(), parent)
    , m_session(session)
    , m_rows(session.rows())
{
    setContents(liveEmpty(), buildContent());
    connect(empty()->first(), &QPushButton::clicked, this, &LivePage::askFiles);
    connect(empty()->second(), &QPushButton::clicked, this, &LivePage::askCamera);
    addKeys();
    connectSession();
    refreshSource();
    refreshPredictions();
}

QWidget* LivePage::buildContent()
{
    m_content = new QWidget(this);
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Layout::gap);
    column->addWidget(buildHead());
    column->setSpacing(0);
    m_upper = new QFrame(m_content);
    m_upper->setProperty("card", true);
    auto* row = new QHBoxLayout(m_upper);
    row->setContentsMargins(11, 11, 13, 11);
    row->setSpacing(18);
    m_image = new LiveImage(m_upper);
    m_now = new NowPanel(m_rows, m_upper);
    row->addWidget(m_image);
    row->addWidget(m_now, 1);
    column->addWidget(m_upper, 1);
    column->addSpacing(Layout::gap);
    auto* lower = new QFrame(m_content);
    lower->setProperty("card", true);
    auto* below = new QVBoxLayout(lower);
    below->setContentsMargins(1, 1, 1, 3);
    below->setSpacing(0);
    m_transport = new TransportBar(m_session, lower);
    m_timeline = new TimelineView(m_rows, lower);
    below->addWidget(m_transport);
    below->addWidget(m_timeline);
    column->addWidget(lower);
    return m_content;
}

QWidget* LivePage::buildHead()
{
    m_head = new PageHead(m_content);
    m_record = m_head->addButton(
        u"record"_s, tr("Record CSV"),
        tr("Writes each prediction to a CSV file during playback. No frames are stored."));
    m_export = m_head->addButton(u"export"_s, tr("Export"), tr("The timelines as CSV, or the whole run as JSON"));
    m_copy = m_head->addButton(u"copy"_s, tr("Copy as command"),
                               tr("The attnscope-cli command for the current clip"));
    for (ActionButton* button : {m_record, m_export, m_copy})
        button->setFocusPolicy(Qt::TabFocus);
    connect(m_record, &QPushButton::clicked, this, &LivePage::toggleRecording);
    connect(m_export, &QPushButton::clicked, this, &LivePage::askExport);
    connect(m_copy, &QPushButton::clicked, this, &LivePage::copyCommand);
    return m_head;
}

void LivePage::addKeys()
{
    const auto on = [this](const QKeySequence& key, auto act) {
        auto* shortcut = new QShortcut(key, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, act);
    };
    on(Qt::Key_Left, [this] { m_session.seekBy(-5); });
    on(Qt::Key_Right, [this] { m_session.seekBy(5); });
    on(Qt::Key_J, [this] { m_session.seekBy(-10); });
    on(Qt::Key_K, [this] { m_session.toggle(); });
    on(Qt::Key_L, [this] { m_session.seekBy(10); });
    on(Qt::Key_Comma, [this] { m_session.step(-1); });
    on(Qt::Key_Period, [this] { m_session.step(1); });
    on(Qt::Key_N, [this] { m_session.nextDifference(); });
    on(Qt::SHIFT | Qt::Key_N, [this] { m_session.previousDifference(); });
    on(Qt::Key_R, [this] { m_transport->loopButton()->click(); });
    on(Qt::Key_BracketLeft, [this] { m_transport->changeSpeed(-1); });
    on(Qt::Key_BracketRight, [this] { m_transport->changeSpeed(1); });
    on(Qt::Key_Home, [this] { m_session.seek(0); });
    for (int digit = 0; digit <= 9; ++digit)
        on(QKeySequence(Qt::Key_0 + digit),
           [this, digit] { m_session.seek(m_session.state().length.value_or(0) * digit / 10); });
}

void LivePage::keyPressEvent(QKeyEvent* event)
{
    // Here only where the widget with the focus has no use for it: a focused button is still pressed by Space.
    if (event->key() == Qt::Key_Space && m_session.isOpen())
        m_session.toggle();
    else
        Page::keyPressEvent(event);
}

void LivePage::connectSession()
{
    connect(&m_session, &LiveSession::opening, messages(), &MessageStack::openNextFile);
    connect(&m_session, &LiveSession::sourceChanged, this, &LivePage::refreshSource);
    connect(&m_session, &LiveSession::stateChanged, this, [this] {
        refreshState();
        if (!m_rows.isPredicted())
            refreshPredictions();  // what the first prediction waits for may be another thing now
    });
    connect(&m_session, &LiveSession::frameShown, this,
            [this](const FrameRef& frame) { m_image->setFrame(frame, m_session.info().rotation); });
    connect(&m_session, &LiveSession::requestedModelChanged, this, [this] {
        refreshSeen();
        refreshPredictions();
    });
    connect(&m_session, &LiveSession::camerasKnown, this, &LivePage::takeCameras);
    followMessages(m_session);
    connect(&m_session, &LiveSession::recordingChanged, this, [this](bool on) {
        m_record->setText(on ? tr("Stop recording") : tr("Record CSV"));
        m_record->setAccessibleName(m_record->text());
        m_record->setLook(on ? ActionButton::Look::Plain : ActionButton::Look::Flat);
        m_record->updateGeometry();
    });
    connect(&m_rows, &LiveRowsModel::predictionsChanged, this, &LivePage::refreshPredictions);
    connect(&m_rows, &QAbstractItemModel::modelReset, this, &LivePage::arrange);
    connect(m_timeline, &TimelineView::seekRequested, &m_session, &LiveSession::seek);
    connect(m_timeline, &TimelineView::detailsRequested, this, &Page::showProblem);
    connect(m_transport, &TransportBar::done, m_image, [this] { m_image->setFocus(); });
}

void LivePage::refreshSource()
{
    const bool open = m_session.isOpen();
    showContents(open);
    m_image->clear();
    m_image->setCamera(m_session.isCamera());
    m_image->setNote(open ? tr("Opening %1").arg(QFileInfo(m_session.source()).fileName()) : QString());
    if (open && isVisible())
        m_image->setFocus();
    refreshState();
    arrange();
}

void LivePage::refreshState()
{
    if (!m_session.isOpen())
        return;
    const PlayerState state = m_session.state();
    TimeAxis axis = axisFor(state, m_session.isCamera());
    if (const LivePrediction* last = m_rows.last(); last != nullptr && last->frameSeconds.size() > 1) {
        axis.clipBegin = last->frameSeconds.front();
        axis.clipEnd = last->frameSeconds.back();
    }
    m_timeline->setAxis(axis);
    refreshSeen();
}

void LivePage::refreshSeen()
{
    const SourceInfo info = m_session.info();
    const auto model = m_workspace.model();
    if (!model || info.width <= 0)
        return;
    const bool exchanged = info.rotation % 180 != 0;
    const auto width = double(exchanged ? info.height : info.width),
               height = double(exchanged ? info.width : info.height);
    const CropRectangle crop = cropRectangle(int64_t(width), int64_t(height), model->transform);
    m_image->setCrop(QRectF(crop.left / width, crop.top / height, crop.width / width, crop.height / height));
    if (m_session.isVideoModel())
        m_image->setClip(
            int(m_session.grid().frames),
            tr("sees %1 frames, %2 s").arg(m_session.grid().frames).arg(m_session.grid().span(), 0, 'f', 1));
    else
        m_image->setClip(1, tr("image model: sees one frame at a time"));
}

void LivePage::refreshPredictions()
{
    const QString hindrance = m_session.hindrance();
    const QString name = QFileInfo(m_session.source()).fileName(), detail = m_rows.detail();
    m_head->setHeadline(!m_rows.isPredicted() && !hindrance.isEmpty() ? hindrance : m_rows.headline(),
                        detail.isEmpty() ? name : detail + u" · "_s + name);
    m_copy->setEnabled(!command().isEmpty());
    m_export->setEnabled(!m_rows.timeline().isEmpty());
    messages()->setUntrained(m_rows.namesHidden());
    emit changed();
}

void LivePage::askCamera()
{
    m_session.askCameras();
}

void LivePage::takeCameras(const std::vector<CameraChoice>& cameras)
{
    if (cameras.empty()) {
        showMessage(MessageBar::Kind::Info, tr("No camera found. Connect one, or open a video."));
        return;
    }
    if (cameras.size() == 1) {
        m_session.openCamera(cameras.front());
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const CameraChoice& camera : cameras)
        menu->addAction(toQt(camera.name), this, [this, camera] { m_session.openCamera(camera); });
    menu->popup(mapToGlobal(QPoint(width() / 2, height() / 2)));
}

QString LivePage::defaultName(const QString& suffix) const
{
    return exportName({QFileInfo(m_session.source()).completeBaseName(), m_workspace.modelName()}, suffix);
}

void LivePage::toggleRecording()
{
    if (m_session.isRecording()) {
        m_session.stopRecording();
        return;
    }
    const QString path = QFileDialog::getSaveFileName(this, tr("Record predictions"), defaultName(u"csv"_s),
                                                      tr("CSV (*.csv)"));
    if (path.isEmpty())
        return;
    if (const QString refused = refusedFormat(path, {u"csv"_s}); refused.isEmpty())
        m_session.record(path);
    else
        showMessage(MessageBar::Kind::Error, refused);
}

void LivePage::askExport()
{
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export timelines"), defaultName(u"json"_s),
        tr("The whole run as JSON (*.json);;Timelines as CSV (*.csv)"));
    if (!path.isEmpty())
        m_session.exportTo(path);
}

void LivePage::askFiles()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a video"), {},
                                                      videoFilter() + tr(";;All files (*)"));
    if (!path.isEmpty())
        m_session.openFile(path);
}

void LivePage::arrange()
{
    m_head->setCompact(isCompact());
    m_timeline->setFigures(m_content->width() < 760 ? TimelineView::Figures::Few : TimelineView::Figures::All);
    // The timelines get the rows they need, the image what is left; beyond half of the page they scroll.
    const int lower = m_timeline->wholeHeight(), most = std::max(120, stack()->height() / 2);
    m_timeline->setFixedHeight(std::min(lower, most));
    const int high = stack()->height() - m_head->height() - Layout::gap - m_timeline->height()
                     - m_transport->sizeHint().height() - 26;
    const SourceInfo info = m_session.info();
    const bool exchanged = info.rotation % 180 != 0;
    const double shape = info.width > 0 ? double(info.width) / double(info.height) : 16 / 9.0;
    const double aspect = exchanged ? 1 / shape : shape;
    const int room = m_content->width() - 42;
    m_image->setFixedWidth(std::clamp(int(high * std::max(aspect, 1.2)), room * 2 / 5, room * 62 / 100));
}

void LivePage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    m_session.setActive(true);
    if (m_session.isOpen())
        m_image->setFocus();
}

void LivePage::hideEvent(QHideEvent* event)
{
    Page::hideEvent(event);
    if (!event->spontaneous())
        m_session.setActive(false);
}

}
