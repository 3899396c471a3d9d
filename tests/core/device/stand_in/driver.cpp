// libcuda.so.1 and libnvidia-ml.so.1 of a machine that is made up: one GPU, unless the environment says otherwise.
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace {

constexpr size_t gigabyte = size_t(1) << 30;

int number(const char* variable, int otherwise)
{
    const char* const text = std::getenv(variable);
    return text == nullptr ? otherwise : std::atoi(text);
}

int copy(const char* from, char* to, size_t size)
{
    std::strncpy(to, from, size - 1);
    to[size - 1] = '\0';
    return 0;
}

}

extern "C" {

int cuInit(unsigned)
{
    return number("STAND_IN_ERROR", 0);
}

int cuDriverGetVersion(int* version)
{
    *version = number("STAND_IN_CUDA", 13000);
    return 0;
}

int cuDeviceGetCount(int* count)
{
    *count = number("STAND_IN_GPUS", 1);
    return 0;
}

int cuDeviceGet(int* device, int ordinal)
{
    *device = ordinal;
    return 0;
}

int cuDeviceGetName(char* name, int size, int)
{
    return copy("NVIDIA Stand-in", name, size_t(size));
}

int cuDeviceTotalMem_v2(size_t* bytes, int)
{
    *bytes = 80 * gigabyte;
    return 0;
}

int cuDeviceGetAttribute(int* value, int attribute, int)
{
    const int capability = number("STAND_IN_CAPABILITY", 90);
    *value = attribute == 75 ? capability / 10 : capability % 10;
    return 0;
}

int cuDeviceGetPCIBusId(char* id, int size, int)
{
    return copy("0000:01:00.0", id, size_t(size));
}

int nvmlInit_v2()
{
    return 0;
}

int nvmlShutdown()
{
    return 0;
}

int nvmlSystemGetDriverVersion(char* version, unsigned size)
{
    return copy("580.65.06", version, size);
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** handle)
{
    *handle = nullptr;
    return std::strcmp(id, "0000:01:00.0") == 0 ? 0 : 6;
}

int nvmlDeviceGetMemoryInfo(void*, unsigned long long* memory)
{
    memory[0] = 80 * gigabyte;
    memory[1] = 60 * gigabyte;
    memory[2] = 20 * gigabyte;
    return 0;
}

int nvmlDeviceGetClockInfo(void*, int, unsigned* megahertz)
{
    *megahertz = 1980;
    return 0;
}

int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* milliwatts)
{
    *milliwatts = 700'000;
    return 0;
}
}
