#include "core/lab/decode/decode_output.h"

#include "core/base/format.h"
#include "core/base/json_path.h"
#include "core/figure/series_keys.h"
#include "core/lab/decode/stream_spec.h"
#include "core/run/measures.h"
#include "core/run/record_json.h"

namespace attnscope {

namespace {

Json pointJson(const DecodePoint& point)
{
    Json time = attnscope::toJson(point.latency);
    for (const char* key : {"attention_median", "attention_p05", "attention_p95"})
        time.erase(key);
    time["mean"] = point.meanMs;
    return {{"position", point.position},      {"time_ms", std::move(time)},
            {"state_bytes", point.stateBytes}, {"macs", point.multiplyAdds},
            {"mse", finiteOrNull(point.mse)},  {"relative", finiteOrNull(point.relative)}};
}

Json impulseJson(const ImpulsePoint& point)
{
    return {{"lag", point.lag}, {"weight", finiteOrNull(point.weight)}, {"state", finiteOrNull(point.state)}};
}

Json rowJson(const DecodeRow& row)
{
    Json json{{"mechanism", row.mechanism}, {"name", row.name}, {"title", row.title}};
    json["exponents"] = {{"time", finiteOrNull(row.timeExponent)}, {"state", finiteOrNull(row.stateExponent)}};
    json["break_even"] = {{"time", finiteOrNull(row.breakEvenTime)},
                          {"state", finiteOrNull(row.breakEvenState)},
                          {"macs", finiteOrNull(row.breakEvenWork)}};
    json["parallel"] = {{"tokens", row.parallel.tokens},
                        {"max_abs_diff", finiteOrNull(row.parallel.maximumDifference)}};
    json["half_life"] = finiteOrNull(row.halfLife);
    json["points"] = jsonList(row.points, pointJson);
    json["impulse"] = jsonList(row.impulse, impulseJson);
    if (row.name == "compressive")
        json["compression_losses"] = row.losses;
    if (!row.notes.empty())
        json["notes"] = row.notes;
    return json;
}

std::vector<std::string> looksOf(const DecodeReport& report)
{
    std::vector<std::string> mechanisms;
    for (const DecodeRow& row : report.rows)
        mechanisms.push_back(row.mechanism);
    return looksOfMechanisms(mechanisms);
}

double valueOf(const DecodePoint& point, DecodeMetric metric)
{
    const double values[] = {modelTime(point.latency).mid, double(point.stateBytes), point.relative};
    return values[size_t(metric)];
}

ChartPoint chartPoint(const DecodeRow& row, const DecodePoint& point, DecodeMetric metric)
{
    ChartPoint shown{.x = double(point.position), .y = valueOf(point, metric)};
    if (metric == DecodeMetric::Time)
        shown.low = modelTime(point.latency).low, shown.high = modelTime(point.latency).high;
    shown.title = row.mechanism + ", token " + formatCount(point.position) + ": " + timeText(point.latency)
                  + ", state " + formatBytes(point.stateBytes).text() + ", relative error "
                  + formatError(point.relative);
    return shown;
}

std::string captionOf(const DecodeReport& report)
{
    const DecodeRequest& r = report.request;
    return formatCounted(report.heads, "head") + " of " + formatCount(report.widths.width)
           + " channels, batch 1, one thread, " + r.dtype + ", " + report.device.description + "; "
           + (r.file.empty() ? std::string(toText(r.tokens)) + " tokens." : "dumped tokens.");
}

}

Json toJson(const DecodeReport& report)
{
    const DecodeRequest& r = report.request;
    Json json{{"tokens", r.file.empty() ? Json(toText(r.tokens)) : Json(nullptr)},
              {"file", r.file.empty() ? Json(nullptr) : Json(jsonPath(r.file.string()))},
              {"layer", r.file.empty() ? Json(nullptr) : Json(r.layer)},
              {"heads", report.heads},
              {"width", report.widths.width},
              {"value_width", report.widths.valueWidth},
              {"temperature", r.temperature},
              {"positions", r.positions},
              {"exact", "softmax over the tokens so far, in float64"},
              {"device", writeFields(report.device)},
              {"dtype", r.dtype},
              {"seed", r.seed},
              {"environment", writeFields(report.environment)}};
    json["rows"] = jsonList(report.rows, rowJson);
    if (!report.complete)
        json["interrupted"] = true;
    return json;
}

std::vector<std::string> looksOfMechanisms(const std::vector<std::string>& mechanisms)
{
    std::vector<std::string> names;
    for (const std::string& mechanism : mechanisms) {
        const std::string name = mechanism.substr(0, mechanism.find(':'));
        const StreamInfo* known = findStream(name);
        names.push_back((known == nullptr || known->look.empty() ? name : known->look)
                        + mechanism.substr(name.size()));
    }
    return seriesKeys(names);
}

Chart decodeChart(const DecodeReport& report, DecodeMetric metric)
{
    constexpr const char* titles[] = {"Time of one token vs. position", "State vs. position",
                                      "Error vs. position"};
    constexpr const char* axes[] = {"time of one token", "state", "relative error"};
    constexpr AxisNumbers numbers[] = {AxisNumbers::Milliseconds, AxisNumbers::Bytes, AxisNumbers::Plain};
    const auto index = size_t(metric);
    Chart chart{.title = titles[index], .caption = captionOf(report)};
    chart.x = {.title = "position", .scale = AxisScale::Log, .numbers = AxisNumbers::Quantity};
    chart.y = {.title = axes[index], .scale = AxisScale::Log, .numbers = numbers[index]};
    const std::vector<std::string> looks = looksOf(report);
    for (size_t i = 0; i < report.rows.size(); ++i) {
        const DecodeRow& row = report.rows[i];
        ChartSeries series{.name = row.mechanism, .backend = looks[i]};
        // The cache's error is rounding.
        if (metric != DecodeMetric::Error || row.name != "cache")
            for (const DecodePoint& point : row.points)
                if (valueOf(point, metric) > 0)
                    series.points.push_back(chartPoint(row, point, metric));
        if (!series.points.empty())
            chart.series.push_back(std::move(series));
    }
    return chart;
}

Chart impulseChart(const DecodeReport& report)
{
    Chart chart{.title = "Weight of a token in later outputs", .caption = captionOf(report)};
    chart.x = {.title = "tokens later, plus one", .scale = AxisScale::Log, .numbers = AxisNumbers::Whole};
    chart.y = {.title = "weight", .scale = AxisScale::Linear};
    const std::vector<std::string> looks = looksOf(report);
    for (size_t i = 0; i < report.rows.size(); ++i) {
        const DecodeRow& row = report.rows[i];
        ChartSeries series{.name = row.mechanism, .backend = looks[i]};
        for (const ImpulsePoint& point : row.impulse)
            series.points.push_back({.x = double(point.lag + 1),
                                     .y = point.weight,
                                     .title = row.mechanism + ", " + formatCount(point.lag)
                                              + " tokens later: " + formatError(point.weight)});
        if (!series.points.empty())
            chart.series.push_back(std::move(series));
    }
    return chart;
}

}
