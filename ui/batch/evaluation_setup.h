#pragma once

#include "core/attention/attention_spec.h"
#include "core/evaluate/evaluate.h"
#include "models/open_model.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attnscope::ui {

/// An evaluation as the window asks for it: networks on a folder, with attentions that see the same samples.
struct EvaluationSetup {
    ModelRequest model;
    std::vector<ModelRequest> further =
        {};              ///< networks behind it, which attentions name: `;checkpoint=2` is the first of them
    std::string folder;  ///< or a list
    std::string layout = "auto", protocol;
    std::vector<AttentionSpec> attention;  ///< those in one network next to each other
    uint64_t seed = 0;
    int64_t threads = 0;  ///< 0: as many as there are
    int64_t batch = 0;    ///< 0: the usual number of the kind of samples
    int64_t limit = 0;    ///< samples; 0: all
    std::optional<ViewGrid> views;
    std::string cache;  ///< folder of kept crops; of images alone; empty: none
    int64_t cacheBytes = EvaluationRequest().cacheBytes;
    std::string store;
    bool resume = false;
    /// Of a network without a head, known once it is opened: neighbours and a linear probe are evaluated.
    bool features = false;

    /// All of them, the first one first.
    std::vector<ModelRequest> networks() const
    {
        std::vector<ModelRequest> all{model};
        all.insert(all.end(), further.begin(), further.end());
        return all;
    }
};

/// Training samples whose features are used, spread evenly over their folder: more take hours and change little.
constexpr int64_t trainedFeatures = 10'000;

/// What a look into the folder found, and what the evaluation would cost.
struct EvaluationCheck {
    std::shared_ptr<const LabelledSet> data;
    EvaluationEstimate estimate;
    std::string model;  ///< its name
    std::string device;
    bool features = false;                      ///< the network has no head
    std::vector<AttentionSpec> attention = {};  ///< of the networks that can be evaluated
    std::vector<std::string> leftOut = {};      ///< why the others cannot, one sentence each
};

}
