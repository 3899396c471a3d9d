// A CUDA runtime that knows no GPU. LibTorch's CPU library, as it comes in the torch wheel, refers to NVIDIA's runtime and profiler library,
// without which it does not load; a CPU-only program never calls them. Packages contain this instead of NVIDIA's files, which others may not
// distribute with GPL programs. The functions are those that libtorch_cpu.so refers to; their real parameters do not matter to a refusal.

namespace {

constexpr int noDevice = 100;  // cudaErrorNoDevice

}  // namespace

extern "C" {

int cudaDeviceSynchronize()
{
    return noDevice;
}

int cudaDriverGetVersion(int* version)
{
    *version = 0;
    return 0;
}

int cudaRuntimeGetVersion(int* version)
{
    *version = 0;
    return 0;
}

int cudaGetDeviceCount(int* count)
{
    *count = 0;
    return noDevice;
}

int cudaGetDeviceProperties(void*, int)
{
    return noDevice;
}

const char* cudaGetErrorString(int)
{
    return "this Attnscope is for the CPU and contains no CUDA runtime";
}

}
