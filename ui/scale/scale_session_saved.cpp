#include "ui/scale/scale_session.h"

#include "ui/style/qt_text.h"

#include "core/base/archive.h"

namespace attnscope::ui {

namespace {

/// A report with what was asked for.
template <typename Request, typename Report>
struct SavedReport {
    Request request;
    Report report;
};

struct SavedScale {
    std::array<std::string, ScaleSession::kindCount> commands;
    std::array<int, ScaleSession::kindCount> threads{};
    std::optional<SavedReport<ScaleRequest, ScaleReport>> length;
    std::optional<SavedReport<DecodeRequest, DecodeReport>> decode;
    std::optional<SavedReport<ApproximateJob, ApproximateReport>> samples;
    std::optional<SavedReport<KernelJob, KernelReport>> kernel;
    std::optional<SavedReport<PlanJob, PlanReport>> plan;
};

}

std::string ScaleSession::savedResults() const
{
    SavedScale saved;
    for (size_t kind = 0; kind < m_commands.size(); ++kind)
        saved.commands[kind] = fromQt(m_commands[kind]);
    saved.threads = m_threads;
    bool any = false;
    const auto keep = [&]<typename Request, typename Report>(std::optional<SavedReport<Request, Report>>& one) {
        if (const auto report = result<Report>())
            any = true, one.emplace(std::get<Request>(m_requests), *report);
    };
    keep(saved.length), keep(saved.decode), keep(saved.samples), keep(saved.kernel), keep(saved.plan);
    return any ? archived(saved) : std::string();
}

void ScaleSession::restoreResults(const std::string& text)
{
    const auto saved = unarchived<SavedScale>(text);
    for (size_t kind = 0; kind < m_commands.size(); ++kind)
        m_commands[kind] = toQt(saved.commands[kind]);
    m_threads = saved.threads;
    const auto takeBack =
        [this]<typename Request, typename Report>(const std::optional<SavedReport<Request, Report>>& one) {
            if (!one)
                return;
            std::get<Request>(m_requests) = one->request;
            const ScaleResult report = std::make_shared<const Report>(one->report);
            m_results[report.index()] = report;
        };
    takeBack(saved.length), takeBack(saved.decode), takeBack(saved.samples), takeBack(saved.kernel),
        takeBack(saved.plan);
    for (int kind = 0; kind < kindCount; ++kind)
        emit resultsChanged(kind);
    emit stateChanged();
}

}
