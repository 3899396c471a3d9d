#pragma once

#include "ui/scale/scale_task.h"
#include "ui/workspace/command_line.h"
#include "ui/workspace/session.h"

#include <array>
#include <memory>

namespace attnscope::ui {

/// The line of the command line that measures the same.
CommandLine lineOf(const ScaleQuestion& question, int threads);

/// What the Scale screen measures, how far it is and what came of it. No widget in here.
class ScaleSession : public Session {
    Q_OBJECT
public:
    enum Kind { Length, Decode, Samples, Kernel, Plans };  ///< in the order of the tabs
    static constexpr int kindCount = int(std::variant_size_v<ScaleQuestion>);

    ScaleSession(Workspace& workspace, const ScaleTask::Measure& measure, QObject* parent = nullptr);

    using Session::isRunning;
    std::optional<Job> job() const override;
    QString status() const override { return isRunning() ? tr("Measuring: %1").arg(progressText()) : QString(); }
    bool isRunning(Kind kind) const { return isRunning() && m_kind == kind; }

    /// Device, dtype, seed and the ticked attentions, put into what the form asks for.
    ScaleRequest scaleRequest(ScaleRequest form) const;
    DecodeRequest decodeRequest(DecodeRequest form) const;
    /// The window's model, at another image size if the form has one, on these inputs unless it has something else; and the seed.
    template <typename Request>
    SubjectJob<Request> completed(SubjectJob<Request> form, const QStringList& inputs) const
    {
        form.request.seed = m_workspace.context().seed;
        complete(form.subject, inputs);
        return form;
    }
    /// Ticked attentions other than softmax.
    std::vector<AttentionSpec> approximations() const;
    /// Ticked attentions that a layer could have instead of softmax.
    std::vector<AttentionSpec> candidates() const;
    /// Ticked attentions that the encoder of random weights cannot have.
    QStringList leftOut() const;
    /// What samples and plans are measured on: the inputs that are files, else the demo image.
    QStringList inputs() const;
    /// What a single one is taken of: the current input where that is a file.
    QString input() const;
    int64_t threads() const;
    bool onGpu() const;
    int chosenThreads() const;
    const ModelSummary* model() const;

    void start(const ScaleQuestion& question);

    std::string savedResults() const override;
    void restoreResults(const std::string& saved) override;

    /// What came of a kind; null: nothing yet.
    const ScaleResult* result(Kind kind) const { return m_measured[size_t(kind)].result.get(); }
    template <typename Report>
    const Report* report() const
    {
        for (const Measured& each : m_measured)
            if (const auto* held = std::get_if<Report>(each.result.get()))
                return held;
        return nullptr;
    }
    /// What is shown was made with other settings than these: how, in words; empty: with the same, or nothing is shown.
    QString staleText(const ScaleQuestion& now) const;
    /// The line that repeats what was asked last.
    QString command(Kind kind) const;

    /// Fraction that is done, and in words: "12 of 28 points · lara:samples=16 · 2 048 tokens · about 3 min".
    double part() const;
    QString progressText() const;
    QString title() const;

signals:
    void resultsChanged(int kind);

private:
    void complete(SubjectRequest& form, const QStringList& inputs) const;
    void take();
    void end();
    const ScaleRequest& lengths() const { return std::get<ScaleRequest>(m_measured[Length].question); }
    /// Of the lengths asked for.
    int points() const;
    int pointsDone() const;
    /// Seconds that are left, once enough is measured to tell.
    double secondsLeft() const;

    Kind m_kind = Length;
    /// What was asked for last, of each kind, and what came of it.
    struct Measured {
        ScaleQuestion question;
        std::shared_ptr<const ScaleResult> result;  ///< null: none
        int threads = 0;                            ///< chosen then
    };
    std::array<Measured, kindCount> m_measured;
    /// What the finished lengths were guessed to take, and took, in seconds.
    double m_finishedGuess = 0, m_finishedSeconds = 0;
    ScaleTask m_task;
};

}
