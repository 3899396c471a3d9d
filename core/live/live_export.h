#pragma once

#include "core/live/timeline.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace attnscope {

/// What predictions depend on besides the clip.
struct LiveSetting {
    std::string source;  ///< path or URL of the video, name of the camera
    ModelSummary model;
    std::vector<std::string> otherWeights;  ///< of the networks behind the first: `;checkpoint=2` …
    std::string device, dtype, transform;
    uint64_t seed = 0;
    ClipWish wish;
    ClipGrid grid;
};

/// Rows for one prediction in a CSV file: one line per backend. Text that a spreadsheet would execute is escaped.
std::string csvHeader();
std::string csvRows(const LivePrediction& prediction);

/// The timeline as CSV: one line per segment and backend.
std::string timelineCsv(const Timeline& timeline, const LiveSetting& setting);
/// The whole run as JSON: setting, counts, segments, disagreements.
std::string timelineJson(const Timeline& timeline, const LiveSetting& setting, const ScheduleCounts& counts);

/// Predictions as they come, to disk: a file `path`.part that becomes `path` when it is closed. What was written stays readable
/// if the program ends early. Used by one thread.
class PredictionLog {
public:
    /// Throws FileError.
    explicit PredictionLog(std::filesystem::path path);
    ~PredictionLog();
    PredictionLog(const PredictionLog&) = delete;
    PredictionLog& operator=(const PredictionLog&) = delete;

    /// Throws FileError if nothing more can be written.
    void add(const LivePrediction& prediction);
    /// Throws FileError.
    void close();
    int64_t predictions() const { return m_predictions; }

private:
    struct Closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    void write(const std::string& text);

    std::filesystem::path m_path, m_part;
    std::unique_ptr<std::FILE, Closer> m_file;
    int64_t m_predictions = 0;
    std::chrono::steady_clock::time_point m_flushed{};
};

}
