#pragma once

#include <functional>

namespace attnscope {

/// What the program `attnscope-video-decoder` does once it has given up its rights: serves a client until that is gone. `allowTime` is called
/// for every request, and while one takes long. Returns an exit code.
int serveVideos(const std::function<void()>& allowTime);

}
