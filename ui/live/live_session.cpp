#include "ui/live/live_session.h"

#include "ui/charts/figure_file.h"
#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"
#include "ui/workspace/command_line.h"

#include "models/lab_options.h"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope::ui {

LiveSession::LiveSession(Workspace& workspace, std::shared_ptr<LiveBackend> liveBackend, QObject* parent)
    : Session(workspace, parent)
    , m_engine(workspace.engine())
    , m_backend(std::move(liveBackend))
    , m_feed(std::make_shared<LiveFeed>(m_engine, m_backend))
{
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &LiveSession::tick);
    m_report.setInterval(70);
    connect(&m_report, &QTimer::timeout, this, &LiveSession::reportState);
    connectFeed();
    m_rows.setRows(m_workspace.backends().allColumns());
    connect(&workspace.backends(), &BackendList::selectionChanged, this, [this] {
        m_rows.setRows(m_workspace.backends().allColumns());
        configure();
    });
    connect(&workspace, &Workspace::contextChanged, this, &LiveSession::takeContext);
    connect(&workspace, &Workspace::modelChanged, this, &LiveSession::configure);
    connect(&workspace, &Workspace::settingsChanged, this, [this] {
        if (m_workspace.settings().threads != m_threads)
            configure();
    });
    connect(&workspace, &Workspace::measuringChanged, this, [this](bool busy) {
        m_blocked = busy;
        if (busy) {
            pause();
            m_feed->interrupt();
        }
        emit stateChanged();
    });
}

// NOLINTNEXTLINE(bugprone-exception-escape): without memory for a request the program ends
LiveSession::~LiveSession()
{
    m_feed->forget();
    m_feed->record({});
}

void LiveSession::connectFeed()
{
    connect(m_feed.get(), &LiveFeed::predicted, this,
            [this](quint64 requested, const std::shared_ptr<const LivePrediction>& prediction) {
                if (!m_feed->isCurrent(requested))
                    return;
                m_rows.take(*prediction);
                judgeNewest();
            });
    connect(m_feed.get(), &LiveFeed::failed, this, [this](quint64 requested, const QString& sentence) {
        if (requested == 0 || m_feed->isCurrent(requested))
            emit problem(sentence);
    });
    connect(m_feed.get(), &LiveFeed::recording, this, [this] { emit recordingChanged(m_recording = true); });
    connect(m_feed.get(), &LiveFeed::recorded, this, [this](const QString& path, qint64 predictions) {
        emit recordingChanged(m_recording = false);
        emit notice(counted(predictions, [](int n) {
                        return tr("%1 prediction(s) recorded in %2.", nullptr, n);
                    }).arg(QFileInfo(path).fileName()));
    });
    connect(m_feed.get(), &LiveFeed::saved, this,
            [this](const QString& path) { emit notice(tr("Saved %1.").arg(QFileInfo(path).fileName())); });
}

void LiveSession::openFile(const QString& path)
{
    open([liveBackend = m_backend, path = fromQt(path), limits = m_workspace.settings().limits](
             std::stop_token stop) { return liveBackend->openVideo(path, limits, std::move(stop)); },
         path, false);
}

void LiveSession::openCamera(const CameraChoice& camera)
{
    open([liveBackend = m_backend, device = camera.device](
             std::stop_token stop) { return liveBackend->openCamera(device, std::move(stop)); },
         toQt(camera.name), true);
}

void LiveSession::open(const PlayDecoder::Open& open, const QString& source, bool camera)
{
    emit opening();
    if (m_player && state().phase == PlayerState::Phase::Ready)
        m_before = Before{m_open, m_source, m_camera, state(), m_rows.timeline()};
    else if (!m_player)
        m_before.reset();
    start(open, source, camera);
}

/// The last source could not be opened: back to the one before it, where it was.
void LiveSession::reopenBefore()
{
    const std::optional<Before> before = std::exchange(m_before, std::nullopt);
    close();
    if (!before)
        return;
    start(before->open, before->source, before->camera);
    m_timelineBefore = before->timeline;
    seek(before->state.seconds);
    setLoop(before->state.loop);
    setSpeed(before->state.speed);
    if (!before->state.playing)
        pause();
}

void LiveSession::start(const PlayDecoder::Open& open, const QString& source, bool camera)
{
    close();
    m_timelineBefore.reset();
    m_open = open;
    m_source = source;
    m_camera = camera;
    m_damageTold = false;
    m_rows.clear();
    m_feed->schedule.resetCounts();
    configure();  // the window forgets the frames of another source
    m_player = std::make_unique<Player>(open, &m_feed->window);
    m_player->setGate(
        [feed = m_feed](const Frame& frame) { return feed->schedule.mayShow(frame.epoch, frame.seconds); });
    if (!m_blocked && m_active)
        m_player->play();
    keepMachineWhilePlaying();
    m_timer.start(0);
    m_report.start();
    emit sourceChanged();
    emit stateChanged();
}

void LiveSession::close()
{
    if (!m_player)
        return;
    m_timer.stop();
    m_report.stop();
    m_feed->interrupt();
    m_player.reset();  // joins the decoder, which checks its stop token within a frame
    keepMachineWhilePlaying();
    stopRecording();
    m_feed->forget();
    m_model.reset();
    m_epoch = 0;
    m_source.clear();
    m_camera = false;
    emit sourceChanged();
    emit stateChanged();
}

void LiveSession::askCameras()
{
    auto found = std::make_shared<std::vector<CameraChoice>>();
    m_engine.postFiles("cameras",
                       [liveBackend = m_backend, found, feed = m_feed, self = QPointer<LiveSession>(this)] {
                           *found = liveBackend->cameras();
                           QMetaObject::invokeMethod(feed.get(), [self, found] {
                               if (self)
                                   emit self->camerasKnown(*found);
                           });
                       });
}

void LiveSession::takeContext()
{
    if (m_source.isEmpty())
        return;
    if (m_workspace.modelRequests() == m_checkpoints)
        configure();  // the seed alone
    else
        m_feed->forget();  // before the next is opened, so that both never need memory at once
}

bool LiveSession::isVideoModel() const
{
    return m_wish.frames > 1;
}

QString LiveSession::hindrance() const
{
    if (m_blocked)
        return tr("Compare is measuring; playback now would distort its results.");
    if (!m_workspace.model())
        return tr("The model is loading.");
    if (m_feed->waitsForMachine())
        return tr("Waiting for another job to finish its step.");
    return m_workspace.backends().allColumns().empty() ? tr("No backend is selected.") : QString();
}

void LiveSession::configure()
{
    const auto model = m_workspace.model();
    const std::vector<ColumnSpec> columns = m_workspace.backends().allColumns();
    if (!model || columns.empty()) {
        m_feed->forget();
        emit requestedModelChanged();
        return;
    }
    LiveWindow::Recipe recipe = liveRecipe(model->summary, model->transform, m_every);
    if ((recipe.wish.frames > 1) != isVideoModel())
        recipe = liveRecipe(model->summary, model->transform, m_every = recipe.wish.frames > 1 ? 2 : 1);
    const bool another = model != m_model;
    if (another || recipe.wish != m_wish) {
        m_wish = recipe.wish;
        m_feed->window.setRecipe(std::move(recipe));
        takeGrid();
        m_epoch = 0;  // what is shown can no longer be predicted from the window
        if (m_player && !m_camera)
            m_player->seek(m_player->state().seconds);  // fills the window anew
    }
    if (m_source.isEmpty()) {
        emit requestedModelChanged();
        return;  // nothing plays that could be predicted
    }
    m_model = model;
    m_checkpoints = m_workspace.modelRequests();
    m_feed->schedule.setGrid(m_grid);
    LiveQuestion question;
    for (const ColumnSpec& column : columns) {
        if (column.reference)
            question.reference = question.attention.size();
        question.attention.push_back(AttentionSpec::parse(fromQt(column.spec)));
    }
    question.seed = m_workspace.context().seed;
    if (std::exchange(m_seed, question.seed) != question.seed)
        m_rows.clear();  // its predictions are not this seed's
    if (m_epoch > 0 && m_player)
        m_feed->schedule.show(m_epoch, m_seconds, m_feed->window.shortClip(m_epoch));
    m_threads = m_workspace.settings().threads;
    m_feed->ask(m_checkpoints, question, m_threads);
    emit requestedModelChanged();
}

/// Ticks of another length: predictions so far lie on the old ones.
void LiveSession::takeGrid()
{
    m_grid = m_feed->window.grid();
    m_feed->schedule.setGrid(m_grid);
    m_rows.clear();
    m_rows.setGrid(m_grid);
}

void LiveSession::tick()
{
    if (!m_player)
        return;
    const auto now = Player::Clock::now();
    if (const FrameRef frame = m_player->frameToShow(now))
        show(frame);
    if (!m_blocked)
        m_feed->wake();
    m_timer.start(m_player->dueIn(Player::Clock::now()));
}

void LiveSession::show(const FrameRef& frame)
{
    if (m_feed->window.grid() != m_grid) {
        takeGrid();
        emit requestedModelChanged();
    }
    if (m_timelineBefore)
        m_rows.setTimeline(*std::exchange(m_timelineBefore, std::nullopt));
    if (std::exchange(m_epoch, frame->epoch) != frame->epoch)
        m_inEpoch.start();
    m_seconds = frame->seconds;
    judgeNewest();
    if (m_model)
        m_feed->schedule.show(frame->epoch, frame->seconds, m_feed->window.shortClip(frame->epoch));
    emit frameShown(frame);
}

/// After a jump, or at the start of another round of a loop, the newest prediction is of another place: shown for a moment more, until the
/// one asked for is there, but never before the end of the first clip.
void LiveSession::judgeNewest()
{
    constexpr qint64 moment = 300;  // milliseconds
    const LivePrediction* newest = m_rows.newest();
    // A source that is shorter than a clip has one prediction alone.
    if (newest == nullptr || newest->request.epoch == m_epoch || m_grid.lastDue(newest->request.tick) < 0)
        m_rows.setElsewhere({});
    else if (m_grid.lastDue(m_grid.tickOf(m_seconds)) < 0)
        m_rows.setElsewhere(tr("No prediction here: the first clip ends at %1 s").arg(m_grid.span(), 0, 'f', 1));
    else if (m_inEpoch.elapsed() > moment)
        m_rows.setElsewhere(tr("Waiting for the clip shown here"));
}

void LiveSession::reportState()
{
    if (!m_player)
        return;
    judgeNewest();
    if (m_player->state().phase == PlayerState::Phase::Failed) {
        const QString sentence = toQt(m_player->problem());
        reopenBefore();
        emit problem(sentence);
        return;
    }
    if (m_player->state().phase == PlayerState::Phase::Ready)
        m_before.reset();
    if (const std::string damage = m_player->damage(); !damage.empty() && !std::exchange(m_damageTold, true))
        emit notice(toQt(damage));
    keepMachineWhilePlaying();
    emit stateChanged();
}

void LiveSession::keepMachineWhilePlaying()
{
    const PlayerState now = state();
    m_feed->keepMachine(now.playing && !now.ended);
}

double LiveSession::behind() const
{
    const LivePrediction* last = m_rows.last();
    const int64_t due = m_grid.lastDue(m_grid.tickOf(m_seconds));
    if (last == nullptr || due < 0 || last->request.epoch != m_epoch)
        return 0;
    return std::max(0.0, double(due - last->request.tick) * m_grid.period);
}

void LiveSession::toggle()
{
    if (!m_player)
        return;
    if (m_player->state().playing)
        pause();
    else
        play();
}

void LiveSession::play()
{
    if (!m_player)
        return;
    if (m_blocked) {
        emit notice(hindrance());
        return;
    }
    m_player->play();
    keepMachineWhilePlaying();
    m_timer.start(0);
    emit stateChanged();
}

void LiveSession::pause()
{
    if (!m_player)
        return;
    m_player->pause();
    keepMachineWhilePlaying();
    emit stateChanged();
}

void LiveSession::seek(double seconds, bool dragging)
{
    if (!m_player)
        return;
    m_player->seek(seconds, dragging ? Reach::Image : Reach::Sink);
    m_timer.start(0);
    emit stateChanged();
}

void LiveSession::seekBy(double seconds)
{
    if (!m_player)
        return;
    m_player->seekBy(seconds);
    m_timer.start(0);
}

void LiveSession::step(int frames)
{
    if (!m_player)
        return;
    m_player->step(frames);
    m_timer.start(0);
    emit stateChanged();
}

void LiveSession::setSpeed(double speed)
{
    if (m_player)
        m_player->setSpeed(speed);
    emit stateChanged();
}

void LiveSession::setLoop(bool loop)
{
    if (m_player)
        m_player->setLoop(loop);
    emit stateChanged();
}

void LiveSession::nextDifference()
{
    const double to = m_rows.nextDifference(state().seconds);
    if (to < 0)
        emit notice(tr("No further disagreement found so far; the rest has not been played yet."));
    else
        seek(to);
}

void LiveSession::previousDifference()
{
    const double to = m_rows.previousDifference(state().seconds);
    if (to >= 0)
        seek(to);
}

void LiveSession::setActive(bool active)
{
    m_active = active;
    if (active || !m_player)
        return;
    pause();
    if (m_camera)
        close();
}

void LiveSession::setEvery(int every)
{
    if (every == m_every)
        return;
    m_every = every;
    configure();
}

void LiveSession::setEveryClip(bool every)
{
    m_everyClip = every;
    m_feed->schedule.setPolicy(every ? ClipScheduler::Policy::Every : ClipScheduler::Policy::Newest);
}

void LiveSession::record(const QString& path)
{
    m_feed->record(fromQt(path));
}

void LiveSession::stopRecording()
{
    if (m_recording)
        m_feed->record({});
}

LiveSetting LiveSession::setting() const
{
    LiveSetting setting;
    setting.source = fromQt(m_source);
    if (m_model) {
        setting.model = m_model->summary;
        setting.device = m_model->device;
        setting.transform = m_model->transform.name();
    }
    for (const FurtherCheckpoint& checkpoint : m_workspace.backends().furtherCheckpoints())
        setting.otherWeights.push_back(fromQt(checkpoint.weights));
    setting.dtype = fromQt(m_workspace.context().dtype);
    setting.seed = m_workspace.context().seed;
    setting.wish = m_wish;
    setting.grid = m_grid;
    return setting;
}

void LiveSession::exportTo(const QString& path)
{
    if (const QString refused = refusedFormat(path, {u"json"_s, u"csv"_s}); !refused.isEmpty()) {
        emit problem(refused);
        return;
    }
    const bool json = path.endsWith(".json"_L1, Qt::CaseInsensitive);
    m_feed->save(fromQt(path), json ? timelineJson(m_rows.timeline(), setting(), counts())
                                    : timelineCsv(m_rows.timeline(), setting()));
}

QString LiveSession::command() const
{
    const LivePrediction* last = m_rows.last();
    if (last == nullptr || m_camera || m_source.isEmpty())
        return {};
    auto options = optionsOf<ClassifyOptions>(m_workspace.context(), m_threads);
    options.inputs.paths = {fromQt(m_source)};
    options.attention = fromQt(m_workspace.backends().allSpecs());
    if (!takeNetworks(m_workspace.modelRequests(), options, options.attention))
        return {};
    VideoOptions& clip = options.inputs.video;
    clip.views = "1x1";
    const auto rounded = [](double seconds) { return std::round(seconds * 1e4) / 1e4; };
    clip.start = rounded(last->frameSeconds.empty() ? last->seconds : last->frameSeconds.front());
    clip.duration = rounded((isVideoModel() ? m_grid.span() : 0) + 1 / info().rate);
    return CommandLine("classify", options, {"--start"}).text();
}

}
