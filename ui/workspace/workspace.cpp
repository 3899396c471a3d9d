#include "ui/workspace/workspace.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/command_line.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace attnscope::ui {

Workspace::Workspace(Engine& engine, const QString& demoImage, QObject* parent)
    : QObject(parent)
    , m_engine(engine)
    , m_demoImage(demoImage)
{
    connectEngine();
}

bool Workspace::looksLikeCheckpoint(const QString& path)
{
    return QStringList{u"safetensors"_s, u"pth"_s, u"pt"_s, u"bin"_s}.contains(QFileInfo(path).suffix().toLower());
}

QString Workspace::demoNetwork(const QString& name) const
{
    const QFileInfo image(m_demoImage);
    const QString checkpoint = QDir::cleanPath(image.path() + u"/../models/%1.safetensors"_s.arg(name));
    return image.exists() && QFileInfo::exists(checkpoint) ? checkpoint : QString();
}

void Workspace::connectEngine()
{
    connect(&m_engine, &Engine::surroundingsKnown, this, &Workspace::takeSurroundings);
    connect(&m_engine, &Engine::surroundingsFailed, this, &Workspace::problem);
    connect(&m_engine, &Engine::modelOpened, this,
            [this](quint64 ticket, const std::shared_ptr<const ModelMetadata>& model) {
                if (ticket == m_modelTicket)
                    takeModel(model);
            });
    connect(&m_engine, &Engine::modelFailed, this, [this](quint64 ticket, const QString& sentence) {
        if (ticket != m_modelTicket)
            return;
        takeModel(nullptr);
        emit problem(sentence);
    });
    connect(&m_engine, &Engine::checkpointInspected, this,
            [this](quint64 ticket, const std::shared_ptr<const Inspection>& inspection) {
                if (ticket == m_inspectTicket)
                    takeInspection(inspection);
            });
    connect(&m_engine, &Engine::checkpointRefused, this, [this](quint64 ticket, const QString& sentence) {
        if (ticket != m_inspectTicket)
            return;
        m_openings.erase(m_openings.begin());
        emit problem(sentence);
        inspectNext();
    });
    connect(&m_engine, &Engine::previewReady, this,
            [this](quint64 ticket, const std::shared_ptr<const Preview>& preview) {
                if (ticket == m_previewTicket)
                    emit previewChanged(preview, {});
            });
    connect(&m_engine, &Engine::previewFailed, this,
            [this](quint64 ticket, const QString& path, const QString& reason) {
                if (ticket != m_previewTicket)
                    return;
                addUnreadable(path, reason);
                emit previewChanged(nullptr, reason);
            });
}

void Workspace::takeSurroundings(const std::shared_ptr<const Surroundings>& known)
{
    m_surroundings = known;
    RunContext& context = m_settings.context;
    if (context.model.isEmpty() && context.weights.startsWith("untrained"_L1) && !known->models.empty())
        context.model = toQt(known->models.front().name);
    if (!m_model && m_modelTicket == 0)
        openModel();
    emit surroundingsChanged();
}

void Workspace::setSettings(const Settings& settings)
{
    m_settings = settings;
    m_backends.setFirstNetwork(m_settings.context.weights);
    m_engine.models().setCapacity(size_t(m_settings.residentNetworks));
    askSurroundings();
    emit settingsChanged();
}

void Workspace::askSurroundings()
{
    m_engine.askSurroundings(m_settings.threads);
}

void Workspace::setContext(const RunContext& context)
{
    if (context == m_settings.context)
        return;
    const ModelRequest before = modelRequest();
    m_settings.context = context;
    m_backends.setFirstNetwork(context.weights);
    emit contextChanged();
    if (!(modelRequest() == before))
        openModel();
}

ModelRequest Workspace::modelRequest() const
{
    ModelRequest request = modelRequestOf(m_settings.context);
    request.limits = m_settings.limits;
    return request;
}

std::vector<ModelRequest> Workspace::modelRequests() const
{
    std::vector<ModelRequest> requests{modelRequest()};
    for (const FurtherCheckpoint& checkpoint : furtherCheckpoints()) {
        requests.push_back(requests.front());
        requests.back().weights = fromQt(checkpoint.weights);
        requests.back().model = fromQt(checkpoint.model);
        requests.back().heads = checkpoint.heads;
    }
    return requests;
}

void Workspace::openModel()
{
    m_modelTicket = m_engine.open(modelRequest());
}

void Workspace::takeModel(const std::shared_ptr<const ModelMetadata>& model)
{
    m_model = model;
    emit modelChanged();
}

QString Workspace::modelName() const
{
    const QString name = m_model ? toQt(m_model->summary.name) : context().model;
    return QFileInfo(name.isEmpty() ? context().weights : name).completeBaseName();
}

bool Workspace::isUntrained() const
{
    return m_model && m_model->summary.weights == WeightsKind::Untrained;
}

bool Workspace::takeInputs(const QStringList& paths, Opened checkpoints)
{
    std::vector<InputEntry> inputs;
    for (const QString& path : paths) {
        const QFileInfo file(path);
        if (file.isDir())  // of a video's frames; the engine says if it is none
            inputs.push_back({path, QDir(path).dirName(), {}});
        else if (looksLikeCheckpoint(path))
            openCheckpoint(path, std::exchange(checkpoints, Opened::IsAdded));
        else
            inputs.push_back({path, file.fileName(), {}});
    }
    if (inputs.empty())
        return false;
    setInputs(std::move(inputs));
    return true;
}

void Workspace::takePasted(const QByteArray& bytes)
{
    const QString name = tr("pasted image %1").arg(++m_pasted);
    setInputs({{name, name, bytes}});
}

void Workspace::setInputs(std::vector<InputEntry> inputs)
{
    emit opening();
    forgetUnreadable();
    m_inputs = std::move(inputs);
    m_current = 0;
    emit inputsReplaced();
    askPreview();
    emit currentInputChanged(m_current);
}

void Workspace::setCurrentInput(int input)
{
    if (input < 0 || input >= int(m_inputs.size()) || input == m_current)
        return;
    m_current = input;
    askPreview();
    emit currentInputChanged(m_current);
}

const InputEntry* Workspace::input() const
{
    return m_current < 0 ? nullptr : &m_inputs[size_t(m_current)];
}

void Workspace::askPreview()
{
    emit previewChanged(nullptr, {});  // the last one's image under this one's name would be a lie
    m_previewTicket = m_engine.preview(*input(), m_settings.limits);
}

void Workspace::forgetUnreadable()
{
    m_unreadable.clear();
    emit unreadableChanged();
}

void Workspace::addUnreadable(const QString& path, const QString& reason)
{
    const bool known = std::ranges::any_of(m_unreadable,
                                           [&](const UnreadableInput& u) { return u.path == fromQt(path); });
    if (!known)
        m_unreadable.push_back({fromQt(path), fromQt(reason)});
    emit unreadableChanged();
}

void Workspace::openCheckpoint(const QString& path, Opened what)
{
    emit opening();
    if (what == Opened::Replaces)
        m_openings.clear();
    m_openings.push_back({path, what});
    if (m_openings.size() == 1)
        inspectNext();
}

void Workspace::inspectNext()
{
    if (m_openings.empty())
        return;
    ModelRequest request = modelRequest();
    request.model.clear();
    request.heads = 0;
    request.imageSize = {};
    request.classEmbeddings.clear();
    request.weights = fromQt(m_openings.front().path);
    m_inspectTicket = m_engine.inspect(request);
}

void Workspace::takeInspection(const std::shared_ptr<const Inspection>& inspection)
{
    m_inspection = inspection;
    m_inspected = m_openings.front();
    m_openings.erase(m_openings.begin());
    if (!inspection->fit || !inspection->fit->fits()) {
        emit checkpointUnclear();
    } else {
        // Of the catalogue where it is one of those as they are; else "as the checkpoint says".
        const bool plain = inspection->fit->model == inspection->identity.model && !inspection->header;
        takeCheckpoint(plain ? toQt(inspection->identity.model) : QString(), 0);
    }
    inspectNext();
}

void Workspace::takeCheckpoint(const QString& model, int heads)
{
    const QString &path = m_inspected.path, name = QFileInfo(path).fileName();
    const auto& fit = m_inspection->fit;
    const bool fits = fit && fit->fits(), details = fits && !lines(*fit).empty();
    const QString what = fits ? tr("%1: %2.").arg(name, toQt(oneLine(*fit))) : QString();
    const QString& first = m_settings.context.weights;
    const auto isOfDemo = [demo = QFileInfo(demoNetwork(u"deit"_s)).path()](const QString& file) {
        return QFileInfo(file).path() == demo;
    };
    // A network that nobody chose, or of the demo, gives way to somebody's own.
    if (m_inspected.what == Opened::Replaces || first.startsWith("untrained"_L1) || path == first
        || (isOfDemo(first) && !isOfDemo(path))) {
        useCheckpoint(path, model, heads);
        if (fits)
            emit checkpointTaken(what, details);
        return;
    }
    const FurtherCheckpoint checkpoint{path, model, heads};
    std::vector<FurtherCheckpoint> further = furtherCheckpoints();
    if (const auto known = std::ranges::find(further, path, &FurtherCheckpoint::weights); known != further.end()) {
        *known = checkpoint;
        m_backends.setFurtherCheckpoints(std::move(further));
        return emit checkpointTaken(tr("%1 is one of the networks already.").arg(name), false);
    }
    const std::vector<int64_t> input = m_inspection->model ? m_inspection->model->input : std::vector<int64_t>();
    if (m_model && !input.empty() && input.size() != m_model->summary.input.size())
        return emit problem(tr("%1 cannot be compared with %2: one takes clips, the other one images.")
                                .arg(name, QFileInfo(first).fileName()));
    m_backends.addCheckpoint(checkpoint, m_inspection->model
                                             ? AttentionSpec::parse(m_inspection->model->nativeAttention)
                                             : AttentionSpec::native());
    emit checkpointAdded(tr("%1 was added as network %2.").arg(name).arg(furtherCheckpoints().size() + 1), details,
                         checkpoint);
}

void Workspace::useCheckpoint(const QString& path, const QString& model, int heads)
{
    RunContext context = m_settings.context;
    context.weights = path;
    context.model = model;
    context.heads = heads;
    context.imageSize = {};
    context.classEmbeddings.clear();  // those of another network's features
    setContext(context);
}

const DeviceInfo* Workspace::device() const
{
    const DeviceInfo* found = nullptr;
    if (!m_surroundings)
        return found;
    const std::string wanted = fromQt(m_settings.context.device);
    for (const DeviceInfo& each : m_surroundings->devices) {
        if (wanted != "auto" ? each.name != wanted : !each.available)
            continue;
        if (found == nullptr || (found->name == "cpu" && each.name != "cpu"))
            found = &each;
    }
    return found;
}

}
