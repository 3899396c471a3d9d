#pragma once

#include "ui/scale/scale_task.h"
#include "ui/workspace/session.h"

#include <array>
#include <memory>
#include <tuple>

namespace attnscope::ui {

/// What the Scale screen measures, how far it is and what came of it. No widget in here.
class ScaleSession : public Session {
    Q_OBJECT
public:
    enum Kind { Length, Decode, Samples, Kernel, Plans };  ///< in the order of the tabs
    static constexpr int kindCount = 5;

    ScaleSession(Workspace& workspace, const ScaleTask::Measure& measure, QObject* parent = nullptr);

    using Session::isRunning;
    std::optional<Job> job() const override;
    QString status() const override { return isRunning() ? tr("Measuring: %1").arg(progressText()) : QString(); }
    /// Of what is under way, or was last.
    Kind kind() const { return m_kind; }
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

    auto scale() const { return result<ScaleReport>(); }
    bool hasPoints() const { return pointsDone() > 0; }
    auto decoded() const { return result<DecodeReport>(); }
    auto approximation() const { return result<ApproximateReport>(); }
    auto kernel() const { return result<KernelReport>(); }
    auto plan() const { return result<PlanReport>(); }
    /// What is shown was made with other settings than these: how, in words; empty: with the same, or nothing is shown.
    QString staleText(const ScaleQuestion& now) const;
    /// The line that repeats what is shown; empty: nothing is.
    QString command(Kind kind) const { return m_commands[size_t(kind)]; }

    /// Fraction that is done, and in words: "12 of 28 points · lara:samples=16 · 2 048 tokens · about 3 min".
    double part() const;
    QString progressText() const;
    QString title() const;

signals:
    void resultsChanged(int kind);

private:
    void complete(SubjectRequest& form, const QStringList& inputs) const;
    template <typename Report>
    std::shared_ptr<const Report> result() const
    {
        for (const ScaleResult& each : m_results)
            if (const auto* held = std::get_if<std::shared_ptr<const Report>>(&each);
                held != nullptr && *held != nullptr)
                return *held;
        return {};
    }
    void take();
    void end();
    int pointsDone() const;
    void takeScale();
    /// Seconds that are left, once enough is measured to tell.
    double secondsLeft() const;

    Kind m_kind = Length;
    int m_points = 0;  ///< of the lengths asked for
    /// What was asked for last, of each kind.
    std::tuple<ScaleRequest, DecodeRequest, ApproximateJob, KernelJob, PlanJob> m_requests;
    std::array<ScaleResult, kindCount> m_results;  ///< null: none
    double m_guess = 0;                            ///< seconds, by counting operations
    /// What the finished lengths were guessed to take, and took, in seconds.
    double m_finishedGuess = 0, m_finishedSeconds = 0;
    std::array<QString, kindCount> m_commands;
    std::array<int, kindCount> m_threads{};  ///< that the commands name
    ScaleTask m_task;
};

}
