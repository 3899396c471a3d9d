// A store of 50,000 samples × 20 attentions: how long adding takes, and opening, filtering and reporting, which must stay below 2 s.
#include "core/report/report.h"
#include "tests/core/store/store_cases.h"

#include <chrono>
#include <cstdio>

using namespace attnscope;
using namespace attnscope::testing;

namespace {

class Clock {
public:
    double report(const char* what)
    {
        const auto now = std::chrono::steady_clock::now();
        const double seconds = std::chrono::duration<double>(now - m_last).count();
        std::printf("%-8s %8.3f s\n", what, seconds);
        m_last = now;
        return seconds;
    }

private:
    std::chrono::steady_clock::time_point m_last = std::chrono::steady_clock::now();
};

}

int main()
{
    Folder folder;
    const auto file = folder / "runs.sqlite";
    Clock clock;
    {
        ResultStore store(file, ResultStore::Mode::Write);
        evaluateMadeUp(store, madeUpSettings(), madeUpData(50'000, 1000), madeUpRuns(20));
    }
    clock.report("add");
    const ResultStore store(file, ResultStore::Mode::Read);
    double seconds = clock.report("open");
    const auto runs = store.evaluations().at(0).runs;
    SampleQuery query;
    query.run = runs.at(1).id;
    query.reference = runs.at(0).id;
    const auto page = store.samples(query);
    std::printf("%zu of %lld\n", page.size(), static_cast<long long>(store.sampleCount(query)));
    seconds += clock.report("filter");
    const std::string html = reportHtml(makeReport(store, {}));
    seconds += clock.report("report");
    std::printf("%zu bytes, %.3f s in all\n", html.size(), seconds);
    return page.size() == 100 && seconds < 2 ? 0 : 1;
}
