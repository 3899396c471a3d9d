#include "core/device/gpu_names.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <fstream>
#include <string_view>

namespace attnscope {

namespace {

/// The only GPU whose UUID starts with this.
const InstalledGpu* gpuWith(const std::vector<InstalledGpu>& installed, std::string_view uuid)
{
    const auto begins = [&](const InstalledGpu& gpu) { return gpu.uuid.starts_with(uuid); };
    const auto found = std::ranges::find_if(installed, begins);
    const bool isOne = found != installed.end() && std::none_of(found + 1, installed.end(), begins);
    return isOne ? &*found : nullptr;
}

enum class GpuOrder { ByBus, FastestFirst };

/// Models in the order of CUDA's numbers.
std::vector<std::string> countedModels(const std::vector<InstalledGpu>& installed, GpuOrder order)
{
    const bool alike = std::ranges::all_of(
        installed, [&](const InstalledGpu& gpu) { return gpu.model == installed.front().model; });
    std::vector<std::string> models;
    for (const InstalledGpu& gpu : installed)
        models.push_back(order == GpuOrder::ByBus || alike ? gpu.model : std::string());
    return models;
}

/// The model of a GPU partition: "MIG-GPU-…/1/0" names its GPU, "MIG-…" does not.
std::string modelOfPart(const std::vector<InstalledGpu>& installed, std::string_view uuid)
{
    const InstalledGpu* whole = gpuWith(installed, uuid.substr(0, uuid.find('/')));
    const std::vector<std::string> models = countedModels(installed, GpuOrder::FastestFirst);
    return whole != nullptr ? whole->model : models.empty() ? std::string() : models.front();
}

}

std::string procValue(const std::filesystem::path& path, const std::string& key)
{
    std::ifstream stream(path);
    for (std::string line; std::getline(stream, line);)
        if (const size_t colon = line.find(':'); line.starts_with(key) && colon != std::string::npos)
            return printable(trim(std::string_view(line).substr(colon + 1)));
    return {};
}

std::vector<InstalledGpu> installedGpus(const std::filesystem::path& driver)
{
    std::vector<std::filesystem::path> places;  // 0000:65:00.0
    std::error_code error;
    for (std::filesystem::directory_iterator entry(driver, error), end; !error && entry != end;
         entry.increment(error))
        places.push_back(entry->path());
    std::ranges::sort(places);
    std::vector<InstalledGpu> installed;
    for (const auto& place : places)
        installed.push_back(
            {procValue(place / "information", "GPU UUID"), procValue(place / "information", "Model")});
    return installed;
}

std::vector<std::string> visibleGpuModels(const std::vector<InstalledGpu>& installed,
                                          const std::optional<std::string>& visible,
                                          const std::optional<std::string>& order)
{
    std::vector<std::string> counted = countedModels(installed, order == "PCI_BUS_ID" ? GpuOrder::ByBus
                                                                                      : GpuOrder::FastestFirst);
    if (!visible)
        return counted;
    std::vector<std::string> models;
    for (const std::string_view part : split(*visible, ',')) {
        const std::string_view name = trim(part);
        if (name.starts_with("MIG-")) {
            models.push_back(modelOfPart(installed, name.substr(4)));
            continue;
        }
        if (const auto number = parseNumber<size_t>(name); number && *number < counted.size()) {
            models.push_back(counted[*number]);
            continue;
        }
        const InstalledGpu* gpu = name.starts_with("GPU-") ? gpuWith(installed, name) : nullptr;
        if (gpu == nullptr)
            break;
        models.push_back(gpu->model);
    }
    return models;
}

}
