// Images a second in this process and through the decoder process, and what starting that costs.
//
//     bench_decoding FOLDER [ROUNDS]
#include "core/media/image/decoder_process.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>

using namespace attnscope;
namespace fs = std::filesystem;

namespace {

using Reader = std::function<Clip(const fs::path&)>;

double milliseconds(const std::function<void()>& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double quantile(std::vector<double> values, double part)
{
    std::sort(values.begin(), values.end());
    return values[size_t(part * double(values.size() - 1))];
}

void report(const char* what, const std::vector<double>& times, size_t images)
{
    const double median = quantile(times, 0.5);
    std::printf("%-10s %8.2f ms a round (p05 %.2f, p95 %.2f, n = %zu)", what, median, quantile(times, 0.05),
                quantile(times, 0.95), times.size());
    if (images > 0)
        std::printf("  %7.1f pictures/s", 1e3 * double(images) / median);
    std::puts("");
}

std::vector<fs::path> imagesIn(const fs::path& folder)
{
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".jpg" || entry.path().extension() == ".png")
            paths.push_back(entry.path());
    return paths;
}

}

int main(int count, char** words)
{
    if (count < 2) {
        std::fputs("usage: bench_decoding FOLDER [ROUNDS]\n", stderr);
        return 2;
    }
    const std::vector<fs::path> paths = imagesIn(words[1]);
    const int rounds = count > 2 ? std::atoi(words[2]) : 30;
    if (paths.empty() || rounds < 1) {
        std::fputs("bench_decoding: no pictures, or no rounds.\n", stderr);
        return 2;
    }
    const auto all = [&](const Reader& read) {
        return milliseconds([&] {
            for (const fs::path& path : paths)
                read(path);
        });
    };
    DecoderProcess decoder;
    const Reader here = [](const fs::path& path) { return readImage(path); };
    const Reader there = [&](const fs::path& path) { return decoder.read(path); };
    all(here), all(there);  // caches
    std::vector<double> inlineTimes, processTimes, startTimes;
    for (int round = 0; round < rounds; ++round) {
        inlineTimes.push_back(all(here));
        processTimes.push_back(all(there));
        startTimes.push_back(milliseconds([] { DecoderProcess().info(); }));
    }
    report("inline", inlineTimes, paths.size());
    report("process", processTimes, paths.size());
    report("start", startTimes, 0);
    return 0;
}
