// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/autocast_mode.h>

namespace attnscope {

/// Linear layers and convolutions in bfloat16 during its lifetime, if enabled. No loss scaling is needed: bfloat16 has float32's range.
class Autocast {
public:
    Autocast(at::Device device, bool on)
        : m_device(device.type())
        , m_on(on)
        , m_was(at::autocast::is_autocast_enabled(m_device))
    {
        if (!m_on)
            return;
        at::autocast::set_autocast_dtype(m_device, at::kBFloat16);
        at::autocast::set_autocast_enabled(m_device, true);
    }
    ~Autocast()
    {
        if (!m_on)
            return;
        at::autocast::set_autocast_enabled(m_device, m_was);
        at::autocast::clear_cache();
    }
    Autocast(const Autocast&) = delete;
    Autocast& operator=(const Autocast&) = delete;

private:
    at::DeviceType m_device;
    bool m_on, m_was;
};

}  // namespace attnscope
