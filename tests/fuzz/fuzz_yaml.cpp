#include "models/weights/yaml_values.h"

#include <cstdlib>

/// The settings that Motionformer's checkpoints carry as text: values or nothing, whatever the text.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const auto values = attnscope::yamlValues({reinterpret_cast<const char*>(data), size});
    if (values.size() > 4096)
        std::abort();
    for (const auto& [key, value] : values)
        if (key.empty() || key.size() + value.size() > 2 * size + 16)
            std::abort();
    return 0;
}
