#include "core/lab/networks/network_comparison.h"

#include "core/base/error.h"
#include "core/device/dtype.h"
#include "core/lab/layers/opened_input.h"
#include "core/measure/linear_cka.h"
#include "core/run/observers.h"
#include "core/run/predictions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr int64_t fewestInputs = 4;  // of unbiased CKA

/// The names and outputs of all blocks in a pass.
class NamedBlocks : public StoppableObserver {
public:
    using StoppableObserver::StoppableObserver;
    bool seesActivations() const override { return true; }
    void onActivation(const std::string& name, const at::Tensor& value) override
    {
        if (isBlockOutput(name)) {
            names.push_back(name);
            outputs.push_back(value);
        }
    }
    std::vector<std::string> names;
    std::vector<at::Tensor> outputs;
};

/// One of the two, with what its last pass gave.
struct Side {
    const Classifier& classifier;
    PreparedAttention prepared;
    std::vector<int64_t> heads = headsOf(classifier.describe());
    NamedBlocks last{std::stop_token()};
    at::Tensor logits = {};
    /// Flat outputs of inputs that no features were taken of, [block][input].
    std::vector<std::vector<at::Tensor>> pending = {};

    void pass(const NetworkInput& input, const std::stop_token& stop)
    {
        prepared.drawFor(input.samples);
        last = NamedBlocks(stop);
        logits = classifier.logits(input.values, prepared, &last);
    }
    /// Of the last pass, once both networks have taken the input.
    void keepOutputs()
    {
        pending.resize(last.outputs.size());
        for (size_t block = 0; block < pending.size(); ++block)
            pending[block].push_back(last.outputs[block].reshape({-1}).to(at::kCPU, at::kFloat));
    }
    int64_t pendingInputs() const { return pending.empty() ? 0 : std::ssize(pending.front()); }
    /// Of the first `count` pending inputs, by block.
    std::vector<CkaFeatures> takeFeatures(int64_t count)
    {
        std::vector<CkaFeatures> features;
        for (std::vector<at::Tensor>& block : pending) {
            features.emplace_back(at::stack(at::TensorList(block).slice(0, size_t(count))));
            block.erase(block.begin(), block.begin() + count);
        }
        return features;
    }
};

Side sideOf(const ComparedNetwork& network, const AttentionSpec& attention, uint64_t seed)
{
    return {*network.classifier, network.classifier->prepare(attention.inNetwork(), seed)};
}

class NetworksComparer {
public:
    NetworksComparer(const ComparedNetwork& first, const ComparedNetwork& second,
                     const NetworkComparisonRequest& request, std::stop_token stop)
        : m_first(sideOf(first, request.first, request.seed))
        , m_second(sideOf(second, request.second, request.seed))
        , m_classes(m_second.heads, second.sameClasses)
        , m_batch(std::max(request.batch, fewestInputs))
        , m_stop(std::move(stop))
    {
        m_result.first = m_first.classifier.describe();
        m_result.second = m_second.classifier.describe();
        m_result.firstAttention = m_first.prepared.resolved.canonical();
        m_result.secondAttention = m_second.prepared.resolved.canonical();
        m_result.firstDtype = dtypeName(m_first.classifier.dtype());
        m_result.secondDtype = dtypeName(m_second.classifier.dtype());
        m_result.matchedClasses = m_classes.count();
    }

    NetworkComparison run(const std::vector<InputSource>& sources, const ProgressCallback& progress)
    {
        try {
            for (size_t i = 0; i < sources.size(); ++i) {
                checkStop(m_stop);
                progress({sources[i].path, int64_t(i), std::ssize(sources)});
                addReadable(sources[i]);
                if (m_first.pendingInputs() == m_batch + fewestInputs)  // so that the last batch is not too small
                    addBatch(m_batch);
            }
            addBatch(m_first.pendingInputs());
        } catch (const Cancelled&) {
            if (m_batches == 0)
                throw;
            m_result.complete = false;
        }
        finish();
        return std::move(m_result);
    }

private:
    void addReadable(const InputSource& source)
    {
        try {
            guardInput(source.path, [&] { add(source); });
            m_result.inputs.push_back({.path = source.path, .kind = source.kind});
        } catch (const Error& error) {
            m_result.unreadable.push_back({source.path, error.reason()});
        }
    }

    void add(const InputSource& source)
    {
        InputSource other = source;
        if (source.views)
            other.load = [&]() -> LoadedInput { return source.views(m_second.classifier); };
        const NetworkInput first = openMeasuredView(source, m_first.classifier),
                           second = openMeasuredView(other, m_second.classifier);
        m_first.pass(first, m_stop);
        m_second.pass(second, m_stop);
        m_first.keepOutputs();
        m_second.keepOutputs();
        m_kl += m_classes.divergence(m_first.logits, m_second.logits);
        m_agreeing += m_classes.agree(m_first.logits, m_second.logits) ? 1 : 0;
        m_result.firstBlocks = m_first.last.names;
        m_result.secondBlocks = m_second.last.names;
        addDrift();
    }

    void addDrift()
    {
        const auto sameShape = [](const at::Tensor& a, const at::Tensor& b) { return a.sizes() == b.sizes(); };
        if (!std::ranges::equal(m_first.last.outputs, m_second.last.outputs, sameShape))
            return;
        m_result.drift.resize(m_first.last.outputs.size());
        for (size_t i = 0; i < m_first.last.outputs.size(); ++i)
            m_result.drift[i] += relativeDrift(m_second.last.outputs[i], m_first.last.outputs[i]);
        ++m_drifted;
    }

    void addBatch(int64_t count)
    {
        if (count < fewestInputs)
            return;
        const std::vector<CkaFeatures> first = m_first.takeFeatures(count), second = m_second.takeFeatures(count);
        if (!m_cka)
            m_cka.emplace(std::ssize(first), std::ssize(second));
        m_cka->add(first, second);
        ++m_batches;
    }

    void finish()
    {
        const auto count = double(m_result.inputs.size());
        m_result.kl = m_classes.count() > 0 ? m_kl / count : notANumber;
        m_result.agreement = m_classes.count() > 0 ? double(m_agreeing) / count : notANumber;
        for (double& drift : m_result.drift)
            drift /= double(m_drifted);
        if (!m_cka) {
            m_result.whyNoCka = "CKA compares the features of several inputs; give at least "
                                + std::to_string(fewestInputs);
            return;
        }
        const at::Tensor values = m_cka->values();
        for (int64_t i = 0; i < values.size(0); ++i) {
            const at::Tensor row = values[i].contiguous();
            m_result.cka.emplace_back(row.const_data_ptr<double>(), row.const_data_ptr<double>() + row.numel());
        }
    }

    Side m_first, m_second;
    ComparedClasses m_classes;
    int64_t m_batch;
    std::stop_token m_stop;
    std::optional<CkaMatrix> m_cka;
    int64_t m_batches = 0, m_agreeing = 0, m_drifted = 0;
    double m_kl = 0;
    NetworkComparison m_result;
};

}

NetworkComparison compareNetworks(const ComparedNetwork& first, const ComparedNetwork& second,
                                  const std::vector<InputSource>& inputs, const NetworkComparisonRequest& request,
                                  const ProgressCallback& progress, std::stop_token stop)
{
    const c10::InferenceMode guard;
    return NetworksComparer(first, second, request, std::move(stop)).run(inputs, orSilent(progress));
}

}
