#pragma once

#include "core/attention/numerics/fallbacks.h"
#include "core/measure/approximation_error.h"
#include "core/measure/latency.h"
#include "core/measure/memory.h"
#include "core/run/classifier.h"
#include "core/run/compare.h"
#include "core/run/cuda_graph_pass.h"
#include "core/run/features/feature_drift.h"
#include "core/run/observers.h"
#include "core/run/predictions.h"

#include <ATen/ATen.h>

#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

/// An input as fed to the network: one tensor, or one for each view of a video.
struct InputViews {
    size_t count = 1;
    size_t measured = 0;                            ///< the view on which latency, memory and error are measured
    std::function<NetworkInput(size_t)> load = {};  ///< one sample
    std::string failure = {};                       ///< why the network does not take it; else empty
};

/// All columns on one input: the only place that measures. Each stage runs every backend before the next starts; a backend that fails gets
/// its message and is left out of the rest.
class InputRun {
public:
    /// `recorder` of passes: if it is not to be the device's.
    InputRun(const std::vector<ComparedNetwork>& networks, const RunRequest& request, RunObserver& observer,
             std::stop_token stop, size_t index, std::optional<PassRecorder> recorder = {});

    /// Predicts every view, measures one, and fills `record.runs`. `views`: as each network takes them.
    void measure(const std::vector<InputViews>& views, InputRecord& record);

private:
    struct Alternative {
        size_t network = 0;
        std::optional<PreparedAttention> prepared;  // empty if it could not be prepared
        std::unique_ptr<CudaGraphPass> recorded;    // while measuring latency on a GPU
        ViewMean mean;                              // of probabilities
        ViewMean features;                          // of features
        Cancellation cancellation;                  // over all views
        AllowedPairs allowed;                       // the same, of sparse attentions
        FallbackTally fallbacks;                    // the same
    };
    /// The exact pass that is the reference for errors, created on first use.
    struct Reference {
        PreparedAttention prepared;
        std::vector<at::Tensor> blocks;
        at::Tensor logits;
        std::optional<ExactFeatures> features;  // if requested
    };
    /// A network with the measured view as it takes it.
    struct Place {
        const ComparedNetwork* network = nullptr;
        std::vector<int64_t> heads;  // number of classes of each head
        NetworkInput input;
        std::map<std::string, Reference>
            references;  // by their specification: a network may have two kinds of keys
    };
    using Work = std::function<void(size_t, RunRecord&)>;

    const Place& placeOf(size_t run) const { return m_places[m_alternatives[run].network]; }
    const Classifier& classifierOf(size_t run) const { return *placeOf(run).network->classifier; }

    void prepare(const std::vector<InputViews>& views, InputRecord& record);
    void forEachBackend(InputRecord& record, RunStage stage, const Work& work);
    bool guarded(size_t run, InputRecord& record, RunStage stage, const Work& work);
    void predictViews(const std::vector<InputViews>& views, InputRecord& record);
    void predict(size_t run, const NetworkInput& input, const InputViews& views, RunRecord& record);
    void predictClasses(size_t run, const at::Tensor& logits, RunRecord& record, ViewPrediction& view);
    void addFeatures(size_t run, const NetworkInput& input, const at::Tensor& output, RunRecord& record);
    static void reportLeftOut(const ViewMean& mean, const std::string& what, const std::string& consequence,
                              RunRecord& record);
    static void reportCancelled(const Cancellation& cancellation, RunRecord& record);
    static void reportEmptyRows(const AllowedPairs& allowed, RunRecord& record);
    std::vector<std::string> labelsFor(size_t run, const RunRecord& record) const;
    void measureLatency(InputRecord& record);
    void measureMemory(size_t run, RunRecord& record);
    void measureError(size_t run, RunRecord& record);
    void measureErrorOfAttention(size_t run, const std::vector<PreparedAttention>& seeds, RunRecord& record);
    void measureEndToEnd(size_t run, const std::vector<PreparedAttention>& seeds, RunRecord& record);
    const Reference& referenceFor(Place& place, const PreparedAttention& prepared);
    /// Of the first network, which columns of others are compared with.
    const Reference& firstReference();
    void timePass(size_t run, TimingSamples& timings);
    /// On GPUs, before the warm-up.
    void recordPass(size_t run, RunRecord& record);
    /// Two passes of each, which are not counted → passes per round. Backends that fail leave `turn`.
    std::vector<int64_t> warmUp(std::vector<size_t>& turn, InputRecord& record);

    const RunRequest& m_request;
    RunObserver& m_observer;
    std::stop_token m_stop;
    size_t m_index;
    std::vector<Place> m_places;  // of the networks
    std::vector<Alternative> m_alternatives;
    PassRecorder m_recorder;  // empty if passes are not recorded
};

}
