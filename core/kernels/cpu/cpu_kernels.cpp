#include "core/kernels/cpu/cpu_kernels.h"

#include "core/base/error.h"
#include "core/kernels/cpu/isa/isa_tables.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace attnscope::kernels {

namespace {

constexpr int64_t widestLanes = 16;

int64_t widest(int64_t n)
{
    return (n + widestLanes - 1) / widestLanes * widestLanes;
}

constexpr const char* choiceVariable = "ATTNSCOPE_CPU";

/// An instruction set by its CpuKernels::name, and the names for the levels that limit LibTorch's and oneDNN's own operators to it.
struct InstructionSet {
    std::string_view name;
    const char *torchName, *oneDnnName;
};
constexpr std::array<InstructionSet, 5> instructionSets{{{"portable", "default", "SSE41"},
                                                         {"avx2", "avx2", "AVX2"},
                                                         {"avx512", "avx512", "AVX512_CORE"},
                                                         {"avx512bf16", "avx512", "AVX512_CORE_BF16"},
                                                         {"amx", "avx512", "AVX512_CORE_AMX"}}};

#if defined(__x86_64__)
/// Whether the processor has AMX for bfloat16, and Linux gives this process room for its registers (8 KiB, only on request).
bool mayUseTiles()
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    constexpr unsigned bfloat16 = 1u << 22, tiles = 1u << 24;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (d & bfloat16) == 0 || (d & tiles) == 0)
        return false;
    constexpr int requestPermission = 0x1023,
                  tileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA of <asm/prctl.h>, Linux 5.16
    return ::syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
}
#endif

/// The kernels named by ATTNSCOPE_CPU; null if it is not set or names none that this processor supports.
const CpuKernels* chosenKernels()
{
    const char* const name = std::getenv(choiceVariable);
    if (name == nullptr || *name == '\0')
        return nullptr;
    const auto& supported = supportedCpuKernels();
    const auto found = std::ranges::find_if(
        supported, [&](const CpuKernels* one) { return std::string_view(one->name) == name; });
    return found == supported.end() ? nullptr : *found;
}

/// LibTorch and oneDNN read their variables when their first operators run; both are limited, because LibTorch packs for AMX where oneDNN has it. Set before `main`, so that no program can be too late.
[[gnu::constructor]] void keepLibTorchToTheChoice()
{
    const CpuKernels* const chosen = chosenKernels();
    for (const InstructionSet& set : instructionSets)
        if (chosen != nullptr && set.name == chosen->name) {
            ::setenv("ATEN_CPU_CAPABILITY", set.torchName, 1);
            ::setenv("ONEDNN_MAX_CPU_ISA", set.oneDnnName, 1);
        }
}

const CpuKernels& chosenOrBest()
{
    if (const CpuKernels* const chosen = chosenKernels())
        return *chosen;
    const char* const name = std::getenv(choiceVariable);
    if (name == nullptr || *name == '\0')
        return *supportedCpuKernels().front();
    std::string known;
    for (const InstructionSet& set : instructionSets)
        known += (known.empty() ? "" : ", ") + std::string(set.name);
    std::string run;
    for (const CpuKernels* one : supportedCpuKernels())
        run += (run.empty() ? "" : ", ") + std::string(one->name);
    throw UsageError(choiceVariable, "this processor has no instruction set `" + std::string(name) + "`",
                     "it has " + run + " (of " + known + ")");
}

}

int64_t featureScratch(const FeatureShape& shape)
{
    return featureRows * (3 * shape.paddedSamples + shape.paddedValues + 1);
}

int64_t softmaxScratch(int64_t valueDim)
{
    const int64_t padded = widest(valueDim);
    return keyTile * queryBlock + (queryBlock + keyTile) * padded + 3 * queryBlock;
}

int64_t momentScratch(int64_t leftWidth, int64_t rightWidth)
{
    return keyTile * (leftWidth + 1 + widest(rightWidth));
}

int64_t drawScratch(int64_t count)
{
    return queryBlock * (keyTile + 3 + 2 * ((count + keyTile - 1) / keyTile));
}

int64_t sparseScratch(int64_t width, int64_t valueDim)
{
    return softmaxScratch(valueDim) + queryBlock * width + keyTile * (width + widest(valueDim));
}

int64_t coresetScratch(int64_t count, int64_t width, int64_t samples, int64_t valueDim)
{
    const int64_t tiles = (count + coresetTile - 1) / coresetTile;
    return tiles * coresetTile * (width + samples + 3) + 2 * tiles + widest(width) + widest(samples)
           + samples * samples + coresetTile * widest(valueDim);
}

int64_t coresetQueryScratch(int64_t count, int64_t valueDim)
{
    return queryBlock * (count + 2 + widest(valueDim));
}

const std::vector<const CpuKernels*>& supportedCpuKernels()
{
    static const std::vector<const CpuKernels*> supported = [] {
        std::vector<const CpuKernels*> found;
#if defined(__x86_64__)
        __builtin_cpu_init();  // this is also called before `main`
        const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
                          && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
        const bool bfloat16 = wide && __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512vnni");
        if (bfloat16 && mayUseTiles())
            found.push_back(&amx::kernels());
        if (bfloat16)
            found.push_back(&avx512bf16::kernels());
        if (wide)
            found.push_back(&avx512::kernels());
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            found.push_back(&avx2::kernels());
#endif
        found.push_back(&portable::kernels());
        return found;
    }();
    return supported;
}

const CpuKernels& cpuKernels()
{
    static const CpuKernels& kernels = chosenOrBest();
    return kernels;
}

}
