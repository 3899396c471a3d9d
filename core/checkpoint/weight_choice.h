#pragma once

#include "core/checkpoint/pickle/pickle.h"

namespace attnscope {

/// Which dictionary of tensors in a pickle contains the weights.
struct WeightChoice {
    PickleRef dict = 0;
    std::string path;                       ///< "model", "ema.state_dict"; empty for the pickle's own dictionary
    std::vector<std::string> alternatives;  ///< the paths of the others
    std::string prefix;  ///< what is left of `under` behind the path: a beginning of names in the dictionary
    std::vector<std::string> notes;  ///< what was chosen, as text
};

/// Searches a dictionary, three keys deep. The usual keys (`model`, `state_dict`, `model_state`) come first, then the dictionary itself,
/// then a single other key; averaged copies (`model_ema`, …) only if there is nothing else. `under` names another. Throws FileError with
/// the name of `file` if there are no weights, none under `under`, or several and no usual key.
WeightChoice chooseWeights(const PickleGraph& graph, const std::string& file, const std::string& under);

}
