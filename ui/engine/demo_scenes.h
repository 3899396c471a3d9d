#pragma once

#include "ui/engine/task.h"

#include <cstdint>
#include <string>

namespace attnscope::ui {

/// Samples of each of the twelve classes.
struct DemoAmount {
    int64_t training = 1, validation = 50;
};

/// Demo data on their way into a folder: the report is theirs, with `train` and `val`.
using DemoTask = Task<std::string, std::string>;

/// Writes scenes below the folder, unless they are there already. `photos`: the folder of the photographs that they are made of; empty:
/// there is no such task. Throws Unsupported in a build without what writes images, FileError, Cancelled.
DemoTask::Measure demoScenes(const std::string& photos, const DemoAmount& amount);

/// The folder of that name in the cache.
std::string demoFolder(const QString& name);

}
