#include "core/attention/training_free/directions.h"

#include "core/attention/common_options.h"
#include "core/attention/numerics/kept_copies.h"

#include <cmath>
#include <string>
#include <vector>

namespace attnscope {

namespace {

/// Haar-distributed rotations: Qᵀ of a QR of a Gaussian matrix. LAPACK's QR fixes the sign of one entry of each row; with R's diagonal made
/// positive the rows are uniform on the sphere. Published code omits that: harmless for sin and cos, but exp(ω·x) then has a bias that no S
/// removes. gaussian (…,D,D)
at::Tensor rotationOf(const at::Tensor& gaussian)
{
    const auto [q, r] = at::linalg_qr(gaussian);
    return (q * r.diagonal(0, -2, -1).sgn().unsqueeze(-2)).transpose(-1, -2);
}

/// D unit vectors with pairwise products −1/(D−1): (D,D).
at::Tensor simplex(int64_t width, const at::TensorOptions& options)
{
    if (width == 1)
        return at::ones({1, 1}, options);
    const auto d = double(width), root = std::sqrt(d);
    auto rows = std::sqrt(d / (d - 1)) * at::eye(width, options) - (root + 1) / std::pow(d - 1, 1.5);
    rows.select(0, width - 1).fill_(1 / std::sqrt(d - 1));
    rows.select(1, width - 1).fill_(0);
    return rows;
}

/// Rows (…,S,D) of one joint distribution, made of what `normal` draws by its suffix and sizes.
template <typename Normal>
at::Tensor jointRows(const Normal& normal, Directions directions, at::IntArrayRef sizes)
{
    const int64_t samples = sizes[sizes.size() - 2], width = sizes.back();
    std::vector<int64_t> drawn = sizes.vec();
    if (directions == Directions::Sobol) {
        drawn.erase(drawn.end() - 2);
        return sobolDirections(samples, at::special_ndtr(normal(".shift", drawn)));
    }
    // Whole blocks, of which the last is cut.
    drawn[drawn.size() - 2] = (samples + width - 1) / width * width;
    const auto rotations = rotationOf(normal(".directions", drawn).unflatten(-2, {-1, width}));
    const auto lengths = normal(".lengths", drawn).norm(2, -1).slice(-1, 0, samples);
    return directions == Directions::Simplex ? simplexDirections(rotations, lengths)
                                             : orthogonalDirections(rotations, lengths);
}

}

OptionInfo directionsOption()
{
    return advanced(choiceOption("directions", "joint distribution of the random projections",
                                 {{"independent", "as published", {}},
                                  {"orthogonal", "blocks of orthogonal directions", {}},
                                  {"simplex", "blocks of directions that point away from each other", {}},
                                  {"sobol", "quasi-Monte Carlo: a shifted Sobol sequence", {}}}));
}

Directions directionsOf(const AttentionSpec& spec)
{
    const std::string& directions = spec.choice("directions");
    return directions == "orthogonal" ? Directions::Orthogonal
           : directions == "simplex"  ? Directions::Simplex
           : directions == "sobol"    ? Directions::Sobol
                                      : Directions::Independent;
}

at::Tensor sharedSamples(NoiseSource& noise, Directions directions, at::IntArrayRef sizes,
                         const at::TensorOptions& options)
{
    if (directions == Directions::Independent || noise.holds("omega"))
        return noise.sharedNormal("omega", sizes, options);
    return jointRows([&](const std::string& suffix,
                         at::IntArrayRef drawn) { return noise.sharedNormal("omega" + suffix, drawn, options); },
                     directions, sizes);
}

at::Tensor ownSamples(NoiseSource& noise, Directions directions, at::IntArrayRef sizes,
                      const at::TensorOptions& options)
{
    if (directions == Directions::Independent || noise.holds("eps"))
        return noise.normal("eps", sizes, options);
    return jointRows([&](const std::string& suffix,
                         at::IntArrayRef drawn) { return noise.normal("eps" + suffix, drawn, options); },
                     directions, sizes);
}

at::Tensor orthogonalDirections(const at::Tensor& rotations, const at::Tensor& lengths)
{
    return rotations.flatten(-3, -2).slice(-2, 0, lengths.size(-1)) * lengths.unsqueeze(-1);
}

at::Tensor simplexDirections(const at::Tensor& rotations, const at::Tensor& lengths)
{
    return orthogonalDirections(at::matmul(simplex(rotations.size(-1), rotations.options()), rotations), lengths);
}

at::Tensor sobolDirections(int64_t samples, const at::Tensor& shift)
{
    const int64_t width = shift.size(-1);
    auto state = at::zeros({width, 30}, at::kLong);
    at::_sobol_engine_initialize_state_(state, width);
    const auto points = std::get<0>(
        at::_sobol_engine_draw(at::zeros({width}, at::kLong), samples, state, width, 0, at::kDouble));  // (S,D)
    const double edge = std::ldexp(1.0, -24);
    const auto shifted =
        (points + shift.detach().to(at::kCPU, at::kDouble).unsqueeze(-2)).remainder(1.0).clamp(edge, 1 - edge);
    return copiedTo(at::special_ndtri(shifted), shift.options());
}

}
