#pragma once

#include "ui/engine/workbench.h"

#include <atomic>
#include <memory>

/// Stands in for core and models in tests of the window: no network runs here and no figure means anything. Values depend on
/// the specification alone, so that tests can foresee them.
namespace attnscope::ui::test {

struct FakeBehaviour {
    std::atomic<int> stepMs{1};   ///< how long one repetition takes
    std::atomic<int> blockMs{0};  ///< how long one step ignores a stop
    std::atomic<bool> trained{true};
    std::atomic<int> classes{1000};          ///< 0: a network without a head
    std::atomic<bool> askedFeatures{false};  ///< the last comparison named a kind
    std::atomic<int> gpus{0};
    std::atomic<bool> hold{false};             ///< wait within the latency stage until released or stopped
    std::atomic<int> failColumn{-1};           ///< this run of each input fails in the memory stage
    std::atomic<int> runs{0};                  ///< comparisons begun
    std::atomic<bool> lost{false};             ///< what the machine offers cannot be found out
    std::atomic<int> surroundings{0};          ///< how often it was asked
    std::atomic<int> loads{0};                 ///< of models
    std::atomic<int> models{0}, maxModels{0};  ///< in memory now, and at most
};

std::unique_ptr<Workbench> fakeWorkbench(std::shared_ptr<FakeBehaviour> behaviour);

}
