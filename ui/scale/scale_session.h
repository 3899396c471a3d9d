// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scale/scale_worker.h"
#include "ui/workspace/session.h"

#include <QElapsedTimer>

#include <array>
#include <memory>

namespace attnscope::ui {

/// What the Scale screen measures, how far it is and what came of it. No widget in here.
class ScaleSession : public Session {
    Q_OBJECT
public:
    enum Kind { Length, Decode, Samples, Kernel, Plans };  ///< in the order of the tabs
    static constexpr int kindCount = 5;

    ScaleSession(Workspace& workspace, const ScaleBackend& backend, QObject* parent = nullptr);

    [[nodiscard]] bool isRunning() const override { return m_running; }
    [[nodiscard]] std::optional<Job> job() const override;
    [[nodiscard]]
    QString status() const override { return m_running ? tr("Measuring: %1").arg(progressText()) : QString(); }
    /// Of what is under way, or was last.
    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] bool isRunning(Kind kind) const { return m_running && m_kind == kind; }
    [[nodiscard]] bool isResting() const { return m_resting; }
    [[nodiscard]] bool isStopping() const { return m_stopping; }

    /// Device, dtype, seed and the ticked attentions, put into what the form asks for.
    [[nodiscard]] ScaleRequest scaleRequest(ScaleRequest form) const;
    [[nodiscard]] DecodeRequest decodeRequest(DecodeRequest form) const;
    /// The window's model, at another image size if the form has one.
    [[nodiscard]] ModelRequest requested(InputSize size) const;
    [[nodiscard]] ApproximateJob approximateJob(ApproximateJob form) const;
    [[nodiscard]] KernelJob kernelJob(KernelJob form) const;
    [[nodiscard]] PlanJob planJob(PlanJob form) const;
    /// Ticked attentions that a layer could have instead of softmax.
    [[nodiscard]] std::vector<AttentionSpec> candidates() const;
    /// Ticked attentions that the encoder of random weights cannot have.
    [[nodiscard]] QStringList leftOut() const;
    /// What samples and plans are measured on: the inputs that are files, else the demo image.
    [[nodiscard]] QStringList inputs() const;
    /// What a single one is taken of: the current input where that is a file.
    [[nodiscard]] QString input() const;
    [[nodiscard]] std::int64_t threads() const;
    [[nodiscard]] bool onGpu() const;
    [[nodiscard]] int chosenThreads() const;
    [[nodiscard]] const ModelSummary* model() const;

    void start(const ScaleRequest& request);
    void start(const DecodeRequest& request);
    void start(const ApproximateJob& job);
    void start(const KernelJob& job);
    void start(const PlanJob& job);
    void stop() override;

    [[nodiscard]] std::string savedResults() const override;
    void restoreResults(const std::string& saved) override;

    [[nodiscard]] const std::shared_ptr<const ScaleReport>& scale() const { return m_scale; }
    [[nodiscard]] bool hasPoints() const { return pointsDone() > 0; }
    [[nodiscard]] const std::shared_ptr<const DecodeReport>& decoded() const { return m_decoded; }
    [[nodiscard]] const std::shared_ptr<const ApproximateReport>& approximation() const { return m_approximation; }
    [[nodiscard]] const std::shared_ptr<const KernelReport>& kernel() const { return m_kernel; }
    [[nodiscard]] const std::shared_ptr<const PlanReport>& plan() const { return m_plan; }
    /// What is shown was made with other settings than these: how, in words; empty: with the same, or nothing is shown.
    [[nodiscard]] QString staleText(const ScaleRequest& now) const;
    [[nodiscard]] QString staleText(const DecodeRequest& now) const;
    [[nodiscard]] QString staleText(const ApproximateJob& now) const;
    [[nodiscard]] QString staleText(const KernelJob& now) const;
    [[nodiscard]] QString staleText(const PlanJob& now) const;
    /// The line that repeats what is shown; empty: nothing is.
    [[nodiscard]] QString command(Kind kind) const { return m_commands[static_cast<std::size_t>(kind)]; }
    /// It ended before all was measured.
    [[nodiscard]] bool wasStopped(Kind kind) const { return m_cut[static_cast<std::size_t>(kind)]; }

    /// Fraction that is done, and in words: "12 of 28 points · lara:samples=16 · 2 048 tokens · about 3 min".
    [[nodiscard]] double part() const;
    [[nodiscard]] QString progressText() const;
    [[nodiscard]] QString title() const;

signals:
    /// Began, rests, ended.
    void stateChanged();
    void progressed();
    void resultsChanged(int kind);
    /// Context or attentions changed: what would be measured next is another thing.
    void wishesChanged();

private:
    void connectWorker();
    void begin(Kind kind, const QString& command);
    /// Times depend on them; errors do not.
    [[nodiscard]] QString staleThreads(Kind kind) const;
    void end();
    [[nodiscard]] int pointsDone() const;
    void takeScale(const std::shared_ptr<const ScaleReport>& report);
    /// Seconds that are left, once enough is measured to tell.
    [[nodiscard]] double secondsLeft() const;

    ScaleBackend m_backend;
    Kind m_kind = Length;
    bool m_running = false, m_resting = false, m_stopping = false;
    int m_points = 0;  ///< of the lengths asked for
    ScaleRequest m_request;  ///< what was asked for last, of each kind
    DecodeRequest m_decodeRequest;
    ApproximateJob m_approximateJob;
    KernelJob m_kernelJob;
    PlanJob m_planJob;
    double m_guess = 0;                         ///< seconds, by counting operations
    double m_finishedGuess = 0, m_finishedSeconds = 0;  ///< what the finished lengths were guessed to take, and took
    Progress m_step;
    QElapsedTimer m_clock;
    std::array<QString, kindCount> m_commands;
    std::array<bool, kindCount> m_cut{};
    std::array<int, kindCount> m_threads{};  ///< that the commands name
    std::shared_ptr<const ScaleReport> m_scale;
    std::shared_ptr<const DecodeReport> m_decoded;
    std::shared_ptr<const ApproximateReport> m_approximation;
    std::shared_ptr<const KernelReport> m_kernel;
    std::shared_ptr<const PlanReport> m_plan;
    std::unique_ptr<ScaleWorker> m_worker;  // last: its thread ends before what it tells about
};

}  // namespace attnscope::ui
