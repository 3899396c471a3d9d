#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/progress.h"
#include "core/data/preprocess/clip.h"
#include "core/data/preprocess/video_views.h"
#include "core/run/features/feature_kind.h"
#include "core/run/run_record.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

/// Independent of torch: window and command line both call this one function.
namespace attnscope {

class Classifier;

/// A decoded image, a preprocessed (C,H,W) or (C,T,H,W) array, or the views of a video.
using LoadedInput = std::variant<Clip, FloatArray, VideoViews>;

/// An input that is opened when needed, so that one broken file among many is one entry of `unreadable`.
struct InputSource {
    std::string path;
    std::string kind = "image";
    std::function<LoadedInput()> load;  ///< throws FileError, Cancelled
    /// Of a video: its views as another network than the first takes them; empty: as the first does. Throws the same.
    std::function<VideoViews(const Classifier& network)> views = {};
};

/// A network of a comparison: columns name it by AttentionSpec::checkpoint and AttentionSpec::dtype.
struct ComparedNetwork {
    std::shared_ptr<const Classifier> classifier;  ///< null: it could not be opened
    std::string failure = {};                      ///< why, in one sentence
    std::string checkpoint = {}, dtype = {};       ///< as columns name them; of the first network both are empty
    Checkpoint source = {};
    /// For each class of the first network the same one here, −1: there is none; empty: they cannot be compared. Not of the first.
    std::vector<int64_t> sameClasses = {};
};

struct RunRequest {
    std::vector<AttentionSpec> attention;
    uint64_t seed = 0;
    int64_t seeds = 3;  ///< seeds over which random backends' errors are averaged
    int64_t topK = 5;
    bool latency = true;
    bool memory = true;
    bool error = true;
    bool keepLogits = false;
    int64_t minimumRepetitions = 20;
    double minimumSeconds = 1;  ///< per backend
    /// Features to report; empty: pooled ones of networks without a head, else none.
    std::optional<FeatureKind> features = {};
    bool patchColours = false;  ///< also principal components of the patches' features
    bool recordPasses = true;   ///< on GPUs time passes launched as a whole (a CUDA graph), if possible
};

/// That of a column; null: it is not there.
const ComparedNetwork* networkOf(const AttentionSpec& column, const std::vector<ComparedNetwork>& networks);

/// A comparison in one network, which has to outlive it.
std::vector<ComparedNetwork> onlyNetwork(const Classifier& classifier);

/// One stage of the work on one input, each for every backend before the next starts (`stageOrder`).
enum class RunStage { Predict, Latency, Memory, Error };

/// What tells most of an attention comes first: classes, which the passes of the prediction give; features, which come with the error.
std::array<RunStage, 4> stageOrder(const RunRequest& request, const ModelSummary& model);

/// `input` is the source's position among those given to `run`, whether the ones before it could be read or not.
class RunObserver {
public:
    virtual ~RunObserver() = default;
    /// An input was opened; `record.runs` has one entry per backend, still empty.
    virtual void onInput(size_t input, const InputRecord& record) { (void)input, (void)record; }
    /// The results of `stage` (or its `failure`) were added to a record.
    virtual void onRun(size_t input, size_t run, RunStage stage, const RunRecord& record)
    {
        (void)input, (void)run, (void)stage, (void)record;
    }
    /// View `view` of a video was predicted: it is in record.views, and record.top is for the mean so far. Comes before that backend's
    /// `onRun`.
    virtual void onView(size_t input, size_t run, size_t view, const RunRecord& record)
    {
        (void)input, (void)run, (void)view, (void)record;
    }
    /// Also of an input that was opened and turned out to be damaged later: what was told of it is void.
    virtual void onUnreadable(size_t input, const UnreadableInput& unreadable) { (void)input, (void)unreadable; }
    /// `run` is the current backend.
    virtual void onProgress(size_t input, size_t run, RunStage stage, const Progress& progress)
    {
        (void)input, (void)run, (void)stage, (void)progress;
    }
};

/// A report without inputs: model, device, environment and settings of a run that starts now.
RunReport beginReport(const Classifier& classifier, const RunRequest& request);
RunReport beginReport(const std::vector<ComparedNetwork>& networks, const RunRequest& request);

/// Runs every column on every input, each in its own network, and measures what the request selects (docs/measurements.md). The backends of one input are timed
/// interleaved. A backend that fails (memory, unsupported) gets a `failure`, an input that can't be read an entry of `unreadable`; neither
/// affects the rest. All views of a video are predicted; its classes are those of the mean of their probabilities; latency, memory and
/// error are measured on the middle view (`measuredView`). The approximation error is against exact attention of the same weights, the
/// end-to-end difference against exact attention in the first network. A column whose network is not there, or does not take the input,
/// gets a `failure` too. Throws UsageError for a request that no input could satisfy, Cancelled when stopped (the observer has what was
/// finished).
RunReport run(const std::vector<ComparedNetwork>& networks, const std::vector<InputSource>& inputs,
              const RunRequest& request, RunObserver& observer, std::stop_token stop);
/// The same in one network.
RunReport run(const Classifier& classifier, const std::vector<InputSource>& inputs, const RunRequest& request,
              RunObserver& observer, std::stop_token stop);

}
