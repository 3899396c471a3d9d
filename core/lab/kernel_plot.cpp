#include "core/lab/kernel_plot.h"

#include "core/attention/attention_backend.h"
#include "core/attention/shapes.h"
#include "core/lab/kernel_estimates.h"
#include "core/lab/opened_subject.h"
#include "core/lab/reference_file.h"
#include "core/measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attnscope {

namespace {

constexpr int64_t maxPairs = 512;  // of a head: enough for a median

std::vector<double> numbersOf(const at::Tensor& x)
{
    const auto values = x.to(at::kCPU, at::kDouble).contiguous();
    return {values.const_data_ptr<double>(), values.const_data_ptr<double>() + values.numel()};
}

/// x, y (P,D) → P points.
std::vector<KernelPoint> pointsOf(const at::Tensor& x, const at::Tensor& y, const KernelNoise& noise)
{
    const auto samples = double(noise.omega.size(0));
    const auto normX = numbersOf(x.norm(2, -1)), normY = numbersOf(y.norm(2, -1)),
               product = numbersOf((x * y).sum(-1));
    std::vector<KernelPoint> points(normX.size());
    for (size_t p = 0; p < points.size(); ++p)
        points[p] = {.normX = normX[p],
                     .normY = normY[p],
                     .product = product[p],
                     .exact = std::exp(product[p]),
                     .estimates = {}};
    for (size_t f = 0; f < kernelFeatures.size(); ++f) {
        const KernelFeatures features = kernelFeatures[f];
        const auto estimate = numbersOf(kernelEstimate(x, y, noise, features));
        const auto variance = numbersOf(kernelVariance(x, y, features));
        const auto relative = numbersOf(relativeKernelVariance(x, y, features));
        for (size_t p = 0; p < points.size(); ++p)
            points[p].estimates[f] = {estimate[p], variance[p], std::sqrt(relative[p] / samples)};
    }
    return points;
}

at::Tensor read(const ReferenceFile& file, const std::string& name, int64_t dimensions)
{
    const at::Tensor tensor = file.read(name);
    if (tensor.dim() != dimensions || tensor.numel() == 0)
        throw FileError(file.name(), "`" + name + "` is " + describeShape(tensor.sizes()),
                        dimensions == 2 ? "two dimensions are needed: rows and channels"
                                        : "one dimension is needed");
    return tensor;
}

class KernelPlot {
public:
    KernelPlot(const KernelRequest& request, std::stop_token stop)
        : m_request(request)
        , m_stop(std::move(stop))
        , m_drawn(request.seed, 0)
    {
        if (request.samples < 1 || request.norms < 2)
            throw UsageError("", "a kernel plot needs at least one sample and two norms");
        m_report.seed = request.seed;
        m_report.samples = request.samples;
    }

    KernelReport& report() { return m_report; }

    /// q (H,N,D), k (H,M,D) of one layer, scaled as features see them.
    void addLayer(int64_t layer, const at::Tensor& q, const at::Tensor& k)
    {
        prepare(q.size(2));
        const int64_t count = std::min(q.size(1), maxPairs);
        // Fibonacci hashing: keys scattered over the sequence, so that a query does not just meet its own token.
        std::vector<int64_t> queries, keys;
        for (int64_t i = 0; i < count; ++i) {
            queries.push_back(i * q.size(1) / count);
            keys.push_back(int64_t((uint64_t(i) * 2654435761U + 12345U) % uint64_t(k.size(1))));
        }
        const auto query = at::tensor(queries, at::kLong), key = at::tensor(keys, at::kLong);
        for (int64_t head = 0; head < q.size(0); ++head) {
            checkStop(m_stop);
            const auto ofHead = [&](const at::Tensor& x) { return x[head].to(at::kCPU, at::kDouble); };
            addHead({.layer = layer, .head = head, .pairs = count}, ofHead(q), ofHead(k), query, key);
        }
    }

    /// Given pairs x, y (P,D).
    void addPairs(const at::Tensor& x, const at::Tensor& y, const KernelNoise& recorded)
    {
        m_noise = recorded;
        if (m_noise.omega.defined())
            m_report.samples = m_noise.omega.size(0);
        prepare(x.size(1));
        m_report.pairs = pointsOf(x, y, m_noise);
    }

    KernelReport finish()
    {
        double largest = 0;
        for (const KernelHead& head : m_report.heads)
            largest = std::max({largest, head.normQuery, head.normKey});
        for (const KernelPoint& point : m_report.pairs)
            largest = std::max({largest, point.normX, point.normY});
        // Beyond 12, e^(‖x + y‖²) of y = x overflows.
        addCurves(std::clamp(1.25 * largest, 2.0, 12.0));
        return std::move(m_report);
    }

private:
    /// The random numbers, of the first width that there is.
    void prepare(int64_t width)
    {
        if (m_report.width == 0)
            m_report.width = width;
        if (width != m_report.width)
            throw UsageError("",
                             "a layer has heads of " + std::to_string(width) + " channels instead of "
                                 + std::to_string(m_report.width),
                             "the layers of a kernel plot need heads of one width");
        const auto options = at::TensorOptions(at::kDouble);
        if (!m_noise.omega.defined())
            m_noise.omega = m_drawn.sharedNormal("kernel omega", {1, m_report.samples, width}, options)[0];
        if (!m_noise.phase.defined())
            m_noise.phase = m_drawn.uniform("kernel phase", {1, m_report.samples}, options)[0]
                            * (2 * std::numbers::pi);
    }

    void addHead(KernelHead head, const at::Tensor& q, const at::Tensor& k, const at::Tensor& query,
                 const at::Tensor& key)
    {
        head.normQuery = q.norm(2, -1).mean().item<double>();
        head.normKey = k.norm(2, -1).mean().item<double>();
        const auto x = q.index_select(0, query), y = k.index_select(0, key);
        for (size_t f = 0; f < kernelFeatures.size(); ++f) {
            const auto variance = relativeKernelVariance(x, y, kernelFeatures[f]) / double(m_noise.omega.size(0));
            head.relativeStddev[f] = quantile(numbersOf(variance.sqrt()), 0.5);
            head.relativeError[f] = quantile(
                numbersOf((relativeKernelEstimate(x, y, m_noise, kernelFeatures[f]) - 1).abs()), 0.5);
        }
        const int64_t stored = std::min(m_request.pairs, head.pairs);
        if (stored > 0)
            head.points = pointsOf(x.slice(0, 0, stored), y.slice(0, 0, stored), m_noise);
        m_report.heads.push_back(std::move(head));
    }

    /// x along a random unit vector, y along it, against it, or orthogonal to it.
    void addCurves(double largestNorm)
    {
        const auto vectors = m_drawn.sharedNormal("kernel axes", {1, 2, m_report.width},
                                                  at::TensorOptions(at::kDouble))[0];
        const auto along = vectors[0] / vectors[0].norm();
        auto across = vectors[1] - along * (along * vectors[1]).sum();
        const auto length = across.norm().item<double>();
        const auto norms = at::linspace(0, largestNorm, m_request.norms, at::kDouble).unsqueeze(1);  // (P,1)
        for (const KernelAngle angle : kernelAngles) {
            checkStop(m_stop);
            if (angle == KernelAngle::Orthogonal && m_report.width == 1)
                continue;  // nothing is orthogonal to a number
            const auto axis = angle == KernelAngle::Same       ? along
                              : angle == KernelAngle::Opposite ? -along
                                                               : across / length;
            m_report.curves.push_back({angle, pointsOf(norms * along, norms * axis, m_noise)});
        }
    }

    const KernelRequest& m_request;
    std::stop_token m_stop;
    SeededNoise m_drawn;
    KernelNoise m_noise;
    KernelReport m_report;
};

/// What the file says the numbers are.
void compareWithFile(const ReferenceFile& file, KernelReport& report)
{
    const auto compare = [&](const std::string& name, const auto& valueOf) {
        std::vector<double> ours;
        for (const KernelPoint& point : report.pairs)
            ours.push_back(valueOf(point));
        file.compare(name, at::tensor(ours, at::kDouble), report.expected);
    };
    compare("exact", [](const KernelPoint& point) { return point.exact; });
    for (size_t f = 0; f < kernelFeatures.size(); ++f) {
        const std::string name = toText(kernelFeatures[f]);
        compare("estimate." + name, [f](const KernelPoint& point) { return point.estimates[f].estimate; });
        compare("variance." + name, [f](const KernelPoint& point) { return point.estimates[f].variance; });
    }
}

/// Of a file of pairs.
std::optional<KernelReport> plotPairs(const TensorFile& dump, const KernelRequest& request,
                                      const std::stop_token& stop)
{
    const ReferenceFile file(dump);
    if (!file.has("x") || !file.has("y") || file.has("q"))
        return {};
    KernelPlot plot(request, stop);
    const double root = std::sqrt(dump.temperature);
    const auto x = read(file, "x", 2) * root, y = read(file, "y", 2) * root;
    KernelNoise recorded;
    if (file.has("omega"))
        recorded.omega = read(file, "omega", 2);
    if (file.has("omega") && file.has("phase"))
        recorded.phase = read(file, "phase", 1);
    plot.addPairs(x, y, recorded);
    if (dump.temperature == 1)
        compareWithFile(file, plot.report());
    plot.report().source = file.name();
    plot.report().temperature = dump.temperature;
    return plot.finish();
}

KernelReport plotLayers(const OpenedSubject& subject, const KernelRequest& request, const std::stop_token& stop)
{
    KernelPlot plot(request, stop);
    subject.describe(plot.report(), request.seed);
    const InputSource& input = subject.onlyInput();
    const NetworkInput view = openMeasuredView(input, *subject.network);
    PreparedAttention exact = subject.network->prepare(subject.exact(request.seed), request.seed);
    exact.drawFor(view.samples);
    LayerVisitor visitor(stop, [&](int64_t layer, const AttentionInput& in, const at::Tensor&) {
        const auto scaled = [&](const at::Tensor& x) {
            return scaledInput(subject.isNetwork ? x[0].to(at::kDouble) : x[0], in.scale);
        };
        plot.addLayer(layer, scaled(in.q), scaled(in.k));
    });
    subject.network->logits(view.values, exact, &visitor);
    if (plot.report().model)
        plot.report().model->inputs.push_back({.path = input.path, .kind = input.kind});
    return plot.finish();
}

}

const char* toText(KernelFeatures features)
{
    constexpr std::array names{"positive", "hyperbolic", "trigonometric", "cosine"};
    return names[size_t(features)];
}

const char* toText(KernelAngle angle)
{
    constexpr std::array names{"same", "orthogonal", "opposite"};
    return names[size_t(angle)];
}

const char* describe(KernelAngle angle)
{
    constexpr std::array words{"y = x", "y ⊥ x", "y = −x"};
    return words[size_t(angle)];
}

KernelReport plotKernel(const LabSubject& subject, const KernelRequest& request, std::stop_token stop)
{
    return onSubject(subject, [&] {
        if (const auto* file = std::get_if<TensorFile>(&subject))
            if (auto pairs = plotPairs(*file, request, stop))
                return *std::move(pairs);
        return plotLayers(openSubject(subject, TensorLayers::Apart), request, stop);
    });
}

}
