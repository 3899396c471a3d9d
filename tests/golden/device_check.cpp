#include "tests/support/tensors.h"
// Everything that runs on a device against the same in float64 on the CPU, without Qt: for machines that have LibTorch alone.
//
//     device_check DATA_FOLDER [cpu|cuda]
//
// Every attention, forward and backward (in 16 bits: that it is finite); the small networks of DATA_FOLDER with several attentions, by both
// implementations, and on GPUs as CUDA graphs; a few steps of training. Prints what differs and a line for each group; exit code 1 when
// something did.
#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/device/device.h"
#include "core/distributed/nccl_processes.h"
#include "core/run/cuda_graph_pass.h"
#include "core/train/trainer.h"
#include "models/model_family.h"
#include "tests/core/attention/attention_inputs.h"

#include <ATen/Parallel.h>
#include <c10/core/DeviceGuard.h>
#include <torch/csrc/autograd/autograd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace attnscope;
namespace fs = std::filesystem;
using test::Sizes;

/// What came of a group of checks.
struct Score {
    int passed = 0, failed = 0, refused = 0;
    double largest = 0;  ///< of the differences that passed, as a fraction of what was allowed

    void add(const std::string& name, double difference, double allowed)
    {
        if (difference <= allowed) {
            ++passed;
            largest = std::max(largest, difference / allowed);
            return;
        }
        std::printf("FAIL   %-90s %9.2e  (tolerance %.1e)\n", name.c_str(), difference, allowed);
        ++failed;
    }
    void require(const std::string& name, bool holds, const std::string& otherwise)
    {
        if (!holds)
            std::printf("FAIL   %-90s %s\n", name.c_str(), otherwise.c_str());
        ++(holds ? passed : failed);
    }
    /// Counts what `check` adds; a refusal by rule (a method that this network, or this precision, has not) is none.
    template <typename Check>
    void run(const std::string& name, const Check& check)
    {
        try {
            check();
        } catch (const UsageError&) {
            ++refused;
        } catch (const Unsupported&) {
            ++refused;
        } catch (const std::exception& error) {
            require(name, false, std::string(error.what()).substr(0, 300));
        }
    }
    void print(const char* group) const
    {
        std::printf("%-28s %d passed, %d failed, %d refused by rule; at most %.2f of what is allowed\n", group,
                    passed, failed, refused, largest);
        std::fflush(stdout);
    }
};

/// ‖x − y‖ / ‖y‖ of the worst row, where one in a hundred does not count: rounding decides draws, clusters and neighbours anew.
double worstRow(const at::Tensor& x, const at::Tensor& expected)
{
    const auto own = x.to(at::kCPU, at::kDouble).flatten(0, -2),
               other = expected.to(at::kCPU, at::kDouble).flatten(0, -2);
    const auto errors = std::get<0>((own - other).norm(2, -1).sort())
                        / (other.norm() / std::sqrt(double(other.size(0))) + 1e-30);
    return errors[errors.numel() - 1 - errors.numel() / 100].item<double>();
}

double relative(const at::Tensor& x, const at::Tensor& expected)
{
    const auto other = expected.to(at::kCPU, at::kDouble);
    return ((x.to(at::kCPU, at::kDouble) - other).norm() / other.norm()).item<double>();
}

AttentionInput moved(AttentionInput in, const at::Device& device, at::ScalarType type)
{
    for (at::Tensor* x : {&in.q, &in.k, &in.v, &in.keyLogWeights, &in.bias})
        if (x->defined())
            *x = x->to(device, type);
    return in;
}

/// The output, and the gradients of a random linear function of it.
std::vector<at::Tensor> forwardAndBackward(const std::string& spec, AttentionInput in)
{
    for (at::Tensor* x : {&in.q, &in.k, &in.v})
        *x = x->clone().set_requires_grad(true);
    const at::Tensor out = test::attend(spec, in);
    const at::Tensor direction =
        SeededNoise(8, 0).normal("direction", out.sizes(), at::TensorOptions(at::kDouble)).to(out.options());
    std::vector<at::Tensor> all = torch::autograd::grad({(out * direction).sum()}, {in.q, in.k, in.v}, {}, {},
                                                        false, true);
    for (at::Tensor& gradient : all)
        if (!gradient.defined())
            gradient = at::zeros({1, 1}, at::kDouble);
    all.push_back(out.detach());
    return all;
}

std::vector<std::string> attentions()
{
    std::vector<std::string> specs{"softmax:form=explicit",
                                   "performer:center_keys=true,oprf=true",
                                   "performer:features=hyperbolic",
                                   "rfa:samples=32",
                                   "ra:mode=biased",
                                   "ra:mode=mean-key",
                                   "ra:samples=3",
                                   "lara:samples=9,proposal=mixed,beta=2,noise=unit",
                                   "lara:samples=9,weights=balance",
                                   "lara:samples=9,proposal=vmixed"};
    for (const BackendInfo& info : backends())
        if (!info.needsReduction)
            specs.push_back(info.landmarks ? info.name + ":samples=9" : info.name);
    return specs;
}

void checkAttention(const std::string& spec, const at::Device& device, Score& score)
{
    AttentionInput in = test::randomInput({2, 3, 144, 144, 32, 32}, 3);
    in.tokens = {.rows = 12, .columns = 12};
    AttentionInput weighted = in;
    weighted.keyLogWeights = SeededNoise(4, 0).normal("weights", {2, 3, 144}, at::TensorOptions(at::kDouble));
    weighted.keyLogWeights.select(-1, 7).fill_(-std::numeric_limits<double>::infinity());
    AttentionInput biased = in;
    biased.bias = SeededNoise(5, 0).normal("bias", {3, 144, 144}, at::TensorOptions(at::kDouble));
    const std::pair<const char*, AttentionInput> inputs[] = {
        {"", in}, {" with weights of keys", weighted}, {" with a bias", biased}};
    for (const auto& [what, given] : inputs) {
        const std::string name = spec + what;
        const c10::InferenceMode guard;
        at::Tensor expected;
        score.run(name, [&] {
            expected = test::attend(spec, given);
            score.add(name + " float64", worstRow(test::attend(spec, moved(given, device, at::kDouble)), expected),
                      1e-9);
        });
        if (!expected.defined())
            continue;
        const double amplified = spec.starts_with("rfa") || spec.starts_with("nystrom")
                                     ? 10
                                     : 1;  // denominators that nearly vanish, pseudo-inverses
        for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf})
            score.run(name, [&] {
                const at::Tensor out = test::attend(spec, moved(given, device, type));
                const std::string full = name + " " + c10::toString(type);
                score.require(full, out.scalar_type() == type && out.device() == given.q.to(device).device(),
                              "has another type or device");
                score.require(full, isFinite(out), "is not finite");
                if (type == at::kFloat)
                    score.add(full, worstRow(out, expected), 1e-4 * amplified);
            });
    }
    score.run(spec + " gradients", [&] {
        const auto expected = forwardAndBackward(spec, in),
                   own = forwardAndBackward(spec, moved(in, device, at::kDouble));
        for (size_t i = 0; i < own.size(); ++i)
            score.add(spec + " gradient " + std::to_string(i), worstRow(own[i], expected[i]), 1e-8);
    });
}

/// Exact prefix tokens, which 16 bits must not make inexact.
void checkPrefix(const std::string& spec, const at::Device& device, Score& score)
{
    AttentionInput in = test::randomInput({2, 3, 145, 145, 32, 32}, 3);
    in.tokens = in.keyTokens = {.prefix = 1, .rows = 12, .columns = 12};
    for (const auto& [type, allowed] :
         {std::pair{at::kDouble, 1e-9}, {at::kFloat, 1e-4}, {at::kHalf, 0.05}, {at::kBFloat16, 0.05}})
        score.run(spec, [&, type = type, allowed = allowed] {
            const c10::InferenceMode guard;
            const AttentionInput given = moved(in, device, type);
            score.add(spec + " " + c10::toString(type),
                      worstRow(test::attend(spec, given), test::attend(spec, moved(given, at::kCPU, at::kDouble))),
                      allowed);
        });
}

Json jsonOf(const fs::path& file)
{
    std::ifstream stream(file);
    return Json::parse(stream);
}

std::set<fs::path> descriptionsIn(const fs::path& folder)
{
    std::set<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".json" && jsonOf(entry.path()).contains("config"))
            files.insert(entry.path());
    return files;
}

at::Tensor inputFor(const Classifier& network, int64_t batch)
{
    auto shape = network.describe().input;
    shape.insert(shape.begin(), batch);
    return SeededNoise(6, 0).normal("input", shape, at::TensorOptions(at::kDouble));
}

/// Whether a method reads what it has computed in the middle of a pass, which therefore is no CUDA graph.
bool decidesOnHost(const std::string& spec)
{
    static const std::set<std::string> names{"lsh", "clustered", "blocks", "wildcat"};
    return names.count(AttentionSpec::parse(spec).backend()) > 0;
}

void checkNetwork(const fs::path& file, const std::string& spec, const at::Device& device, Score& score)
{
    const std::string name = file.stem().string() + " " + spec;
    score.run(name, [&] {
        const c10::InferenceMode guard;
        const auto description = parseDescription(jsonOf(file).at("config"), file.string());
        const auto reference = description->untrained(3, {.dtype = at::kDouble});
        const at::Tensor input = inputFor(*reference, 2);
        const at::Tensor expected = reference->logits(input, reference->prepare(AttentionSpec::parse(spec), 0));
        struct Way {
            const char* name;
            at::ScalarType type;
            Execution execution;
            double allowed;
        };
        for (const Way& way : {Way{"float64", at::kDouble, Execution::Reference, 1e-6},
                               {"float32", at::kFloat, Execution::Reference, 2e-3},
                               {"float32 optimized", at::kFloat, Execution::Optimized, 2e-3},
                               {"bfloat16", at::kBFloat16, Execution::Optimized, 0.2}}) {
            const std::string full = name + " " + way.name;
            score.run(full, [&] {
                const auto own = description->untrained(
                    3, {.device = device, .dtype = way.type, .execution = way.execution});
                const auto given = input.to(device, way.type);
                const PreparedAttention attention = own->prepare(AttentionSpec::parse(spec), 0);
                const at::Tensor logits = own->logits(given, attention);
                score.require(full, logits.device().type() == device.type(),
                              "leaves its logits on another device");
                score.add(full, relative(logits, expected),
                          spec.ends_with("weights=int8") ? std::max(way.allowed, 0.05) : way.allowed);
                if (const PassRecorder recorder = passRecorder(given.device());
                    recorder && way.execution == Execution::Optimized) {
                    const Recording recording = recorded(recorder, *own, attention, given, {});
                    score.require(full + " as a CUDA graph", recording.pass != nullptr || decidesOnHost(spec),
                                  recording.note);
                    if (recording.pass)
                        score.add(full + " as a CUDA graph", relative(recording.pass->logits(), logits),
                                  way.type == at::kFloat ? 1e-4 : 0.05);
                }
            });
        }
    });
}

class Losses : public TrainingObserver {
public:
    void onStep(const TrainingStep& step) override { values.insert(values.end(), {step.loss, step.gradientNorm}); }
    std::vector<double> values;
};

/// Losses and norms of gradients of a few steps on random images.
std::vector<double> trained(const fs::path& file, const std::string& spec, const ModelSetup& setup, bool distil)
{
    const auto description = parseDescription(jsonOf(file).at("config"), file.string());
    TrainingParts parts;
    parts.student = description->untrained(0, setup);
    parts.attention = AttentionSpec::parse(spec);
    if (distil) {
        const auto teacher = description->untrained(9, setup);
        parts.teacher = Teacher{teacher, teacher->prepare(AttentionSpec::native(), 0)};
    }
    parts.plan.batch = 8;
    parts.plan.epochs = 1;
    parts.plan.workers = 1;
    parts.plan.average = 0.9;
    parts.average = description->untrained(0, setup);
    parts.training.labels = {0, 1, 2, 3, 0, 1, 2, 3, 3, 2, 1, 0, 3, 2, 1, 0, 0, 0, 1, 1, 2, 2, 3, 3};
    parts.training.names.assign(parts.training.labels.size(), "random");
    const auto shape = description->input();
    parts.training.makeLoader = [shape] {
        return [shape](int64_t sample, uint64_t) {
            FloatArray image{shape, {}};
            const at::Tensor values = SeededNoise(11, 0, {uint64_t(sample)})
                                          .normal("image", {1, c10::multiply_integers(shape)},
                                                  at::TensorOptions(at::kFloat))
                                          .contiguous();
            image.values.assign(values.const_data_ptr<float>(), values.const_data_ptr<float>() + values.numel());
            return image;
        };
    };
    Losses losses;
    Trainer(std::move(parts), losses).runEpoch(1, {});
    return losses.values;
}

void checkTraining(const fs::path& file, const std::string& spec, bool distil, const at::Device& device,
                   Score& score)
{
    const std::string name = file.stem().string() + " " + spec + (distil ? ", distilled" : "")
                             + ", loss and gradient";
    score.run(name, [&] {
        const auto expected = trained(file, spec, {.dtype = at::kDouble}, distil),
                   own = trained(file, spec, {.device = device}, distil);
        score.require(name, own.size() == expected.size() && own.size() == 6, "has another number of steps");
        for (size_t i = 0; i < std::min(own.size(), expected.size()); ++i)
            score.add(name + " " + std::to_string(i), std::abs(own[i] - expected[i]) / std::abs(expected[i]),
                      1e-3);
    });
}

/// NCCL's functions as they are declared here, in a group of this process alone.
void checkNccl(const at::Device& device, Score& score)
{
    const nccl::Loaded library = nccl::load();
    score.require("NCCL", library.functions.has_value(), library.reason);
    if (!library.functions)
        return;
    const nccl::Functions& functions = *library.functions;
    const c10::OptionalDeviceGuard guard(device);
    nccl::GroupId id{};
    nccl::Group* group = nullptr;
    score.require("NCCL's group", functions.makeId(&id) == 0 && functions.join(&group, 1, id, 0) == 0,
                  "cannot be joined");
    for (const auto& [dtype, type] :
         {std::pair{at::kFloat, nccl::Type::Float}, {at::kDouble, nccl::Type::Double}}) {
        const at::Tensor values = at::arange(1000, at::TensorOptions(device).dtype(dtype)),
                         sum = at::zeros_like(values), copy = at::zeros_like(values);
        const bool done = functions.allReduce(values.data_ptr(), sum.data_ptr(), 1000, type, nccl::Reduction::Sum,
                                              group, nullptr)
                              == 0
                          && functions.broadcast(values.data_ptr(), copy.data_ptr(), 1000, type, 0, group, nullptr)
                                 == 0;
        score.require("NCCL's sum and broadcast", done && sum.equal(values) && copy.equal(values),
                      "are something else");
    }
    score.require("NCCL's end", functions.abort(group) == 0, functions.explain(1));
}

int run(const fs::path& data, const at::Device& device)
{
    Score alone;
    for (const std::string& spec : attentions())
        checkAttention(spec, device, alone);
    for (const char* spec :
         {"performer:prefix_attention=exact", "performer:prefix_attention=rows",
          "performer:prefix_attention=exact,logz=tangent", "lara:samples=9,prefix_attention=exact",
          "lara:samples=9,prefix_attention=rows", "lara:samples=9,weights=balance,prefix_attention=exact",
          "lara:samples=9,prefix_attention=exact,logz=tangent"})
        checkPrefix(spec, device, alone);
    alone.print("Attention alone");

    Score networks;
    const std::set<std::string> thorough{"deit_tiny_cfg", "pvtv2_sra_tiny_cfg",
                                         "motionformer_trajectory_tiny_cfg"};
    for (const fs::path& folder : {data / "models", data / "vit"})
        for (const fs::path& file : descriptionsIn(folder))
            for (const std::string& spec : thorough.count(file.stem().string()) > 0
                                               ? attentions()
                                               : std::vector<std::string>{"performer", "lara:samples=9"})
                checkNetwork(file, spec, device, networks);
    for (const fs::path& folder : {data / "models", data / "vit"})
        for (const fs::path& file : descriptionsIn(folder))
            for (const char* spec : {"native", "native;tokens=tome:r=2", "native;weights=int8"})
                checkNetwork(file, spec, device, networks);
    networks.print("Networks");

    Score training;
    for (const auto& [model, spec] :
         std::vector<std::pair<const char*, const char*>>{{"deit_tiny_cfg", "softmax"},
                                                          {"deit_tiny_cfg", "lara:samples=4,proposal=mixed"},
                                                          {"deit_tiny_cfg", "performer"},
                                                          {"deit_tiny_cfg", "rfa:samples=16"},
                                                          {"evit_softmax_tiny_cfg", "lara:samples=9"},
                                                          {"pvtv2_sra_tiny_cfg", "sra"},
                                                          {"pvtv2_lara_tiny_cfg", "lara:samples=4"},
                                                          {"motionformer_trajectory_tiny_cfg", "softmax"},
                                                          {"motionformer_trajectory_tiny_cfg", "performer"},
                                                          {"motionformer_divided_tiny_cfg", "softmax"}})
        for (const bool distil : {false, true})
            checkTraining(data / "models" / (std::string(model) + ".json"), spec, distil, device, training);
    training.print("Training");

    Score together;
    if (device.is_cuda()) {
        checkNccl(device, together);
        together.print("Processes");
    }
    return alone.failed + networks.failed + training.failed + together.failed == 0 ? 0 : 1;
}

}

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "usage: device_check DATA_FOLDER [cpu|cuda]\n");
        return 2;
    }
    try {
        at::set_num_threads(1);  // tiny tensors
        return run(argv[1], at::Device(resolveDevice(argc > 2 ? argv[2] : "cpu")));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "device_check: %s\n", error.what());
        return 1;
    }
}
