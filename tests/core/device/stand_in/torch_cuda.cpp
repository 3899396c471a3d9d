// libtorch_cuda.so of a LibTorch that is made up: it registers GPUs, as the real one does while it is loaded, and can compute nothing.
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <cstdlib>

namespace {

class Guard : public c10::impl::DeviceGuardImplInterface {
public:
    c10::DeviceType type() const override { return c10::DeviceType::CUDA; }
    c10::Device exchangeDevice(c10::Device device) const override { return device; }
    c10::Device getDevice() const override { return {type(), 0}; }
    void setDevice(c10::Device) const override {}
    void uncheckedSetDevice(c10::Device) const noexcept override {}
    c10::Stream getStream(c10::Device device) const override { return c10::Stream(c10::Stream::DEFAULT, device); }
    c10::Stream exchangeStream(c10::Stream stream) const override { return stream; }
    c10::DeviceIndex deviceCount() const noexcept override
    {
        for (const char* name : {"STAND_IN_LOADED_GPUS", "STAND_IN_GPUS"})
            if (const char* const count = std::getenv(name))
                return c10::DeviceIndex(std::atoi(count));
        return 1;
    }
};

}

C10_REGISTER_GUARD_IMPL(CUDA, Guard)
