#include "core/attention/numerics/fallbacks.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <string_view>

namespace attnscope {

namespace {

thread_local FallbackTally* tallyOfThread = nullptr;

}

FallbackTally::Count& FallbackTally::countOf(const Fallback& what)
{
    const auto found = std::ranges::find(m_counts, std::string_view(what.clause),
                                         [](const Count& count) { return std::string_view(count.clause); });
    return found != m_counts.end() ? *found : m_counts.emplace_back(Count{what.clause, 0, 0, {}});
}

void FallbackTally::add(const Fallback& what, int64_t heads, int64_t of)
{
    Count& count = countOf(what);
    count.heads += heads, count.of += of;
}

void FallbackTally::add(const Fallback& what, const at::Tensor& fell)
{
    const at::NoGradGuard constants;
    const auto sum = fell.detach().sum();
    if (sum.is_cpu()) {
        add(what, sum.item<int64_t>(), fell.numel());
        return;
    }
    Count& count = countOf(what);
    count.of += fell.numel();
    count.later = count.later.defined() ? count.later + sum : sum;
}

std::vector<FallbackCount> FallbackTally::counts() const
{
    std::vector<FallbackCount> all;
    for (const Count& count : m_counts)
        if (const int64_t heads = count.heads + (count.later.defined() ? count.later.item<int64_t>() : 0);
            heads > 0)
            all.push_back({count.clause, heads, count.of});
    return all;
}

void FallbackTally::addTo(std::vector<std::string>& notes) const
{
    for (const FallbackCount& count : counts())
        count.addTo(notes);
}

FallbackTally* FallbackTally::current()
{
    return tallyOfThread;
}

CountFallbacks::CountFallbacks(FallbackTally& tally)
    : m_outer(tallyOfThread)
{
    tallyOfThread = &tally;
}

CountFallbacks::~CountFallbacks()
{
    tallyOfThread = m_outer;
}

FallenHeads::~FallenHeads()
{
    if (m_tally != nullptr && m_fell.defined())
        m_tally->add(m_what, m_fell);
}

}
