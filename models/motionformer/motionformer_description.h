#pragma once

#include "core/attention/attention_spec.h"
#include "core/attention/token_layout.h"
#include "core/base/json.h"
#include "models/blocks/mlp_width.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace attnscope {

class AttentionBackend;
struct BackendContext;

enum class SpaceTime {
    Trajectory,  ///< softmax over space in each frame, then along the trajectory over time
    Joint,       ///< one attention over all tokens
    Divided,     ///< time attention, then space attention, each with its own weights
};

/// What the second softmax of trajectory attention sums.
enum class TemporalValue {
    Spatial,    ///< the results of the first softmax: all released weights (USE_ORIGINAL_TRAJ_ATTN_CODE)
    Projected,  ///< W_v applied to them, as in the paper
};

enum class PositionForm {
    Separate,  ///< pos_embed of a frame plus temp_embed of its time: all released weights
    Joint,     ///< a single st_embed for all tokens
};

/// How multiply-adds are counted.
enum class Counting {
    Computed,   ///< as computed by this program, with the temporal step folded
    Published,  ///< as computed by the authors' code
};

/// A Motionformer as data: the content of JSON descriptions and the catalogue.
struct MotionformerDescription {
    std::string name;  ///< in the catalogue, or of the file
    int64_t imageHeight = 224, imageWidth = 224;
    int64_t frames = 16;        ///< per clip
    int64_t frameInterval = 4;  ///< distance between frames of the clip, in frames of the video
    int64_t tubelet = 2;        ///< frames per token
    int64_t patchSize = 16;
    int64_t width = 768;  ///< C
    int64_t depth = 12;
    int64_t heads = 12;
    std::vector<int64_t> classifierHeads{400};  ///< one head; Epic-Kitchens has two, verbs and nouns
    SpaceTime spaceTime = SpaceTime::Trajectory;
    TemporalValue temporalValue = TemporalValue::Spatial;
    PositionForm position = PositionForm::Separate;
    bool preLogits = true;  ///< tanh layer before the head
    double layerNormEps = 1e-6;
    double mlpRatio = 4;
    bool qkvBias = true;
    AttentionSpec attention = AttentionSpec::parse("softmax");  ///< of the replaceable part: see `replaced`
    int64_t evaluationResize = 224;                             ///< short side
    std::vector<std::string> labels;

    int64_t times() const { return frames / tubelet; }  ///< T'
    int64_t rows() const { return imageHeight / patchSize; }
    int64_t columns() const { return imageWidth / patchSize; }
    int64_t places() const { return rows() * columns(); }      ///< P
    int64_t tokens() const { return 1 + times() * places(); }  ///< with the class token
    int64_t hidden() const { return mlpWidth(width, mlpRatio); }
    int64_t headDim() const { return width / heads; }
    int64_t classes() const;
    /// The side of the grid of the position embeddings, whatever the crop: that for 224 pixels.
    int64_t positionSide() const { return 224 / patchSize; }

    /// Computed from the description; equal to the number in its checkpoint, including the unused 2-D embedding.
    int64_t parameters() const;
    /// Multiply-adds for one view, with the backends of its layers.
    double multiplyAdds(const std::vector<std::shared_ptr<AttentionBackend>>& layers, Counting counting) const;
    double multiplyAdds(Counting counting) const;  ///< with its own attention
    /// Those of one layer, and of the head.
    double blockMultiplyAdds(const AttentionBackend& backend, Counting counting) const;
    double headMultiplyAdds() const;

    /// What a backend is created and counted for: queries of all patches and keys of every frame (trajectory), all tokens (joint), patches
    /// and class token of one frame (divided).
    BackendContext context() const;
    AttentionShape attentionShape() const;
    /// "the spatial softmax, for each frame": what a backend replaces.
    std::string replaced() const;

private:
    double outsideAttention(Counting counting) const;  ///< of one layer
};

const char* toText(SpaceTime spaceTime);

/// The keys of the golden cases' `config`: crop, frames, tubelet, patch, embed_dim, depth, num_heads, attn (trajectory, joint, divided),
/// use_original_traj_attn_code, approx (none, nystrom, orthoformer, performer) with landmarks, or attention (our grammar), pos_embed
/// (separate, joint), use_mlp_head, head_act, num_classes (a number, or a list with one per head), ln_eps, mlp_ratio, qkv_bias, act, and
/// frame_interval. Throws UsageError naming the key if it is missing, unknown or invalid.
MotionformerDescription parseMotionformerDescription(const Json& config, const std::string& subject);

Json toJson(const MotionformerDescription& description);

}
