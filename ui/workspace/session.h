#pragma once

#include "ui/engine/task.h"
#include "ui/workspace/workspace.h"

#include <QElapsedTimer>

#include <optional>
#include <string>

namespace attnscope::ui {

/// What a screen works on, without a widget: it lives as long as the window, whether its page was looked at or not.
class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(Workspace& workspace, QObject* parent = nullptr);
    Workspace& workspace() const { return m_workspace; }

    /// What runs now, for the jobs bar.
    struct Job {
        QString title, text;    ///< "compare · lara on cat.jpg", "3 of 20 steps · about 4 s"
        double fraction = 0;    ///< that is done, 0 … 1
        bool pausable = false;  ///< goes on later where it was; else it is stopped
    };
    virtual std::optional<Job> job() const { return std::nullopt; }
    virtual bool isRunning() const { return m_task != nullptr && m_task->isRunning(); }
    /// It waits while somebody goes first.
    bool isResting() const { return m_task != nullptr && m_task->isResting(); }
    /// It ends after the step under way.
    bool isStopping() const { return m_task != nullptr && m_task->isStopping(); }
    /// For the status bar: "Measuring". Empty: nothing goes on.
    virtual QString status() const { return {}; }
    /// Ends what runs, or pauses it; nothing that was finished is lost.
    virtual void stop()
    {
        if (m_task != nullptr)
            m_task->stop();
    }
    /// Of a job that can be paused: it goes on when it is resumed.
    virtual void pauseJob() { stop(); }

    /// What is asked before the window is closed.
    struct ClosingQuestion {
        QString title, text;
        QString details;  ///< how to go on later
        QString stop;     ///< the button that closes
    };
    /// Nothing: the window can be closed.
    virtual std::optional<ClosingQuestion> closingQuestion() const { return std::nullopt; }

    /// The results that are shown, for the next start; empty: there are none, or they are kept elsewhere.
    virtual std::string savedResults() const { return {}; }
    /// Shows what `savedResults` returned. Throws Error where this build cannot read it.
    virtual void restoreResults(const std::string& /*saved*/) {}

signals:
    /// `job`, `isRunning` or `status`.
    void activityChanged();
    /// Began, rests, ended.
    void stateChanged();
    void progressed();
    /// Context, settings, inputs or attentions changed: what would be done next is another thing.
    void choicesChanged();
    void problem(const QString& sentence);
    void notice(const QString& sentence);
    /// To be said on whatever screen is looked at.
    void announcement(const QString& sentence);

protected:
    /// How far a job of equal steps is, and in words.
    struct StepCount {
        QString what;
        int done = 0, total = 0;
        QElapsedTimer clock = {};
        Job job(const QString& title) const;
    };

    /// What runs is this task: its state, progress and problems are the session's.
    void follow(TaskBase& task);

    Workspace& m_workspace;

private:
    TaskBase* m_task = nullptr;
};

}
