#include "core/lab/leaderboard/leaderboard.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/lab/leaderboard/leaderboard_candidates.h"
#include "core/lab/leaderboard/leaderboard_json.h"
#include "core/lab/leaderboard/leaderboard_measurement.h"
#include "core/lab/leaderboard/leaderboard_ranking.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

namespace attnscope {

namespace {

class LeaderboardRun {
public:
    LeaderboardRun(OpenedSubject subject, const LeaderboardRequest& request, const LeaderboardCalls& calls)
        : m_request(request)
        , m_calls(calls)
        , m_progress(orSilent(calls.progress))
        , m_measurement(std::move(subject), request, calls.stop)
    {
        m_measurement.describe(m_report);
        chooseCandidates();
        takeEarlier();
    }

    LeaderboardReport run()
    {
        const auto begin = std::chrono::steady_clock::now();
        auto left = std::ssize(m_candidates);
        rank(m_report);
        try {
            for (const AttentionSpec& spec : m_candidates) {
                checkStop(m_calls.stop);
                m_progress({spec.canonical(), std::ssize(m_report.rows), m_report.candidates});
                const double fraction = std::max(0.0, m_request.seconds - secondsSince(begin)) / double(left--);
                m_report.rows.push_back(rowOf(spec, fraction));
                m_report.seconds = secondsSince(begin);
                rank(m_report);
                if (m_calls.measured)
                    m_calls.measured(m_report);
            }
        } catch (const Cancelled&) {
            if (m_report.rows.empty())
                throw;
            return std::move(m_report);
        }
        m_progress({"", m_report.candidates, m_report.candidates});
        return std::move(m_report);
    }

private:
    void chooseCandidates()
    {
        for (const AttentionSpec& spec : m_request.attention) {
            std::ignore = m_measurement.prepared(spec);
            m_candidates.push_back(spec);
        }
        if (m_request.attention.empty())
            chooseAll();
        m_report.candidates = std::ssize(m_candidates);
        if (m_candidates.empty())
            throw UsageError("", "no attention of the registry fits here", "name some with --attention");
    }

    void chooseAll()
    {
        std::map<std::string, std::string> refused;  // by method: why its last size does not fit
        std::vector<std::string> fitting;
        for (const AttentionSpec& plain :
             leaderboardCandidates(sizes(), m_measurement.hasPrefix(), m_report.omitted)) {
            const AttentionSpec spec = m_measurement.overItsKeys(plain);
            if (const std::string why = failureOf(spec.canonical(), {},
                                                  [&] { std::ignore = m_measurement.prepared(spec); });
                !why.empty()) {
                refused[spec.backend()] = why;
                continue;
            }
            fitting.push_back(spec.backend());
            if (std::ranges::find(m_candidates, spec) == m_candidates.end())
                m_candidates.push_back(spec);
        }
        for (const auto& [backend, why] : refused)
            if (std::ranges::find(fitting, backend) == fitting.end())
                m_report.omitted.push_back({backend, why});
    }

    /// Of the largest layers; those of the smallest, too, for methods that must fit into every layer.
    std::vector<int64_t> sizes() const
    {
        if (!m_request.samples.empty())
            return m_request.samples;
        std::vector<int64_t> all = leaderboardSamples(m_measurement.maxPatches());
        for (const int64_t samples : leaderboardSamples(m_measurement.minPatches()))
            if (std::ranges::find(all, samples) == all.end())
                all.push_back(samples);
        return all;
    }

    /// Rows of an earlier run, of the candidates of this one.
    void takeEarlier()
    {
        if (m_calls.earlier == nullptr)
            return;
        if (const std::string different = differentSetup(*m_calls.earlier, m_report); !different.empty())
            throw UsageError("--resume", "the earlier leaderboard was made with another " + different,
                             "repeat it with the same settings, or give another file");
        for (const LeaderboardRow& row : m_calls.earlier->rows) {
            const auto same = std::ranges::find_if(
                m_candidates, [&](const AttentionSpec& spec) { return spec.canonical() == row.attention; });
            if (same == m_candidates.end() || !row.failure.empty())
                continue;
            m_candidates.erase(same);
            m_report.rows.push_back(row);
        }
    }

    LeaderboardRow rowOf(const AttentionSpec& spec, double seconds) const
    {
        LeaderboardRow row;
        const std::string failure = failureOf(spec.canonical(), {},
                                              [&] { row = m_measurement.measured(spec, seconds); });
        if (failure.empty())
            return row;
        return {.attention = spec.canonical(),
                .backend = spec.backend(),
                .samples = spec.samples().value_or(0),
                .failure = failure};
    }

    const LeaderboardRequest& m_request;
    const LeaderboardCalls& m_calls;
    const ProgressCallback m_progress;
    LeaderboardMeasurement m_measurement;
    LeaderboardReport m_report;
    std::vector<AttentionSpec> m_candidates;
};

}

LeaderboardReport measureLeaderboard(const LabSubject& subject, const LeaderboardRequest& request,
                                     const LeaderboardCalls& calls)
{
    return onSubject(subject, [&] {
        return LeaderboardRun(openSubject(subject, TensorLayers::Together), request, calls).run();
    });
}

}
