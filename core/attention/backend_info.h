#pragma once

#include "core/attention/option.h"
#include "core/figure/marks.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// Independent of torch: the app's controls are built from these.
namespace attnscope {

class AttentionBackend;
class AttentionSpec;
struct AttentionInput;
struct BackendContext;
struct RecordedOptions;

/// What errors are measured against and times are compared with: softmax over all keys.
inline constexpr std::string_view referenceBackend = "softmax";

/// How a backend relates to softmax attention when applied to a network that was trained with softmax.
enum class AttentionKind {
    Exact,          ///< softmax itself
    Approximation,  ///< estimates softmax over all keys
    OtherKernel,    ///< another function of q and k: its error relative to softmax is large by design
    NeedsTraining,  ///< has learned weights, or ignores some keys: useful if the network was trained with it
};

/// "approximation", as spelled in JSON; and as words for a sentence.
const char* toText(AttentionKind kind);
const char* describe(AttentionKind kind);

/// Exponents of the growth of time and peak memory with the number of tokens, everything else fixed.
struct Complexity {
    double time = 1, memory = 1;
};

/// Time and memory of an encoder with a method over those with explicit softmax, as published.
struct PublishedRatio {
    int64_t tokens = 0;
    double time = 0, memory = 0;
};

/// What is proposed before anybody has chosen.
enum class Proposed {
    No,
    ToCompare,  ///< ticked at the very first start
    ToTrain,    ///< that, and what training begins with
};

/// One number of every query or of every key that shows what a method chose: AttentionBackend::tokenMaps. Drawn and written by name, so that
/// nothing else needs to know the method.
struct TokenMapInfo {
    std::string name;   ///< "cluster", of tensors and options: no two methods mean different things by one name
    std::string title;  ///< "Clusters of queries"
    std::string help;   ///< one clause: what the numbers are
    enum class Tokens { Queries, Keys };
    Tokens tokens = Tokens::Queries;
    enum class Kind {
        Value,
        Weight,   ///< a part of a query's weights, which sum to 1
        Category  ///< numbers of classes, from 0
    };
    Kind kind = Kind::Value;
    bool ofQuery = false;  ///< it is that of a single query
};

/// All that the program knows of a method: nothing outside the method's own files goes by its name.
struct BackendInfo {
    std::string name;   ///< "lara"
    std::string title;  ///< "LARA"
    std::string help;   ///< one line
    std::string citation;
    std::string complexity;       ///< "O(C·(N+M)·D)"
    bool random = false;          ///< some of its settings use random numbers
    bool needsReduction = false;  ///< only available in networks with spatial reduction (PVTv2)
    AttentionKind kind = AttentionKind::Approximation;
    Complexity tokenComplexity;  ///< with its default options
    bool landmarks = false;      ///< `samples` counts landmarks: no more than there are tokens
    /// Equal keys share a query's weight evenly; false: some are left out, or estimated otherwise.
    bool everyKey = true;
    /// Class token and registers see all keys by softmax as it is: no option `prefix_attention`.
    bool prefixSeesAll = false;
    /// Refuses keys that are not those of its queries: reduced ones, and frames attended to one by one.
    bool ownKeysOnly = false;
    bool samplesPerQuery = false;  ///< every query draws `samples` of its own
    bool takesBias = false;        ///< adds what a network has to add to the logits (AttentionInput::bias)
    bool takesKeyWeights = true;   ///< AttentionInput::keyLogWeights; false: it refuses them
    bool landmarkMaps = false;     ///< can learn a map behind its landmarks: see `landmarkMapTensors`
    bool normaliser = false;       ///< estimates softmax's normaliser: AttentionBackend::attendPart
    bool exactPrefix = false;      ///< `prefix_attention` is `exact` unless it says otherwise
    SeriesStyle look = {};         ///< in figures; no two methods share a mark or a dash
    std::vector<OptionInfo> options;
    std::shared_ptr<AttentionBackend> (*make)(const AttentionSpec&, const BackendContext&) = nullptr;
    std::vector<TokenMapInfo> tokenMaps = {};  ///< what it chose, as far as it can be drawn

    Proposed proposed = Proposed::No;
    std::vector<std::string> planCandidates = {};  ///< specifications that a plan tries without being asked
    /// Specification for weights trained with softmax (docs/decisions/0011); "": no such use.
    std::string dropIn = {};
    /// Those of the LARA paper for 196 and for 784 tokens; "": it has none.
    std::vector<std::string> paperSettings = {};
    /// Of the LARA paper's table 6: 16 landmarks or samples, RA with one.
    std::vector<PublishedRatio> published = {};

    /// Tensors of a checkpoint that belong to the method, by their name inside a layer's attention; "map.": all of that module.
    std::vector<std::string> parameters = {};
    std::vector<std::string> recordedParameters = {};  ///< the same, of files with recorded tensors alone

    /// The same specification with another number of samples, and with what has to change then; null: nothing has.
    AttentionSpec (*withSamples)(const AttentionSpec& spec, int64_t samples) = nullptr;
    /// Options in the header of a file with recorded tensors which the method spells in its own way, and what reads them.
    std::vector<std::string> recordedOptions = {};
    void (*readRecorded)(RecordedOptions& recorded) = nullptr;
    /// Prepares recorded tensors: returns what the backend is to be made with, and notes what was decided. Null: as they are.
    AttentionSpec (*fitRecorded)(const AttentionSpec& spec, AttentionInput& input,
                                 std::vector<std::string>& notes) = nullptr;
};

/// Every backend, in the order in which they are shown. One explicit table: see backend_info_table.cpp.
const std::vector<BackendInfo>& backends();

/// Adds one that is not known before the program starts (core/attention/plugin), behind all others, which stay where they are in memory. Not
/// while anybody uses the table. Throws UsageError if there is one of that name.
void addBackend(BackendInfo info);

/// Their names, in that order.
std::vector<std::string> backendNames();

/// A method of the literature that is left out on purpose, and why: one clause for an error message.
struct OmittedMethod {
    std::string name, reason;
};
const std::vector<OmittedMethod>& omittedMethods();
/// "`routing` is not offered: its clusters are learned …"; empty for a name that is not one of them.
std::string whyOmitted(std::string_view name);

/// Null when there is none of that name.
const BackendInfo* findBackend(std::string_view name);

/// Null when the backend has no such option.
const OptionInfo* findOption(const BackendInfo& info, std::string_view name);

/// Every map of tokens that some backend has, each name once.
std::vector<TokenMapInfo> tokenMapInfos();

/// Whether a tensor inside a layer's attention ("q_bar_gen.2.weight") belongs to some method: a landmark map, a stored projection.
bool isLearnedParameter(std::string_view name);

/// The look of a backend, by its name and never by its position, so that it keeps it in every figure; a `variantKey` gives that
/// backend's mark with a hole, another shade and a closer dash. `mixed` and `softmax-explicit` have looks of their own; any other unknown name gets `plainStyle`.
SeriesStyle seriesStyle(std::string_view key);

}
