#include "core/report/published_accuracy.h"

#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

namespace attnscope {

namespace {

constexpr std::string_view tiny = "deit_tiny_patch16_224", small = "deit_small_patch16_224";

/// Performer's 74.29 of table 1 is of a number of samples that the paper does not say; table 7 has 73.63 of 49 and 74.44 of 196.
constexpr PublishedAccuracy all[] = {
    {tiny, tiny, "softmax", "softmax", 72.20, 1},
    {tiny, tiny, "performer", "performer", 65.92, 1},
    {tiny, tiny, "lara", "lara, 49 samples", 71.48, 1},
    {tiny, tiny, "ra", "ra, unbiased", 71.86, 1},
    {tiny, tiny, "ra", "ra, biased", 72.98, 5},
    {small, small, "softmax", "softmax", 79.90, 1},
    {small, small, "performer", "performer", 74.29, 1},
    {small, small, "performer", "performer, 49 samples", 73.63, 7},
    {small, small, "performer", "performer, 196 samples", 74.44, 7},
    {small, small, "lara", "lara, 49 samples", 79.48, 1},
    {small, small, "lara", "lara, 196 samples", 80.57, 7},
    {small, small, "ra", "ra, unbiased", 80.04, 1},
    {small, small, "ra", "ra, biased", 80.49, 5},
    {small, small, "linformer", "linformer", 76.0, 8},
    {small, small, "nystrom", "nystromformer", 79.3, 8},
    {small, small, "sra", "sra (convolutional)", 74.4, 8},
    {"pvt_v2_b1", "pvt_v2_b1", "sra", "sra", 78.7, 2},
    {"pvt_v2_b1", "pvt_v2_b1_performer", "performer", "performer", 77.3, 2},
    {"pvt_v2_b1", "pvt_v2_b1_lara", "lara", "lara", 79.6, 2},
    {"pvt_v2_b2", "pvt_v2_b2", "sra", "sra", 82.1, 2},
    {"pvt_v2_b2", "pvt_v2_b2_performer", "performer", "performer", 81.0, 2},
    {"pvt_v2_b2", "pvt_v2_b2_lara", "lara", "lara", 82.6, 2},
    {"pvt_v2_b3", "pvt_v2_b3", "sra", "sra", 83.3, 2},
    {"pvt_v2_b3", "pvt_v2_b3_performer", "performer", "performer", 82.4, 2},
    {"pvt_v2_b3", "pvt_v2_b3_lara", "lara", "lara", 83.6, 2},
    {"pvt_v2_b4", "pvt_v2_b4", "sra", "sra", 83.6, 2},
    {"pvt_v2_b4", "pvt_v2_b4_performer", "performer", "performer", 82.7, 2},
    {"pvt_v2_b4", "pvt_v2_b4_lara", "lara", "lara", 84.0, 2},
};

struct PublishedSet {
    std::string_view protocol, column;
    int64_t samples = 0;
};
constexpr PublishedSet sets[] = {
    {"", "imagenet_top1", 50'000},
    {"imagenet", "imagenet_top1", 50'000},
    {"real", "real_top1", 46'837},
    {"imagenet-v2", "v2_top1", 10'000},
    {"imagenet-a", "a_top1", 7'500},
    {"imagenet-r", "r_top1", 30'000},
    {"imagenet-sketch", "sketch_top1", 50'889},
};

/// Null unless a network of 1000 classes was evaluated on all of it.
const PublishedSet* setOf(const StoredEvaluation& evaluation, const Json& network)
{
    const auto* const set = std::ranges::find(sets, evaluation.settings.protocol, &PublishedSet::protocol);
    const bool whole = set != std::end(sets) && evaluation.samples == set->samples
                       && evaluation.state == EvaluationState::Finished && network.is_object()
                       && network.contains("num_classes") && network["num_classes"] == 1000;
    return whole ? set : nullptr;
}

/// Whether `path` contains the name, and not as a part of a longer one.
bool names(std::string_view path, std::string_view name)
{
    const auto extends = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (size_t at = path.find(name); at != std::string_view::npos; at = path.find(name, at + 1)) {
        const size_t end = at + name.size();
        if ((at == 0 || !extends(path[at - 1])) && (end == path.size() || !extends(path[end])))
            return true;
    }
    return false;
}

}

std::optional<double> timmPercent(const StoredEvaluation& evaluation, const StoredRun& run)
{
    const Json network = jsonFromText(evaluation.settings.modelDescription);
    const PublishedSet* set = setOf(evaluation, network);
    if (set == nullptr || run.weights != WeightsKind::Trained)
        return std::nullopt;
    const auto number = [](std::string_view text) { return parseNumber<double>(text).value_or(0); };
    std::vector<std::string_view> columns;
    for (const std::string_view line : split(timmResults, '\n')) {
        const std::vector<std::string_view> cells = split(line, ',');
        if (columns.empty())
            columns = cells;
        else if (cells.size() == columns.size() && names(evaluation.settings.weights, cells[0])
                 && cells[0].substr(0, cells[0].find('.')) == evaluation.settings.model
                 && network.contains("img_size")
                 && network["img_size"] == Json::array({number(cells[1]), number(cells[1])}))
            return number(cells[size_t(std::ranges::find(columns, set->column) - columns.begin())]);
    }
    return std::nullopt;
}

Cell publishedCell(const StoredEvaluation& evaluation, const StoredRun& run)
{
    const auto timm = timmPercent(evaluation, run);
    const PublishedSet* set = setOf(evaluation, jsonFromText(evaluation.settings.modelDescription));
    const bool paper = set != nullptr && set->column == "imagenet_top1" && run.weights == WeightsKind::Trained;
    const auto percent = timm ? timm : paper ? publishedPercent(evaluation.settings.model, run.backend) : timm;
    Cell cell = percent ? percentCell(*percent / 100) : Cell();
    if (percent)
        cell.small = std::string(timm ? timmSource : publishedSource);
    return cell;
}

std::vector<PublishedAccuracy> publishedAccuracies(std::string_view network)
{
    std::vector<PublishedAccuracy> known;
    std::ranges::copy_if(all, std::back_inserter(known),
                         [&](const PublishedAccuracy& one) { return one.network == network; });
    return known;
}

std::optional<double> publishedPercent(std::string_view model, std::string_view backend)
{
    const auto found = std::ranges::find_if(all, [&](const PublishedAccuracy& one) {
        return one.table <= 2 && one.model == model && one.backend == backend;
    });
    return found == std::end(all) ? std::nullopt : std::optional(found->percent);
}

}
