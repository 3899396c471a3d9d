// How fast videos are decoded, converted and sought in:
//
//     bench_video VIDEO [REPETITIONS]      medians with 5th and 95th percentile; alternatives take turns
//
// Compared with `ffmpeg -i VIDEO -f null -` (and -pix_fmt rgb24) of the same machine, where that program is.
#include "core/media/video/video_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace attnscope;

namespace {

struct Contender {
    std::string name;
    std::function<int64_t()> run;  ///< how many frames
    int64_t frames = 0;
    std::vector<double> seconds;
};

enum class Pixels { Converted, Untouched };

int64_t readAll(const std::string& path, int threads, Pixels pixels, bool isolated)
{
    VideoReadOptions options;
    options.threads = threads;
    options.isolated = isolated;
    VideoReader video(path, options);
    std::vector<uint8_t> rgb(size_t(video.size().width * video.size().height * 3));
    int64_t frames = 0;
    for (; video.advance(); ++frames)
        if (pixels == Pixels::Converted)
            video.writeRgb(rgb.data(), video.size().width * 3);
    return frames;
}

/// The program's own time to start is in the figure, some 50 ms.
int64_t runFfmpeg(const std::string& path, int threads, const std::string& output)
{
    const std::string command = fmt::format("ffmpeg -v error -nostdin -threads {} -i '{}' -an {} -f null -",
                                            threads, path, output);
    if (std::system(command.c_str()) != 0)
        throw std::runtime_error("ffmpeg failed");
    return 0;
}

void measure(std::vector<Contender>& contenders, int repetitions)
{
    std::mt19937 random(1);
    for (int i = 0; i < repetitions; ++i) {
        std::vector<Contender*> order;
        for (Contender& contender : contenders)
            order.push_back(&contender);
        std::shuffle(order.begin(), order.end(), random);
        for (Contender* contender : order) {
            const auto start = std::chrono::steady_clock::now();
            contender->frames = contender->run();
            contender->seconds.push_back(
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        }
    }
}

double percentile(std::vector<double> values, double part)
{
    std::sort(values.begin(), values.end());
    return values[size_t(part * double(values.size() - 1) + 0.5)];
}

void printSeeks(const std::string& path)
{
    VideoReader video(path);
    std::vector<int64_t> times;
    while (video.advance())
        times.push_back(video.pts());
    std::mt19937 random(2);
    std::vector<double> milliseconds;
    for (int i = 0; i < 100; ++i) {
        const int64_t target = times[random() % times.size()];
        const auto start = std::chrono::steady_clock::now();
        video.seek(target);
        video.advance();
        milliseconds.push_back(1e3
                               * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    fmt::print("seek to a random frame: {:.1f} ms ({:.1f} … {:.1f}), 100 times\n", percentile(milliseconds, 0.5),
               percentile(milliseconds, 0.05), percentile(milliseconds, 0.95));
}

}

int main(int argc, char** argv)
try {
    if (argc < 2) {
        fmt::print("Usage: bench_video VIDEO [REPETITIONS]\n");
        return 2;
    }
    const std::string path = argv[1];
    const int repetitions = argc > 2 ? std::atoi(argv[2]) : 9;
    std::vector<Contender> contenders;
    for (const int threads : {1, 2}) {
        const std::string with = fmt::format(", {} thread{}", threads, threads == 1 ? "" : "s");
        for (const bool isolated : {true, false}) {
            const std::string where = isolated ? "" : " in this process";
            contenders.push_back(
                {"decode" + where + with, [=] { return readAll(path, threads, Pixels::Untouched, isolated); }});
            contenders.push_back({"decode, RGB" + where + with,
                                  [=] { return readAll(path, threads, Pixels::Converted, isolated); }});
        }
        contenders.push_back({"ffmpeg -f null" + with, [=] { return runFfmpeg(path, threads, ""); }});
        contenders.push_back(
            {"ffmpeg -f null, RGB" + with, [=] { return runFfmpeg(path, threads, "-pix_fmt rgb24"); }});
    }
    measure(contenders, repetitions);
    const int64_t frames = contenders.front().frames;
    for (const Contender& contender : contenders)
        fmt::print("{:<46} {:7.1f} frames/s  {:7.1f} ms ({:.1f} … {:.1f}), {} times\n", contender.name,
                   double(frames) / percentile(contender.seconds, 0.5), 1e3 * percentile(contender.seconds, 0.5),
                   1e3 * percentile(contender.seconds, 0.05), 1e3 * percentile(contender.seconds, 0.95),
                   repetitions);
    printSeeks(path);
    return 0;
} catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
}
