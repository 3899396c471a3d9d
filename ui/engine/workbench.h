#pragma once

#include "core/device/device.h"
#include "core/media/image/image_reader.h"
#include "core/run/attention_fraction.h"
#include "core/run/compare.h"
#include "models/compared_networks.h"
#include "models/open_model.h"
#include "models/weights/inspection.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope::ui {

/// What the window needs to know of a model.
struct ModelMetadata {
    ModelSummary summary;
    Transform transform;
    std::optional<AttentionFraction> arithmetic;  ///< empty where the model does not count its arithmetic
    std::string device;                           ///< that it was resolved to
};

/// A model on its device.
struct OpenedModel : ModelMetadata {
    std::shared_ptr<const Classifier> classifier;   ///< opaque here
    std::shared_ptr<const ModelMetadata> metadata;  ///< for who keeps it, but not the network
};

/// A frame from the middle of a video, turned as a player turns it.
struct Glance {
    Clip frame;
    int64_t width = 0, height = 0;  ///< as stored
    bool turned = false;
    double seconds = 0, rate = 0;  ///< 0: not known
};

/// What the machine and the build offer.
struct Surroundings {
    std::vector<DeviceInfo> devices;
    std::vector<CatalogueEntry> models;
    int64_t threads = 0;
};

/// Looks into files, without model and device. Only one thread uses it.
class FileReader {
public:
    virtual ~FileReader() = default;
    virtual Inspection inspect(const ModelRequest& request) = 0;
    virtual Clip read(const std::string& path, const std::vector<uint8_t>& bytes,
                      const ImageReadOptions& options) = 0;
    virtual bool isVideo(const std::string& path) = 0;
    virtual Glance glance(const std::string& path, const Limits& limits) = 0;
};

/// The calls into core and models that the worker makes. Only the worker thread uses it, and `open` whoever opens a model. Tests bring
/// their own.
class Workbench : public FileReader {
public:
    /// For the thread next to the worker: shares nothing with this one.
    virtual std::unique_ptr<FileReader> reader() = 0;
    virtual Surroundings surroundings() = 0;
    virtual void setThreads(int64_t threads) = 0;
    virtual OpenedModel open(const ModelRequest& request) = 0;
    /// The views of a video that `grid` asks for, as the model's evaluation takes them.
    virtual VideoViews views(const OpenedModel& model, const std::string& path, const ViewGrid& grid,
                             const Limits& limits, std::stop_token stop) = 0;
    /// What openNetworks returns, without hashes of files.
    virtual std::vector<ComparedNetwork> networks(const std::vector<ModelRequest>& checkpoints,
                                                  const std::vector<AttentionSpec>& columns,
                                                  const NetworkOpener& open) = 0;
    virtual RunReport run(const std::vector<ComparedNetwork>& networks, const std::vector<InputSource>& inputs,
                          const RunRequest& request, RunObserver& observer, std::stop_token stop) = 0;
};

/// The real one.
std::unique_ptr<Workbench> coreWorkbench();

}
