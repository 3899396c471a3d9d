#pragma once

#include "models/vit/formats/config_reading.h"

namespace attnscope {

/// That of the Transformers library.
bool isLibraryConfig(const Json& config);
void readLibraryConfig(const Json& config, const Translation& translation, Findings& findings,
                       ConfigReading& reading);

}
