// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Names of GPUs without asking CUDA for them, which would take the first one into use. Free of torch.
namespace attnscope {

/// What NVIDIA's driver says of a GPU.
struct InstalledGpu {
    std::string uuid;   ///< "GPU-5f2c…"
    std::string model;  ///< "NVIDIA H100 80GB HBM3"
};

/// Every GPU of the machine in the order of its place on the bus; none where there is no driver.
std::vector<InstalledGpu> installedGpus(const std::filesystem::path& driver = "/proc/driver/nvidia/gpus");

/// The models of the GPUs that a program sees, in the order in which CUDA counts them, under the values of CUDA_VISIBLE_DEVICES
/// (numbers, UUIDs or their beginnings; the first that fits no GPU ends the list) and CUDA_DEVICE_ORDER (nothing: not set).
/// Without the order PCI_BUS_ID CUDA counts from the fastest GPU on by a measure of its own: what a number means is then known only
/// where all GPUs are of one model, and empty otherwise.
std::vector<std::string> visibleGpuModels(const std::vector<InstalledGpu>& installed, const std::optional<std::string>& visible,
                                          const std::optional<std::string>& order);

}  // namespace attnscope
