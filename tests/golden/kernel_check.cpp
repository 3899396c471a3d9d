// Our own attention kernels against LibTorch's operators on one device, without Qt: for machines that have LibTorch alone.
//
//     kernel_check [cpu|cuda [WORDS]]
//
// With WORDS only cases whose names contain them (as for a sanitizer, which is slow).
// Prints one line a case (largest relative difference from float64, what is allowed, that of the operators) and ends with "N passed, N failed"; exit code 1 when one failed, or when
// there are no kernels for the device in this build.
#include "core/attention/fused/cuda_attention.h"
#include "core/device/device.h"
#include "tests/core/attention/attention_inputs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace attnscope;
using attnscope::test::Sizes;

struct Case {
    std::string spec;
    Sizes sizes;
    int64_t groups = 1;
    at::ScalarType type = at::kFloat;

    std::string name() const
    {
        std::string text = spec;
        for (const int64_t size :
             {sizes.batch, sizes.heads, sizes.queries, sizes.keys, sizes.width, sizes.valueDim})
            text.append(" ").append(std::to_string(size));
        if (groups > 1)
            text.append(" in ").append(std::to_string(groups)).append(" groups");
        return text.append(type == at::kFloat ? "" : " bfloat16");
    }
    bool hasPrefix() const { return spec.find("prefix_attention") != std::string::npos; }
    /// Of a row. Brain floats have 8 bits, and round samples and densities.
    double tolerance() const { return type == at::kFloat ? 5e-5 : hasPrefix() ? 0.05 : 0.04; }
};

AttentionInput inputOf(const Case& one, const at::Device& device)
{
    AttentionInput in = test::randomInput(one.sizes, 3, at::kFloat);
    for (at::Tensor* x : {&in.q, &in.k, &in.v})
        *x = x->transpose(1, 2).contiguous().transpose(1, 2).to(
            device, one.type);  // token by token, as a projection leaves them
    in.keyGroups = one.groups;
    in.tokens.prefix = in.keyTokens.prefix = one.hasPrefix() ? 1 : 0;
    return in;
}

/// Of each row of the output; RA's may take another key where a rounding decides a draw, so that one in five hundred rows does not count.
double worstRow(const at::Tensor& own, const at::Tensor& expected)
{
    const auto wide = own.to(at::kCPU, at::kDouble), other = expected.to(at::kCPU, at::kDouble);
    const auto errors = std::get<0>(
        ((wide - other).norm(2, -1) / other.square().mean(-1).mean().sqrt() / std::sqrt(wide.size(-1)))
            .flatten()
            .sort());
    const auto last = errors.numel() - 1 - errors.numel() / 500;
    return errors[last].item<double>();
}

bool passes(const Case& one, const at::Device& device)
{
    const AttentionInput in = inputOf(one, device);
    AttentionInput wide = test::as(in, at::kDouble);
    const std::string plain = one.spec + (one.spec.find(':') != std::string::npos ? "," : ":") + "kernel=plain";
    const auto expected = test::attend(plain, wide);
    // Where sums of sines and cosines nearly vanish, digits are lost in either way of computing them; the kernels' products are sums of three
    // of tensor cores, with 21 bits where the operators have 24.
    const double operators = one.type == at::kFloat ? worstRow(test::attend(plain, in), expected) : 0;
    const double difference = worstRow(test::attend(one.spec, in), expected),
                 allowed = std::max(one.tolerance(), 8 * operators);
    const bool ok = difference <= allowed;  // false for NaN
    std::printf("%-6s %-80s %9.2e  (allowed %.1e; operators %.1e)\n", ok ? "pass" : "FAIL", one.name().c_str(),
                difference, allowed, operators);
    return ok;
}

std::vector<Case> cases(bool cuda)
{
    std::vector<Case> all;
    const auto types = cuda ? std::vector{at::kFloat, at::kBFloat16} : std::vector{at::kFloat};
    for (const char* spec :
         {"performer", "performer:samples=50,features=hyperbolic", "performer:center_keys=true", "rfa:samples=128",
          "ra", "ra:samples=3", "ra:mode=biased", "ra:mode=biased,noise=unit,samples=2", "ra:mode=mean-key",
          "lara:samples=9", "lara:samples=49,proposal=mixed,beta=2,noise=unit", "lara:samples=100,weights=balance",
          "lara:samples=9,alpha_floor=0"}) {
        for (const Sizes& sizes : {Sizes{2, 3, 197, 197, 64, 64}, Sizes{1, 2, 300, 1300, 32, 24},
                                   Sizes{3, 1, 130, 116, 40, 128}, Sizes{1, 12, 1000, 1000, 128, 64}})
            for (const auto type : types)
                all.push_back({spec, sizes, 1, type});
        all.push_back({spec, {2, 2, 128, 1024, 64, 64}, 8, at::kFloat});
    }
    for (const char* spec :
         {"performer:prefix_attention=exact", "performer:prefix_attention=rows",
          "performer:center_keys=true,prefix_attention=exact", "performer:prefix_attention=exact,logz=tangent",
          "lara:samples=9,prefix_attention=exact", "lara:samples=9,prefix_attention=rows",
          "lara:samples=9,prefix_attention=exact,logz=tangent",
          "lara:samples=100,weights=balance,prefix_attention=exact", "ra:prefix_attention=rows"})
        for (const auto type : types)
            all.push_back({spec, {2, 3, 197, 197, 64, 64}, 1, type});
    for (const int64_t width : {72, 80, 88, 96})  // LARA's have a kernel of their own
        for (const auto type : types)
            for (const char* spec : {"lara:samples=49", "lara:samples=100"})
                all.push_back({spec, {2, 3, 197, 197, width, width}, 1, type});
    return all;
}

int run(const at::Device& device, const std::string& words)
{
    const c10::InferenceMode guard;
    if (device.is_cuda() && cudaAttention(inputOf({"ra", {}}, device)) == nullptr) {
        std::printf("There are no CUDA kernels in this build, or the GPU is older than compute capability 8.0.\n");
        return 1;
    }
    int passed = 0, failed = 0;
    for (const Case& one : cases(device.is_cuda()))
        if (one.name().find(words) != std::string::npos)
            ++(passes(one, device) ? passed : failed);
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}

}

int main(int argc, char** argv)
{
    try {
        return run(at::Device(resolveDevice(argc > 1 ? argv[1] : "cpu")), argc > 2 ? argv[2] : "");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kernel_check: %s\n", error.what());
        return 1;
    }
}
