#pragma once

#include "ui/engine/engine.h"
#include "ui/workspace/backend_list.h"
#include "ui/workspace/settings.h"

#include <QObject>

namespace attnscope::ui {

/// What is being studied, shared by all screens: model and weights, device, backends, inputs, settings. No widget in here.
class Workspace : public QObject {
    Q_OBJECT
public:
    explicit Workspace(Engine& engine, const QString& demoImage = {}, QObject* parent = nullptr);

    Engine& engine() { return m_engine; }
    BackendList& backends() { return m_backends; }
    const BackendList& backends() const { return m_backends; }
    /// A photograph to try everything on; empty where none came along.
    QString demoImage() const { return m_demoImage; }
    /// The checkpoint of a demo network that takes the photograph; empty where one of the two did not come along.
    QString demoNetwork(const QString& name) const;

    void setSettings(const Settings& settings);
    const Settings& settings() const { return m_settings; }
    void setContext(const RunContext& context);
    const RunContext& context() const { return m_settings.context; }

    /// By its suffix.
    static bool looksLikeCheckpoint(const QString& path);
    /// What becomes of a checkpoint that is opened while another one is in use.
    enum class Opened { Replaces, IsAdded };
    /// Images and videos become the inputs, instead of those before; checkpoints become the weights, the second and later ones those of further
    /// networks. False: no input was among the paths.
    bool takeInputs(const QStringList& paths, Opened checkpoints = Opened::Replaces);
    /// The bytes of an image file become the only input.
    void takePasted(const QByteArray& bytes);
    const std::vector<InputEntry>& inputs() const { return m_inputs; }
    /// −1: there is none.
    int currentInput() const { return m_current; }
    void setCurrentInput(int input);
    /// The current one, or null.
    const InputEntry* input() const;
    const std::vector<UnreadableInput>& unreadable() const { return m_unreadable; }
    void addUnreadable(const QString& path, const QString& reason);
    /// All are tried again: what one model cannot take another may.
    void forgetUnreadable();

    /// Looks into the checkpoint first. One that says what it is is taken at once; otherwise `checkpointUnclear`. One behind another waits until
    /// that one is known.
    void openCheckpoint(const QString& path, Opened what = Opened::Replaces);
    /// Takes the checkpoint that was inspected last into use, as `model` (empty: as it says itself) with `heads` (0: as it says itself): as the
    /// first network's or as another one's, for which it was opened.
    void takeCheckpoint(const QString& model, int heads);
    /// Makes it the first network's; it is no further one's then.
    void useCheckpoint(const QString& path, const QString& model, int heads);
    /// Networks behind the first, which columns with `;checkpoint=2` and so on are in.
    const std::vector<FurtherCheckpoint>& furtherCheckpoints() const { return m_backends.furtherCheckpoints(); }
    /// Of the checkpoint opened last.
    std::shared_ptr<const Inspection> inspection() const { return m_inspection; }

    ModelRequest modelRequest() const;
    /// Of all networks, the first one's first.
    std::vector<ModelRequest> modelRequests() const;
    std::shared_ptr<const ModelMetadata> model() const { return m_model; }
    /// A comparison has opened the model that is asked for.
    void takeModel(const std::shared_ptr<const ModelMetadata>& model);
    /// What files of its results are called after; empty: no model was chosen.
    QString modelName() const;
    bool isUntrained() const;
    std::shared_ptr<const Surroundings> surroundings() const { return m_surroundings; }
    /// Nothing can run yet: the model is the catalogue's first, and the catalogue is not there.
    bool waitsForCatalogue() const { return m_settings.context.model.isEmpty() && !m_surroundings; }
    /// Memory in use and models may be others than they were.
    void askSurroundings();
    /// What the context's device comes to: "auto" is the first GPU, else the processor. Null before devices are known, or for one that
    /// is not there.
    const DeviceInfo* device() const;

    /// A comparison has the machine: whoever plays makes way.
    void setMeasuring(bool measuring) { emit measuringChanged(measuring); }
    /// Shows another screen, with these paths opened there.
    void showScreen(const QString& screen, const QStringList& paths = {}) { emit screenRequested(screen, paths); }

signals:
    void modelChanged();
    void contextChanged();
    /// What the settings' dialog asks for.
    void settingsChanged();
    void surroundingsChanged();
    /// Another input or checkpoint was asked for.
    void opening();
    /// Other inputs: what belongs to those before is of no use.
    void inputsReplaced();
    void currentInputChanged(int input);
    void previewChanged(std::shared_ptr<const attnscope::ui::Preview> preview, const QString& note);
    /// The file at this path is not an input after all, or a list of such files was cleared.
    void unreadableChanged();
    void problem(const QString& sentence);
    /// Taken into use; there is more to know of it than one line when `details`.
    void checkpointTaken(const QString& sentence, bool details);
    /// As another network next to those that are there.
    void checkpointAdded(const QString& sentence, bool details,
                         const attnscope::ui::FurtherCheckpoint& checkpoint);
    /// It cannot be run before the user has supplied what is missing, or not at all: `inspection()` says why.
    void checkpointUnclear();
    void measuringChanged(bool measuring);
    /// Figures in the results store grew.
    void resultsStored();
    void screenRequested(const QString& screen, const QStringList& paths);
    /// To be proposed on the screen that is looked at: to open `path` on another one.
    void nextStep(const QString& sentence, const QString& action, const QString& screen, const QString& path);

private:
    void connectEngine();
    void takeSurroundings(const std::shared_ptr<const Surroundings>& known);
    void inspectNext();
    void takeInspection(const std::shared_ptr<const Inspection>& inspection);
    void setInputs(std::vector<InputEntry> inputs);
    void openModel();
    void askPreview();

    Engine& m_engine;
    BackendList m_backends;
    Settings m_settings;
    QString m_demoImage;
    std::shared_ptr<const ModelMetadata> m_model;
    std::shared_ptr<const Surroundings> m_surroundings;
    std::vector<InputEntry> m_inputs;
    std::vector<UnreadableInput> m_unreadable;
    std::shared_ptr<const Inspection> m_inspection;
    struct Opening {
        QString path;
        Opened what = Opened::Replaces;
    };
    std::vector<Opening> m_openings;  ///< the front one is looked into
    Opening m_inspected;
    quint64 m_previewTicket = 0, m_modelTicket = 0, m_inspectTicket = 0;
    int m_current = -1, m_pasted = 0;
};

}
