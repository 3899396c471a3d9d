#pragma once

#include "core/attention/attention_backend.h"
#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/device/torch_problem.h"
#include "core/lab/layers/inspect.h"
#include "core/run/classifier.h"
#include "core/run/compare.h"
#include "core/run/observers.h"

#include <vector>

/// Shared by the instruments of this folder.
namespace attnscope {

/// The measured view of an input, as a batch of one. Throws FileError, UsageError.
NetworkInput openMeasuredView(const InputSource& source, const Classifier& classifier);

/// A query that exists in no layer: an error of the request, not a failure of one attention.
class QueryError : public UsageError {
    using UsageError::UsageError;
};

/// The query's number among `count` tokens. Its row and column are those of the grid `first`. Throws QueryError if there is none.
int64_t queriedToken(const TokenQuery& query, const TokenLayout& tokens, int64_t count, const TokenGrid& first);

/// Rows of equal length as a float32 tensor for a file.
SafetensorsEntry entryOf(const std::vector<std::vector<float>>& rows);

/// A callback that can be called even if none was given.
inline ProgressCallback orSilent(const ProgressCallback& progress)
{
    return progress ? progress : [](const Progress&) {};
}

/// Hands the measured view of each input to `work`. Inputs for which that goes well are added to `inputs`, the others, with the reason, to
/// `unreadable`.
template <typename Work>
void forEachMeasuredView(const std::vector<InputSource>& sources, const Classifier& classifier, const Work& work,
                         std::vector<InputRecord>& inputs, std::vector<UnreadableInput>& unreadable)
{
    for (const InputSource& source : sources) {
        try {
            guardInput(source.path, [&] { work(openMeasuredView(source, classifier)); });
            inputs.push_back({.path = source.path, .kind = source.kind});
        } catch (const Error& error) {
            unreadable.push_back({source.path, error.reason()});
        }
    }
}

}
