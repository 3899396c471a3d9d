#pragma once

#include "ui/engine/demo_scenes.h"
#include "ui/widgets/empty_screen.h"
#include "ui/widgets/message_bar.h"
#include "ui/workspace/session.h"

class QAbstractItemModel;
class QBoxLayout;
class QStackedWidget;

namespace attnscope::ui {

class InstrumentTab;
class MessageStack;
class ReportHead;

/// What is opened, dropped or pasted, once it is known what it is.
enum class Content {
    Inputs,         ///< images and checkpoints; also videos, where the screen takes no videos apart
    Video,          ///< a video, a GIF or a folder of frames
    Tensors,        ///< q, k and v in a safetensors file
    Folder,         ///< of labelled samples
    Store,          ///< a results store
    TrainingState,  ///< what a training that was cut off has left
};
inline constexpr QLatin1String trainingStateSuffix(".resume.safetensors");

/// The widget of a screen: messages above, below them either the empty screen or the contents. The menus and the context bar do what the
/// current page does; what a page does not override is off while it is shown.
class Page : public QWidget {
    Q_OBJECT
public:
    explicit Page(Workspace& workspace, QWidget* parent = nullptr);

    enum class Density { Roomy, Compact };
    void setDensity(Density density);
    MessageBar* showMessage(MessageBar::Kind kind, const QString& sentence);
    /// Nothing where it is empty.
    void showProblem(const QString& sentence);
    MessageStack* messages() const { return m_messages; }
    EmptyScreen* empty() const { return m_empty; }

    /// Which parts of the window around it serve this screen.
    struct Uses {
        bool weights = true, backends = true, run = true;
        bool networks = false;  ///< columns of all of them, not of the first alone
    };
    virtual Uses uses() const { return {}; }

    virtual bool canRun() const { return false; }
    virtual void run() {}
    /// More than the empty screen is shown.
    virtual bool showsContents() const;
    /// There is something to copy and to export.
    virtual bool hasResults() const { return false; }
    /// The `attnscope-cli` line that repeats what is shown; empty: there is none.
    virtual QString command() const { return {}; }
    /// What Copy puts on the clipboard.
    virtual const QAbstractItemModel* shownTable() const { return nullptr; }
    /// Whose network an export proposes: the specification that was chosen here; empty: none.
    virtual QString attentionToExport() const { return {}; }
    void copyCommand();
    void copyTable() const;
    void copyMarkdown() const;
    virtual void askExport() {}
    /// Asks for the files that this screen works on.
    virtual void askFiles() {}
    virtual void askCamera() {}
    /// Opens content that the table of screens says it takes.
    virtual void take(Content, const QStringList& /*paths*/) {}
    /// Works with this checkpoint next to the workspace's. False: it becomes the workspace's.
    virtual bool takeCheckpoint(const QString& /*path*/) { return false; }
    /// What dropping would do here; empty: what the window says of such content.
    virtual QString dropHint(Content) const { return {}; }
    /// False: the demo image is compared.
    virtual bool tryDemo() { return false; }
    /// A step of this screen itself can be taken back; else Undo is of the backends.
    virtual bool canUndo() const { return false; }
    virtual void undo() {}
    /// Whether there is more than one view of the results, and the next one.
    virtual bool hasViews() const { return false; }
    virtual void showNextView() {}
    /// What a form holds, for the next session; empty: nothing.
    virtual QString savedForm() const { return {}; }
    virtual void restoreForm(const QString&) {}

signals:
    /// What can be done, or is there.
    void changed();
    /// What `uses` returns.
    void usesChanged();
    /// Chosen in the dialog of `askInputs`.
    void inputsChosen(const QStringList& paths);
    /// One of the window's actions, by name.
    void actionRequested(const QString& name);

protected:
    /// Fits the parts into the present size and density. Called after every change of these.
    virtual void arrange() {}
    bool isCompact() const { return m_density == Density::Compact; }
    /// The empty screen, and what replaces it. To be called once, in the constructor.
    void setContents(const EmptyScreen::Description& empty, QWidget* content);
    /// Below the messages, on a screen whose parts have empty states of their own.
    QBoxLayout* column() const { return m_column; }
    QStackedWidget* stack() const { return m_stack; }
    void showContents(bool shown);
    /// Asks for images, videos or tensors: `inputsChosen`.
    void askInputs();
    static QString videoFilter();
    /// Problems and notices of the session are shown here.
    void followMessages(const Session& session);
    /// A head whose buttons run and copy as this page does.
    ReportHead* newReportHead(const QString& exportHelp);
    /// What goes wrong in a tab, and what it asks for.
    void followTab(const InstrumentTab& tab);
    /// How far it is and what goes wrong, on the empty screen; `ready` with the folder of the data.
    void followDemo(const DemoTask& demo, std::function<void(const QString& folder)> ready);
    void arrangeLater();
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

    Workspace& m_workspace;

private:
    QBoxLayout* m_column;
    MessageStack* m_messages;
    QStackedWidget* m_stack = nullptr;
    EmptyScreen* m_empty = nullptr;
    Density m_density = Density::Roomy;
};

}
