#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/json.h"
#include "core/lab/attend/attend.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// The header of a dumped-attention file in our terms. Independent of torch.
namespace attnscope {

/// One output that a header describes. A file has one or, as a group file, several for the same q, k, v.
struct DumpedCase {
    std::string name;
    std::string backend;
    Json options = Json::object();
    std::map<std::string, std::string> inputs;  ///< our name of a noise or landmark tensor → its name in the file
    std::string output = "out";
    double float32Difference = 0;  ///< difference of the reference's float32 from its float64
    double tolerance() const { return std::max(1e-5, 20 * float32Difference); }
};

/// The cases in a file's metadata; empty if it names no backend. Throws FileError for a contradictory header.
std::vector<DumpedCase> dumpedCases(const Json& metadata, const std::string& file);

/// Sizes that determine how the options are read.
struct DumpedSizes {
    int64_t width = 1;      ///< D
    int64_t landmarks = 0;  ///< rows of q_land; 0: not in the file
    int64_t epsRows = 0;    ///< rows of eps, as (B,H,rows,D); 0: not in the file
    int64_t features = 0;   ///< rows of omega or of a stored projection; 0: not in the file
};

/// The positions of the tokens of a case.
struct DumpedLayout {
    std::optional<TokenGrid> grid;
    int64_t frames = 1;
    std::optional<int64_t> prefix;     ///< tokens before the grid; empty: what the grid leaves over, at most two
    std::optional<TokenGrid> keyGrid;  ///< of keys with a grid of their own
    int64_t keyPrefix = 0;             ///< tokens before that grid
};

DumpedLayout dumpedLayout(const DumpedCase& described, const std::string& file);

struct TranslatedOptions {
    AttentionSpec spec = AttentionSpec::native();
    std::vector<std::string> notes;
};

/// The specification that a header describes: `segment` is mean-query-key, `side` the side of the landmark grid (samples = side²), `count`
/// the number of segments, `noise_std` a standard deviation for scaled inputs (0 none, 1 unit, D^-¼ library), and eps with R·C rows means R
/// copies. Descriptive keys are skipped; unknown keys are noted. Throws FileError for an invalid value.
TranslatedOptions translateOptions(const DumpedCase& described, const DumpedSizes& sizes, const std::string& file);

}
