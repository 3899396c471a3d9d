// SPDX-License-Identifier: GPL-3.0-or-later
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
    std::array<bool, ScaleSession::kindCount> cut{};
    std::array<int, ScaleSession::kindCount> threads{};
    std::optional<SavedReport<ScaleRequest, ScaleReport>> length;
    std::optional<SavedReport<DecodeRequest, DecodeReport>> decode;
    std::optional<SavedReport<ApproximateJob, ApproximateReport>> samples;
    std::optional<SavedReport<KernelJob, KernelReport>> kernel;
    std::optional<SavedReport<PlanJob, PlanReport>> plan;
};

template <typename Request, typename Report>
void keep(const Request& request, const std::shared_ptr<const Report>& report, std::optional<SavedReport<Request, Report>>& saved)
{
    if (report)
        saved.emplace(request, *report);
}

template <typename Request, typename Report>
void takeBack(const std::optional<SavedReport<Request, Report>>& saved, Request& request, std::shared_ptr<const Report>& report)
{
    if (!saved)
        return;
    request = saved->request;
    report = std::make_shared<const Report>(saved->report);
}

}  // namespace

std::string ScaleSession::savedResults() const
{
    SavedScale saved;
    for (std::size_t kind = 0; kind < m_commands.size(); ++kind)
        saved.commands[kind] = fromQt(m_commands[kind]);
    saved.cut = m_cut;
    saved.threads = m_threads;
    keep(m_request, m_scale, saved.length);
    keep(m_decodeRequest, m_decoded, saved.decode);
    keep(m_approximateJob, m_approximation, saved.samples);
    keep(m_kernelJob, m_kernel, saved.kernel);
    keep(m_planJob, m_plan, saved.plan);
    const bool any = saved.length || saved.decode || saved.samples || saved.kernel || saved.plan;
    return any ? archived(saved) : std::string();
}

void ScaleSession::restoreResults(const std::string& text)
{
    const auto saved = unarchived<SavedScale>(text);
    for (std::size_t kind = 0; kind < m_commands.size(); ++kind)
        m_commands[kind] = toQt(saved.commands[kind]);
    m_cut = saved.cut;
    m_threads = saved.threads;
    takeBack(saved.length, m_request, m_scale);
    takeBack(saved.decode, m_decodeRequest, m_decoded);
    takeBack(saved.samples, m_approximateJob, m_approximation);
    takeBack(saved.kernel, m_kernelJob, m_kernel);
    takeBack(saved.plan, m_planJob, m_plan);
    for (int kind = 0; kind < kindCount; ++kind)
        emit resultsChanged(kind);
    emit stateChanged();
}

}  // namespace attnscope::ui
