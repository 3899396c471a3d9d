#include "models/vit/vit_weights.h"

#include "core/attention/shapes.h"
#include "models/blocks/random_weights.h"

#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace attnscope {

namespace {

using Shape = std::vector<int64_t>;

/// Visits the parts of a network by its description.
class Visitor {
public:
    Visitor(const VitDescription& description, const WeightVisitor& visit)
        : m_d(description)
        , m_visit(visit)
    {}

    void all(VitWeights& w)
    {
        const int64_t c = m_d.width;
        const bool evit = m_d.family == VitFamily::Evit;
        if (m_d.classToken)
            m_visit("cls_token", {1, 1, c}, w.classToken);
        if (m_d.distilled)
            m_visit("dist_token", {1, 1, c}, w.distillationToken);
        if (m_d.registers > 0)
            m_visit("reg_token", {1, m_d.registers, c}, w.registers);
        if (m_d.positions == VitPositions::Learned)
            m_visit("pos_embed", evit ? Shape{1, m_d.rows(), m_d.columns(), c} : positionShape(m_d), w.position);
        linear("patch_embed.proj", {c, 3, m_d.patchSize, m_d.patchSize}, w.patch, m_d.patchBias);
        norm(m_d.patchNorm, "patch_embed.norm", c, w.patchNorm);
        norm(m_d.preNorm, "norm_pre", c, w.preNorm);
        if (m_d.rope && m_d.rope->kind == VitRope::Kind::Mixed)
            m_visit("rope.freqs", {2, m_d.depth, m_d.heads, m_d.headDim() / 2}, w.frequencies);
        if (m_d.relative && m_d.relative->shared)
            relative("shared_rel_pos.", w.relative);
        for (size_t i = 0; i < w.blocks.size(); ++i)
            block("blocks." + std::to_string(i) + ".", static_cast<int64_t>(i), w.blocks[i]);
        norm(m_d.finalNorm, evit ? "norm_before_pooling" : "norm", c, w.norm);
        norm(m_d.pooledNorm, "fc_norm", m_d.pooledWidth(), w.pooledNorm);
        if (m_d.pool == VitPool::Map)
            pool(w.pool);
        if (m_d.classes == 0)
            return;
        linear("head", {m_d.classes, m_d.pooledWidth()}, w.head);
        if (m_d.distilled)
            linear("head_dist", {m_d.classes, c}, w.distillationHead);
    }

    static Shape positionShape(const VitDescription& d)
    {
        return {1, d.positionPrefix() + d.rows() * d.columns(), d.width};
    }

private:
    void linear(const std::string& name, const Shape& shape, LayerWeights& layer, bool bias = true) const
    {
        visitLayer(m_visit, name, shape, layer, bias);
    }

    void norm(bool there, const std::string& name, int64_t width, LayerWeights& layer) const
    {
        layer.rms = m_d.norm == VitNorm::Rms;
        if (there)
            linear(name, {width}, layer, !layer.rms);
    }

    void scale(bool there, const std::string& name, at::Tensor& gamma) const
    {
        if (there)
            m_visit(name + ".gamma", {m_d.width}, gamma);
    }

    void block(const std::string& prefix, int64_t layer, VitBlockWeights& block) const
    {
        block.attentions.resize(size_t(m_d.branches));
        block.mlps.resize(size_t(m_d.branches));
        if (m_d.block == VitBlock::Parallel)
            parallel(prefix, layer, block.attentions.front(), block.mlps.front());
        else if (m_d.block == VitBlock::Branches)
            branches(prefix, layer, block);
        else {
            plainAttention({prefix + "norm1", prefix + "attn.", prefix + "ls1"}, layer, block.attentions.front());
            plainMlp({prefix + "norm2", prefix + "mlp.", prefix + "ls2"}, block.mlps.front());
        }
        visitAttention(m_visit, prefix + "attn.", block.attention);
    }

    void branches(const std::string& prefix, int64_t layer, VitBlockWeights& block) const
    {
        for (size_t j = 0; j < block.attentions.size(); ++j) {
            const std::string name = prefix + "attns." + std::to_string(j) + ".";
            plainAttention({name + "norm", name + "attn.", name + "ls"}, layer, block.attentions[j]);
        }
        for (size_t j = 0; j < block.mlps.size(); ++j) {
            const std::string name = prefix + "ffns." + std::to_string(j) + ".";
            plainMlp({name + "norm", name + "mlp.", name + "ls"}, block.mlps[j]);
        }
    }

    /// The names of a branch's norm, of what it contains (with a dot), and of its scale.
    struct Names {
        std::string norm, inner, scale;
    };

    void plainAttention(const Names& names, int64_t layer, VitAttentionWeights& w) const
    {
        norm(true, names.norm, m_d.width, w.norm);
        linear(names.inner + "qkv", {m_d.qkvWidth(layer), m_d.width}, w.qkv, m_d.qkvBias == VitQkvBias::All);
        if (m_d.qkvBias == VitQkvBias::QueryValue) {
            m_visit(names.inner + "q_bias", {m_d.width}, w.queryBias);
            m_visit(names.inner + "v_bias", {m_d.keyHeadsOf(layer) * m_d.valueDim()}, w.valueBias);
        }
        betweenProjections(names.inner, w);
        norm(m_d.attentionNorm, names.inner + "norm", m_d.width, w.innerNorm);
        linear(names.inner + "proj", {m_d.width, m_d.width}, w.projection, m_d.projectionBias);
        scale(m_d.scalesAttention(), names.scale, w.scale);
    }

    void betweenProjections(const std::string& name, VitAttentionWeights& w) const
    {
        norm(m_d.queryKeyNorm, name + "q_norm", m_d.headDim(), w.queryNorm);
        norm(m_d.queryKeyNorm, name + "k_norm", m_d.headDim(), w.keyNorm);
        if (m_d.differential) {
            const std::pair<const char*, at::Tensor*> vectors[] = {{"lambda_q1", &w.queries1},
                                                                   {"lambda_k1", &w.keys1},
                                                                   {"lambda_q2", &w.queries2},
                                                                   {"lambda_k2", &w.keys2}};
            for (const auto& [word, vector] : vectors)
                m_visit(name + word, {m_d.headDim()}, *vector);
            w.differenceNorm.rms = true;
            linear(name + "sub_norm", {m_d.valueDim()}, w.differenceNorm, false);
        }
        if (m_d.relative && m_d.relative->kind == VitRelativePositions::Kind::Table)
            m_visit(name + "relative_position_bias_table", {m_d.relativeRows(), m_d.heads}, w.relative.table);
        else if (m_d.relative && !m_d.relative->shared)
            relative(name + "rel_pos.", w.relative);
    }

    void relative(const std::string& name, VitRelativeWeights& w) const
    {
        linear(name + "mlp.fc1", {m_d.relative->hidden, 2}, w.fc1);
        linear(name + "mlp.fc2", {m_d.heads, m_d.relative->hidden}, w.fc2);
    }

    void plainMlp(const Names& names, VitMlpWeights& w) const
    {
        const int64_t hidden = m_d.hidden();
        w.fc1.gated = m_d.mlp == VitMlp::Gated;
        norm(true, names.norm, m_d.width, w.norm);
        linear(names.inner + "fc1", {w.fc1.gated ? 2 * hidden : hidden, m_d.width}, w.fc1, m_d.mlpBias);
        norm(m_d.mlpNorm, names.inner + "norm", hidden, w.innerNorm);
        linear(names.inner + "fc2", {m_d.width, hidden}, w.fc2, m_d.mlpBias);
        scale(m_d.scalesMlp(), names.scale, w.scale);
    }

    void parallel(const std::string& prefix, int64_t layer, VitAttentionWeights& attention,
                  VitMlpWeights& mlp) const
    {
        const int64_t c = m_d.width, hidden = m_d.hidden();
        norm(true, prefix + "in_norm", c, attention.norm);
        linear(prefix + "in_proj", {hidden + m_d.qkvWidth(layer), c}, attention.qkv,
               m_d.qkvBias == VitQkvBias::All);
        if (m_d.qkvBias == VitQkvBias::None)
            m_visit(prefix + "mlp_bias", {hidden}, mlp.fc1.bias);
        betweenProjections(prefix, attention);
        if (m_d.fusedOutput) {
            linear(prefix + "out_proj", {c, c + hidden}, attention.projection);
        } else {
            linear(prefix + "attn_out_proj", {c, c}, attention.projection);
            linear(prefix + "mlp_out_proj", {c, hidden}, mlp.fc2);
        }
        scale(m_d.scalesAttention(), prefix + "ls", attention.scale);
    }

    void pool(VitPoolWeights& w) const
    {
        const int64_t c = m_d.width;
        const std::string name = "attn_pool.";
        m_visit(name + "latent", {1, 1, c}, w.latent);
        linear(name + "q", {c, c}, w.q);
        linear(name + "kv", {2 * c, c}, w.kv);
        linear(name + "proj", {c, c}, w.projection);
        norm(true, name + "norm", c, w.norm);
        linear(name + "mlp.fc1", {m_d.poolHidden(), c}, w.fc1);
        linear(name + "mlp.fc2", {c, m_d.poolHidden()}, w.fc2);
    }

    const VitDescription& m_d;
    const WeightVisitor& m_visit;
};

VitWeights makeWeights(const TensorMaker& make, const VitDescription& d)
{
    VitWeights w;
    w.blocks.resize(size_t(d.depth));
    visitWeights(
        w, d, [&](const std::string& name, const Shape& shape, at::Tensor& value) { value = make(name, shape); });
    if (w.position.defined())
        w.position = w.position.reshape(Visitor::positionShape(d));  // in evit's files: (1, rows, columns, C)
    return w;
}

struct Grid {
    int64_t rows = 0, columns = 0;
};

/// The grid of a stored position embedding. Of (1, rows, C) a grid that nobody remembers is only recognised if it is square.
std::optional<Grid> storedGrid(const VitDescription& d, const Shape& stored)
{
    if (stored.size() == 4 && d.family == VitFamily::Evit && stored[0] == 1 && stored[3] == d.width)
        return Grid{stored[1], stored[2]};
    if (stored.size() != 3 || d.family == VitFamily::Evit || stored[0] != 1 || stored[2] != d.width)
        return std::nullopt;
    const int64_t patches = stored[1] - d.positionPrefix();
    if (d.storedGrid && d.storedGrid->first * d.storedGrid->second == patches)
        return Grid{d.storedGrid->first, d.storedGrid->second};
    const auto side = int64_t(std::llround(std::sqrt(double(std::max<int64_t>(patches, 0)))));
    return side > 0 && side * side == patches ? std::optional(Grid{side, side}) : std::nullopt;
}

at::Tensor takePosition(const VitDescription& d, const Shape& shape, WeightLoader& loader, PositionRule requested)
{
    const Shape stored = loader.shape("pos_embed");
    const auto grid = storedGrid(d, stored);
    const bool same = grid && grid->rows == d.rows() && grid->columns == d.columns();
    if ((stored == shape && (same || !d.storedGrid)) || !grid || grid->rows < 1 || grid->columns < 1)
        return loader.take("pos_embed", shape);
    const PositionRule rule = requested == PositionRule::Own ? d.positionRule : requested;
    const int64_t prefix = d.positionPrefix();
    const auto position = loader.takeAny("pos_embed").reshape({1, prefix + grid->rows * grid->columns, d.width});
    loader.noteResized("pos_embed from " + describeShape({grid->rows, grid->columns}) + " to "
                       + describeShape({d.rows(), d.columns()}) + " (" + describe(rule) + ")");
    return resizePositionEmbedding(position, prefix, grid->rows, grid->columns, d.rows(), d.columns(), rule)
        .reshape(shape);
}

/// Frequencies of axial RoPE at temperature 10, those of row and column turned into each other by an angle of each layer and head (Heo et
/// al., ECCV 2024). shape (2, depth, heads, d/2)
at::Tensor initialFrequencies(const std::string& name, const Shape& shape, uint64_t seed)
{
    const int64_t quarter = std::max<int64_t>(shape[3] / 2, 1);
    const auto sizes = at::pow(10.0, at::arange(quarter, at::kFloat) / -double(quarter));
    const auto angle = uniformNumbers(name, {shape[1], shape[2], 1}, seed) * (2 * std::numbers::pi);
    const auto of = [&](double turned) {
        return at::cat({sizes * (angle + turned).cos(), sizes * (angle + turned + std::numbers::pi / 2).cos()}, 2);
    };
    return at::stack({of(0), of(-std::numbers::pi / 2)}).slice(3, 0, shape[3]).contiguous();
}

at::Tensor initialVitWeight(const std::string& name, const Shape& shape, uint64_t seed)
{
    if (name.ends_with("_bias"))
        return at::zeros(shape);
    if (name.ends_with(".gamma"))
        return at::full(shape, 0.1, at::kFloat);
    return name == "rope.freqs" ? initialFrequencies(name, shape, seed) : initialWeight(name, shape, 0.02, seed);
}

}

ReadoutWeights readoutOf(const VitWeights& weights)
{
    ReadoutWeights readout{weights.norm.defined() ? weights.norm : weights.pooledNorm, {weights.head}};
    if (weights.distillationToken.defined())
        readout.heads.push_back(weights.distillationHead);
    return readout;
}

std::vector<LayerWeights*> linearLayersOfBlocks(VitWeights& weights)
{
    std::vector<LayerWeights*> layers;
    for (VitBlockWeights& block : weights.blocks) {
        for (VitAttentionWeights& attention : block.attentions)
            layers.insert(layers.end(), {&attention.qkv, &attention.projection});
        for (VitMlpWeights& mlp : block.mlps)
            layers.insert(layers.end(), {&mlp.fc1, &mlp.fc2});
    }
    return layers;
}

void visitWeights(VitWeights& weights, const VitDescription& description, const WeightVisitor& visit)
{
    Visitor(description, visit).all(weights);
}

VitWeights loadVitWeights(const VitDescription& description, WeightLoader& loader, PositionRule rule)
{
    const auto make = [&](const std::string& name, const Shape& shape) {
        return name == "pos_embed" ? takePosition(description, shape, loader, rule) : loader.take(name, shape);
    };
    VitWeights weights = makeWeights(make, description);
    for (size_t i = 0; i < weights.blocks.size(); ++i)
        weights.blocks[i].attention = loader.takeLearned("blocks." + std::to_string(i) + ".attn.");
    return weights;
}

VitWeights randomVitWeights(const VitDescription& description, uint64_t seed)
{
    return makeWeights(
        [&](const std::string& name, const Shape& shape) { return initialVitWeight(name, shape, seed); },
        description);
}

}
