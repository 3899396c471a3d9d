#include "core/data/demo/demo_data.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/process/processors.h"
#include "core/data/demo/camera_move.h"
#include "core/data/demo/scene.h"
#include "core/media/image/decoder_process.h"
#include "core/media/image/image_writer.h"
#include "core/media/video/video_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

constexpr int sceneQuality = 90, moveQuality = 20;
constexpr Fraction moveRate{
    15, 2};  // every fourth frame at 30 per second, as Motionformer 16×4 samples: a clip lasts two seconds

struct Counts {
    int64_t training, validation;
    int64_t of(Split split) const { return split == Split::Training ? training : validation; }
};

Counts countsOf(const DemoRequest& request, DemoSet set)
{
    const Counts usual = set == DemoSet::Scenes ? Counts{400, 50} : Counts{150, 25};
    return {request.training.value_or(usual.training), request.validation.value_or(usual.validation)};
}

/// One file to be written.
struct Task {
    fs::path path;
    DemoSet set;
    size_t label;
    Split split;
    uint64_t index;
};

std::vector<std::string> classesOf(DemoSet set)
{
    std::vector<std::string> names;
    if (set == DemoSet::Moves)
        names.assign(moveNames.begin(), moveNames.end());
    else
        for (const ScenePhoto& photo : scenePhotos())
            names.emplace_back(photo.name);
    return names;
}

std::vector<Task> tasksOf(const DemoRequest& request, DemoSet set)
{
    const Counts counts = countsOf(request, set);
    const auto classes = classesOf(set);
    std::vector<Task> tasks;
    for (const Split split : {Split::Training, Split::Validation}) {
        for (size_t label = 0; label < classes.size(); ++label) {
            const fs::path folder = fs::path(request.folder) / demoSetName(set) / splitName(split)
                                    / classes[label];
            for (int64_t i = 0; i < counts.of(split); ++i)
                tasks.push_back({folder / fmt::format("{:04}.{}", i, set == DemoSet::Scenes ? "jpg" : "mp4"), set,
                                 label, split, uint64_t(i)});
        }
    }
    return tasks;
}

void check(const DemoRequest& request)
{
    for (const DemoSet set : request.sets) {
        const Counts counts = countsOf(request, set);
        if (counts.training < 1 || counts.training > 10'000 || counts.validation < 0 || counts.validation > 10'000)
            throw UsageError("demo", "the number of samples is out of range",
                             "give 1 to 10000 for training and 0 to 10000 for validation");
    }
    std::error_code problem;
    if (fs::exists(request.folder, problem) && !fs::is_directory(request.folder, problem))
        throw FileError(request.folder, "is not a folder");
    if (!request.overwrite && fs::is_directory(request.folder, problem) && !fs::is_empty(request.folder, problem))
        throw FileError(request.folder, "is not empty",
                        "give a new folder, or --overwrite to write into this one");
}

/// "0007.jpg" → 7; −1 for other names.
int64_t numberOf(const fs::path& path)
{
    const std::string stem = path.stem().string();
    const bool digits = stem.size() >= 4 && stem.size() <= 5
                        && std::ranges::all_of(stem, [](char c) { return c >= '0' && c <= '9'; });
    return digits ? parseNumber<int64_t>(stem).value_or(-1) : -1;
}

/// Creates the folders, and removes samples of an earlier call beyond the requested numbers.
void prepareFolders(const DemoRequest& request, DemoSet set)
{
    const char* suffix = set == DemoSet::Scenes ? ".jpg" : ".mp4";
    for (const Split split : {Split::Training, Split::Validation}) {
        for (const std::string& name : classesOf(set)) {
            const fs::path folder = fs::path(request.folder) / demoSetName(set) / splitName(split) / name;
            createFolders(folder);
            for (const fs::directory_entry& entry : fs::directory_iterator(folder))
                if (entry.path().extension() == suffix
                    && numberOf(entry.path()) >= countsOf(request, set).of(split))
                    fs::remove(entry.path());
        }
    }
}

std::vector<Clip> readPhotos(const std::string& folder)
{
    DecoderProcess decoder;
    std::vector<Clip> photos;
    for (const ScenePhoto& photo : scenePhotos())
        photos.push_back(decoder.read(fs::path(folder) / (std::string(photo.name) + ".jpg")));
    return photos;
}

void write(const Task& task, const std::vector<Clip>& photos, uint64_t seed)
{
    if (task.set == DemoSet::Scenes) {
        writeJpeg(task.path, renderScene(photos[task.label], {seed, task.label, task.split, task.index}), 0,
                  sceneQuality);
        return;
    }
    const MoveKey key{seed, static_cast<Move>(task.label), task.split, task.index};
    writeVideo(task.path, renderMove(photos[photoOf(key)], key), {moveRate, moveQuality});
}

/// Does the tasks in several threads. The first failure ends it and is thrown.
void workOff(const std::vector<Task>& tasks, int workers, const ProgressCallback& progress,
             const std::stop_token& stop, const std::function<void(const Task&)>& work)
{
    std::atomic<size_t> next = 0;
    std::atomic<bool> failed = false;
    std::mutex mutex;
    int64_t done = 0;
    std::exception_ptr failure;
    const auto takeTurns = [&] {
        try {
            while (!stop.stop_requested() && !failed) {
                const size_t i = next++;
                if (i >= tasks.size())
                    return;
                work(tasks[i]);
                const std::scoped_lock lock(mutex);
                ++done;
                if (progress)
                    progress({demoSetName(tasks[i].set) + "/" + splitName(tasks[i].split) + "/"
                                  + tasks[i].path.parent_path().filename().string(),
                              done, std::ssize(tasks)});
            }
        } catch (...) {
            const std::scoped_lock lock(mutex);
            failed = true;
            if (!failure)
                failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        for (int i = 1; i < workers; ++i)
            others.emplace_back(takeTurns);
        takeTurns();
    }
    if (failure)
        std::rethrow_exception(failure);
    if (next < tasks.size())
        throw Cancelled();
}

std::string readme(const DemoRequest& request)
{
    return fmt::format(
        "# Demo data of Attnscope\n\nMade by `attnscope-cli demo` from twelve photographs, with seed {}. scenes/ "
        "contains crops whose class is the photograph, moves/ short\nclips whose class is the camera movement; "
        "validation shows regions of the photographs that training does not.\n\nThe photographs are public "
        "domain, "
        "CC0 or without known copyright restrictions (astronaut: NASA; brick, gravel: CC0Textures;\ncat, clock: "
        "Stéfan van der Walt; coffee: Rachel Michetti; coins: Brooklyn Museum; galaxies: NASA/HubbleSite; "
        "grass:\nlinolafett; photographer: Lav Varshney; retina: Mikael Häggström; rocket: SpaceX), and so is "
        "everything made from them.\n",
        request.seed);
}

DemoSetReport reportOf(const DemoRequest& request, DemoSet set, const std::vector<Task>& tasks)
{
    DemoSetReport report{set, (fs::path(request.folder) / demoSetName(set)).string(), classesOf(set), 0, 0, 0};
    for (const Task& task : tasks) {
        if (task.set != set)
            continue;
        ++(task.split == Split::Training ? report.training : report.validation);
        report.bytes += int64_t(fs::file_size(task.path));
    }
    return report;
}

}

std::string demoSetName(DemoSet set)
{
    return set == DemoSet::Scenes ? "scenes" : "moves";
}

DemoReport writeDemoData(const DemoRequest& request, const ProgressCallback& progress, std::stop_token stop)
{
    const auto begin = std::chrono::steady_clock::now();
    check(request);
    std::vector<Task> tasks;
    for (const DemoSet set : request.sets) {
        if (set == DemoSet::Moves)
            requireVideoEncoder();
        const auto more = tasksOf(request, set);
        tasks.insert(tasks.end(), more.begin(), more.end());
    }
    const std::vector<Clip> photos = readPhotos(request.photos);
    for (const DemoSet set : request.sets)
        prepareFolders(request, set);
    writeFileAtomically(fs::path(request.folder) / "README.md", readme(request));
    const int workers = request.workers > 0 ? request.workers : usableProcessors();
    workOff(tasks, workers, progress, stop, [&](const Task& task) { write(task, photos, request.seed); });
    DemoReport report;
    report.seed = request.seed;
    for (const DemoSet set : request.sets)
        report.sets.push_back(reportOf(request, set, tasks));
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return report;
}

}
