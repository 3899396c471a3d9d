#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Names of GPUs without asking CUDA, which would initialise the first one. Independent of torch.
namespace attnscope {

/// The value of the first "key : value" line of a file under /proc.
std::string procValue(const std::filesystem::path& path, const std::string& key);

/// A GPU as reported by NVIDIA's driver.
struct InstalledGpu {
    std::string uuid;   ///< "GPU-5f2c…"
    std::string model;  ///< "NVIDIA H100 80GB HBM3"
};

/// Every GPU of the machine in bus order; none if there is no driver.
std::vector<InstalledGpu> installedGpus(const std::filesystem::path& driver = "/proc/driver/nvidia/gpus");

/// The models of the GPUs visible to a program, in CUDA's order, given the values of CUDA_VISIBLE_DEVICES (numbers, UUIDs or their
/// prefixes; the first that matches no GPU ends the list) and CUDA_DEVICE_ORDER (empty: not set). Unless the order is PCI_BUS_ID CUDA
/// starts with the fastest GPU by its own measure: numbers can then only be resolved if all GPUs are of one model; otherwise the result is
/// empty.
std::vector<std::string> visibleGpuModels(const std::vector<InstalledGpu>& installed,
                                          const std::optional<std::string>& visible,
                                          const std::optional<std::string>& order);

}
