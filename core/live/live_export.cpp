#include "core/live/live_export.h"

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/json_path.h"
#include "core/figure/markup.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace attnscope {

namespace {

FileError cannotWrite(const std::filesystem::path& path)
{
    return FileError(path.string(), std::string("cannot be written: ") + std::strerror(errno),
                     "choose another folder, or free some space");
}

double secondsOf(int64_t tick, const LiveSetting& setting)
{
    return double(tick) * setting.grid.period;
}

Json clipOf(const LiveSetting& setting)
{
    Json clip{{"frames", setting.wish.frames}};
    if (setting.wish.frames > 1)
        clip["interval"] = setting.wish.interval;
    clip["every"] = setting.wish.every;
    clip["seconds"] = setting.grid.span();
    return clip;
}

Json segmentsOf(const Timeline::Row& row, const Timeline& timeline, const LiveSetting& setting)
{
    return jsonList(row.predictions.segments(), [&](const TimelineSegment& segment) {
        return Json{{"begin", secondsOf(segment.begin, setting)},
                    {"end", secondsOf(segment.end, setting)},
                    {"index", segment.index},
                    {"label", timeline.label(segment.index)},
                    {"probability", segment.probability},
                    {"clips", segment.clips}};
    });
}

Json disagreementsOf(const Timeline::Row& row, const Timeline& timeline, const LiveSetting& setting)
{
    return jsonList(disagreements(timeline.rows()[timeline.reference()].predictions, row.predictions),
                    [&](const Disagreement& each) {
                        return Json{{"begin", secondsOf(each.begin, setting)},
                                    {"end", secondsOf(each.end, setting)},
                                    {"index", each.index},
                                    {"reference_index", each.referenceIndex}};
                    });
}

}

std::string csvHeader()
{
    return csvLine({"time_s", "clip_begin_s", "attention", "weights", "class", "label", "probability",
                    "latency_ms", "peak_bytes", "agrees", "failure"});
}

std::string csvRows(const LivePrediction& prediction)
{
    std::string rows;
    const double begin = prediction.frameSeconds.empty() ? prediction.seconds : prediction.frameSeconds.front();
    for (const BackendPrediction& outcome : prediction.predictions) {
        std::vector<std::string> cells{fmt::format("{:.6f}", prediction.seconds), fmt::format("{:.6f}", begin),
                                       outcome.attention, toText(outcome.weights)};
        cells.resize(11);
        if (!outcome.top.empty()) {
            cells[4] = std::to_string(outcome.top.front().index);
            cells[5] = outcome.top.front().label;
            cells[6] = fmt::format("{:.9g}", outcome.top.front().probability);
        }
        if (outcome.failure.empty()) {
            cells[7] = fmt::format("{:.6g}", outcome.latencyMs);
            cells[8] = std::to_string(outcome.peakBytes);
            cells[9] = outcome.agrees ? "1" : "0";
        }
        cells[10] = outcome.failure;
        rows += csvLine(cells);
    }
    return rows;
}

std::string timelineCsv(const Timeline& timeline, const LiveSetting& setting)
{
    std::string text = csvLine({"attention", "begin_s", "end_s", "class", "label", "probability", "clips"});
    for (const Timeline::Row& row : timeline.rows())
        for (const TimelineSegment& segment : row.predictions.segments())
            text += csvLine({row.attention, fmt::format("{:.6f}", secondsOf(segment.begin, setting)),
                             fmt::format("{:.6f}", secondsOf(segment.end, setting)), std::to_string(segment.index),
                             timeline.label(segment.index), fmt::format("{:.9g}", segment.probability),
                             std::to_string(segment.clips)});
    return text;
}

std::string timelineJson(const Timeline& timeline, const LiveSetting& setting, const ScheduleCounts& counts)
{
    Json root{{"source", jsonPath(setting.source)},
              {"model",
               {{"name", setting.model.name},
                {"input", setting.model.input},
                {"weights", jsonPath(setting.model.weightsSource)}}},
              {"device", setting.device},
              {"dtype", setting.dtype},
              {"seed", setting.seed},
              {"transform", setting.transform},
              {"clip", clipOf(setting)},
              {"clips", {{"due", counts.due}, {"predicted", counts.predicted}, {"missed", counts.missed}}}};
    if (!setting.otherWeights.empty())
        root["other_weights"] = jsonList(setting.otherWeights, jsonPath);
    Json backends = Json::array();
    for (size_t i = 0; i < timeline.rows().size(); ++i) {
        const Timeline::Row& row = timeline.rows()[i];
        Json backend{{"attention", row.attention},
                     {"reference", i == timeline.reference()},
                     {"agreement", {{"clips", row.clips}, {"agreed", row.agreed}}}};
        backend["segments"] = segmentsOf(row, timeline, setting);
        if (i != timeline.reference())
            backend["disagreements"] = disagreementsOf(row, timeline, setting);
        backends.push_back(std::move(backend));
    }
    root["backends"] = std::move(backends);
    return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

PredictionLog::PredictionLog(std::filesystem::path path)
    : m_path(std::move(path))
    , m_part(m_path.string() + ".part")
    , m_file(std::fopen(m_part.c_str(), "wb"))
{
    if (!m_file)
        throw cannotWrite(m_path);
    write(csvHeader());
}

PredictionLog::~PredictionLog()
{
    if (!m_file)
        return;
    m_file.reset();
    std::rename(m_part.c_str(), m_path.c_str());
}

void PredictionLog::write(const std::string& text)
{
    const auto now = std::chrono::steady_clock::now();
    const bool flush = now - m_flushed >= std::chrono::seconds(1);
    if (std::fwrite(text.data(), 1, text.size(), m_file.get()) != text.size()
        || (flush && std::fflush(m_file.get()) != 0))
        throw cannotWrite(m_path);
    if (flush)
        m_flushed = now;
}

void PredictionLog::add(const LivePrediction& prediction)
{
    write(csvRows(prediction));
    ++m_predictions;
}

void PredictionLog::close()
{
    if (!m_file)
        return;
    const bool flushed = std::fflush(m_file.get()) == 0 && fsync(fileno(m_file.get())) == 0;
    const bool closed = std::fclose(m_file.release()) == 0;
    if (!flushed || !closed || std::rename(m_part.c_str(), m_path.c_str()) != 0)
        throw cannotWrite(m_path);
}

}
