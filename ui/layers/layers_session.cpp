#include "ui/layers/layers_session.h"

#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"
#include "ui/workspace/made_with.h"

#include "core/attention/backend_info.h"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope::ui {

namespace {

constexpr int maxMapsKept = 32;

bool takesPart(const ColumnSpec& column)
{
    return fromQt(column.backend) != referenceBackend || !isAttentionAlone(fromQt(column.spec));
}

}

LayersSession::LayersSession(Workspace& workspace, std::shared_ptr<LayersBackend> layersBackend, QObject* parent)
    : Session(workspace, parent)
    , m_leaderboard(new LeaderboardSession(
          workspace, layersBackend, [this] { return question(); }, this))
    , m_networks(new NetworksSession(workspace, this))
    , m_errors(
          workspace.engine(), {MeasuringGate::Work::Measuring, "layers"},
          [this, layersBackend](const LayerQuestion& request, TaskTurn& turn, const InspectionTask::Grew& grew) {
              const LabSubject subject = layerSubject(request, turn, [this, &turn](const QVector<QImage>& frames) {
                  turn.post([this, frames] { m_running.frames = frames; });
              });
              return layersBackend->inspect(request.subject, subject, request.request,
                                            {turn.progress(), turn.stop(), grew});
          })
    , m_mapsTask(workspace.engine(), {MeasuringGate::Work::Measuring, "layer-maps"},
                 [layersBackend](const LayerQuestion& request, TaskTurn& turn, const InspectionTask::Grew&) {
                     return layersBackend->inspect(request.subject, layerSubject(request, turn), request.request,
                                                   {turn.progress(), turn.stop(), {}});
                 })
    , m_termsTask(workspace.engine(), {MeasuringGate::Work::Measuring, "layer-terms"},
                  [layersBackend](const LayerQuestion& request, TaskTurn& turn, const auto&) {
                      return layersBackend->decompose(layerSubject(request, turn),
                                                      {request.request.query, request.request.seed}, turn.stop());
                  })
{
    connectTasks();
    for (Session* part : {static_cast<Session*>(m_leaderboard), static_cast<Session*>(m_networks)}) {
        connect(part, &Session::activityChanged, this, &Session::activityChanged);
        connect(part, &Session::problem, this, &Session::problem);
    }
    connect(&m_workspace, &Workspace::surroundingsChanged, this, [this] {
        if (std::exchange(m_runWhenKnown, false))
            run();
    });
    connect(&m_workspace, &Workspace::currentInputChanged, this, [this] {
        m_dump.clear();
        emit choicesChanged();
    });
    connect(&m_workspace, &Workspace::previewChanged, this,
            [this](const std::shared_ptr<const Preview>& preview) { takePreview(preview); });
}

void LayersSession::connectTasks()
{
    connect(&m_errors, &TaskBase::progressed, this, &LayersSession::takeProgress);
    connect(&m_errors, &TaskBase::restingChanged, this, [this](bool resting) {
        if (resting)
            m_progress.what = tr("waiting for another job's step");
    });
    follow(m_errors);
    connect(&m_errors, &TaskBase::grew, this, &LayersSession::take);
    connect(&m_errors, &TaskBase::ended, this, [this] {
        take();
        end();
    });
    connect(&m_mapsTask, &TaskBase::ended, this, &LayersSession::takeMaps);
    connect(&m_termsTask, &TaskBase::ended, this, &LayersSession::takeTerms);
}

QStringList LayersSession::specs() const
{
    QStringList specs;
    for (const ColumnSpec& column : m_workspace.backends().columns())
        if (takesPart(column))
            specs << column.spec;
    return specs;
}

QString LayersSession::whatIsMissing() const
{
    if (!hasInput())
        return tr("Open an image or a video first.");
    return specs().isEmpty() ? tr(
               "Select a backend other than softmax; softmax is the reference that the others are compared with.")
                             : QString();
}

LayerQuestion LayersSession::question() const
{
    LayerQuestion question;
    question.model = m_workspace.modelRequest();
    question.threads = m_workspace.settings().threads;
    question.request.seed = m_workspace.context().seed;
    question.request.seeds = m_seeds;
    for (const QString& spec : specs())
        question.request.attention.push_back(AttentionSpec::parse(fromQt(spec)));
    question.dump = takesDump();
    question.input = takesDump() ? InputEntry{m_dump, QFileInfo(m_dump).fileName(), {}} : *m_workspace.input();
    question.views = ViewGrid::parse(fromQt(m_workspace.context().views));
    return question;
}

void LayersSession::run()
{
    if (!canRun()) {
        emit problem(whatIsMissing());
        return;
    }
    m_runWhenKnown = !takesDump() && m_workspace.waitsForCatalogue();
    if (m_runWhenKnown)
        return;
    m_mapsTask.drop();
    m_termsTask.drop();
    m_running = {question(), m_workspace.context(), specs(), {}, {}, {}};
    m_running.question.subject = ++m_subject;
    for (const ColumnSpec& column : m_workspace.backends().columns())
        if (takesPart(column))
            m_running.names << column.title(), m_running.looks << column.lookKey();
    m_fresh = true;
    m_progress = {tr("loading")};
    m_progress.clock.start();
    m_phase.clear();
    m_before = m_phaseSteps = m_stepsEach = 0;
    m_errors.start(m_running.question, m_running.question.threads);
    emit choicesChanged();
}

void LayersSession::takeDump(const QString& path)
{
    m_dump = path;
    emit choicesChanged();
}

void LayersSession::openDump(const QString& path)
{
    takeDump(path);
    run();
}

void LayersSession::takeProgress()
{
    const Progress& progress = m_errors.step();
    m_progress.what = engineText(progress.what);
    if (m_stepsEach == 0) {
        m_stepsEach = m_running.question.dump ? int(progress.total) : 2 * int(progress.total) + m_seeds;
        m_progress.total = m_stepsEach * int(m_running.question.request.attention.size());
    }
    if (m_progress.what != m_phase) {
        m_before += std::exchange(m_phaseSteps, int(progress.total));
        m_phase = m_progress.what;
    }
    m_progress.done = std::min(m_progress.total, m_before + int(progress.done));
}

std::optional<Session::Job> LayersSession::job() const
{
    if (isInspecting())
        return m_progress.job(tr("layers"));
    return m_leaderboard->isRunning() ? m_leaderboard->job() : m_networks->job();
}

void LayersSession::stop()
{
    m_leaderboard->stop();
    m_networks->stop();
    m_mapsTask.drop();
    m_termsTask.drop();
    if (m_runWhenKnown)
        end();
    m_errors.drop();  // what has come stays
}

void LayersSession::end()
{
    m_runWhenKnown = false;
    emit stateChanged();
    emit choicesChanged();
    askMaps();
    askTerms();
}

void LayersSession::take()
{
    const auto inspection = m_errors.report();
    if (!inspection || inspection->attention.empty())
        return;
    m_result = inspection;
    m_before = m_stepsEach * int(inspection->attention.size());
    m_phaseSteps = 0;
    m_video = !inspection->model.inputs.empty() && inspection->model.inputs.front().kind == "video";
    m_attention = std::clamp(m_attention, 0, int(inspection->attention.size()) - 1);
    if (std::exchange(m_fresh, false)) {
        m_requested = m_running;
        m_mapsKept.clear();
        m_termsKept.clear();
        m_termsProblem.clear();
        m_image = {};
        if (showsDump())
            m_mode = InspectionMode::TeacherForced;
        else if (takesSameInput())
            cropImage();
        startQuery();
        startCell();
    }
    emit changed();
    emit cellChanged();
    emit mapsChanged();
}

/// Where the error is largest, unless a cell was looked at that is still there.
void LayersSession::startCell()
{
    if (cellErrors() != nullptr && m_cell != HeadCell{})
        return;
    double largest = -1;
    for (const InspectedLayer& layer : layers())
        for (size_t head = 0; head < layer.heads.size(); ++head)
            if (const double value = valueOf(layer.heads[head], m_figure);
                std::isfinite(value) && value > largest) {
                largest = value;
                m_cell = {int(layer.layer), int(head)};
            }
}

/// The class token, or the patch in the middle; one that was chosen stays where there is such a token.
void LayersSession::startQuery()
{
    const LayerInspection& known = *m_result;
    const bool inside = m_query.row < known.grid.rows && m_query.column < known.grid.columns
                        && m_query.frame < known.frames;
    const bool chosen = m_query.classToken || m_query.row > 0 || m_query.column > 0;
    if (chosen && (m_query.classToken ? known.prefix > 0 : inside))
        return;
    m_query = startingQuery(known);
}

QStringList LayersSession::names() const
{
    return m_result ? m_requested.names.mid(0, static_cast<qsizetype>(m_result->attention.size())) : QStringList();
}

QString LayersSession::look(int attention) const
{
    return m_requested.looks.value(attention);
}

const InspectedAttention* LayersSession::shown() const
{
    return m_result ? &m_result->attention[size_t(m_attention)] : nullptr;
}

const std::vector<InspectedLayer>& LayersSession::layers() const
{
    static const std::vector<InspectedLayer> none;
    const InspectedAttention* one = shown();
    return one == nullptr ? none : m_mode == InspectionMode::TeacherForced ? one->teacherForced : one->endToEnd;
}

const HeadErrors* LayersSession::cellErrors() const
{
    const auto& all = layers();
    if (m_cell.layer < 0 || m_cell.layer >= int(all.size()))
        return nullptr;
    const InspectedLayer& layer = all[size_t(m_cell.layer)];
    if (m_cell.head < 0)
        return &layer.mean;
    return m_cell.head < int(layer.heads.size()) ? &layer.heads[size_t(m_cell.head)] : nullptr;
}

void LayersSession::setAttention(int attention)
{
    if (!m_result || attention == m_attention || attention < 0 || attention >= int(m_result->attention.size()))
        return;
    m_attention = attention;
    emit changed();
    emit cellChanged();
    askMaps();
}

void LayersSession::setMode(InspectionMode mode)
{
    if (std::exchange(m_mode, mode) == mode)
        return;
    emit changed();
    emit cellChanged();
}

void LayersSession::setFigure(HeadMetric figure)
{
    if (std::exchange(m_figure, figure) != figure)
        emit changed();
}

void LayersSession::setCell(const HeadCell& cell)
{
    if (cell == m_cell)
        return;
    m_cell = cell;
    emit cellChanged();
}

void LayersSession::setSeeds(int seeds)
{
    m_seeds = seeds;
    emit choicesChanged();
}

void LayersSession::setQuery(const TokenQuery& query)
{
    m_query = query;
    askMaps();
    askTerms();
}

QString LayersSession::queryText() const
{
    if (m_query.classToken)
        return u"class"_s;
    const QString patch = u"%1,%2"_s.arg(m_query.row).arg(m_query.column);
    return m_result && m_result->frames > 1 ? u"%1,%2"_s.arg(m_query.frame).arg(patch) : patch;
}

QString LayersSession::mapsKey() const
{
    return shown() == nullptr ? QString() : toQt(shown()->attention) + QLatin1Char(' ') + queryText();
}

void LayersSession::askMaps()
{
    m_mapsTask.drop();
    m_mapsProblem.clear();
    if (shown() != nullptr && shown()->failure.empty() && !isInspecting() && maps() == nullptr) {
        LayerQuestion question = m_requested.question;
        question.request.attention = {AttentionSpec::parse(shown()->attention)};
        question.request.errors = question.request.endToEnd = question.request.alone = false;
        question.request.query = m_query;
        m_mapsRequested = mapsKey();
        m_mapsTask.start(question, question.threads);
    }
    emit mapsChanged();
}

void LayersSession::takeMaps()
{
    if (m_mapsTask.wasCancelled())
        return;
    const auto inspection = m_mapsTask.report();
    m_mapsProblem = inspection ? toQt(inspection->attention.front().failure) : m_mapsTask.failure();
    if (m_mapsKept.size() >= maxMapsKept)
        m_mapsKept.clear();
    if (m_mapsProblem.isEmpty())
        m_mapsKept.insert(m_mapsRequested, inspection);
    emit mapsChanged();
}

const InspectedAttention* LayersSession::maps() const
{
    const auto found = m_mapsKept.constFind(mapsKey());
    return found == m_mapsKept.constEnd() ? nullptr : &(*found)->attention.front();
}

const LayerMaps* LayersSession::layerMaps() const
{
    const InspectedAttention* found = maps();
    return found == nullptr || m_cell.layer >= int(found->maps.size()) ? nullptr
                                                                       : &found->maps[size_t(m_cell.layer)];
}

const LayerKeys* LayersSession::layerKeys() const
{
    if (shown() == nullptr || m_cell.layer >= int(shown()->teacherForced.size()))
        return nullptr;
    const auto& keys = shown()->teacherForced[size_t(m_cell.layer)].keys;
    return keys ? &*keys : nullptr;
}

void LayersSession::writeTensors(const QString& path)
{
    const auto found = m_mapsKept.constFind(mapsKey());
    if (found == m_mapsKept.constEnd()) {
        emit exported(path, tr("There are no maps yet; wait until they have been computed."));
        return;
    }
    auto whole = std::make_shared<LayerInspection>(**found);
    whole->attention.front().teacherForced = shown()->teacherForced;  // holds what does not depend on the query
    Engine& engine = m_workspace.engine();
    engine.postFiles({}, [&engine, whole, path, self = QPointer(this)] {
        QString problem;
        guarded([&] { writeMaps(*whole, fromQt(path)); }, [&](const QString& sentence) { problem = sentence; });
        QMetaObject::invokeMethod(&engine, [self, path, problem] {
            if (self)
                emit self->exported(path, problem);
        });
    });
}

void LayersSession::takePreview(const std::shared_ptr<const Preview>& preview)
{
    m_preview = preview;
    if (m_result && !showsDump() && takesSameInput() && m_image.isNull())
        cropImage();
}

/// What the model sees of an image. Of a video its frames come with the result.
QImage LayersSession::seenImage() const
{
    if (!m_preview || m_preview->image.isNull() || !m_workspace.model())
        return m_preview ? m_preview->image : QImage();
    const QImage& image = m_preview->image;
    const QRectF part = cropOnView(*m_preview, m_workspace.model()->transform);
    return image.copy(QRectF(part.x() * image.width(), part.y() * image.height(), part.width() * image.width(),
                             part.height() * image.height())
                          .toRect());
}

void LayersSession::cropImage()
{
    m_image = seenImage();
    if (!m_image.isNull())
        emit mapsChanged();
}

/// A token may stand for several frames: the first of them.
QImage LayersSession::frameImage(int64_t frame) const
{
    const QVector<QImage>& decoded = frames();
    const int64_t tokens = m_result ? std::max<int64_t>(1, m_result->frames) : 1;
    return tokens <= 1 || decoded.isEmpty()
               ? m_image
               : decoded[static_cast<qsizetype>(std::min(frame, tokens - 1) * decoded.size() / tokens)];
}

/// Files of one name in two folders are two inputs.
bool LayersSession::takesSameInput() const
{
    const InputEntry& requested = m_requested.question.input;
    if (takesDump() || m_requested.question.dump)
        return takesDump() && m_requested.question.dump && requested.path == m_dump;
    return hasInput() && m_workspace.input()->path == requested.path;
}

QString LayersSession::nextInputName() const
{
    if (takesDump())
        return QFileInfo(m_dump).fileName();
    return hasInput() ? m_workspace.input()->name : QString();
}

QString LayersSession::staleText() const
{
    if (!m_result)
        return {};
    if (hasInput() && !takesSameInput())
        return tr("made with %1")
            .arg(nextInputName() == inputName() ? m_requested.question.input.path : inputName());
    if (specs() != m_requested.specs)
        return tr("made with %1").arg(m_requested.names.join(u", "_s));
    if (m_seeds != int(m_requested.question.request.seeds))
        return madeWithSeeds(m_requested.question.request.seeds);
    if (showsDump())  // of the context, only the seed applies to it
        return m_requested.context.seed != m_workspace.context().seed
                   ? tr("made with seed %1").arg(m_requested.context.seed)
                   : QString();
    return madeWith(m_requested.context, m_workspace.context(), m_video);
}

LayersOptions LayersSession::optionsShown() const
{
    const LayerQuestion& question = m_requested.question;
    auto options = optionsOf<LayersOptions>(m_requested.context, question.threads);
    options.inputs.paths = {fromQt(question.input.path)};
    if (m_video)
        options.inputs.video.views = fromQt(m_requested.context.views);
    if (showsDump())
        options.model = {};
    options.query = fromQt(queryText());
    return options;
}

QString LayersSession::command() const
{
    if (!m_result || m_requested.question.input.pasted())
        return {};
    LayersOptions options = optionsShown();
    options.attention = fromQt(m_requested.specs);
    options.request.seeds = m_requested.question.request.seeds;
    return CommandLine("layers", options, {"--seeds"}).text();
}

}
