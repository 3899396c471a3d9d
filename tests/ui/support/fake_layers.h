#pragma once

#include "ui/layers/layers_task.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

/// Stands in for the laboratory in tests of the Layers screen: no network runs here and no figure means anything. Values depend on
/// attention, layer and head alone.
namespace attnscope::ui::test {

struct LayerScript {
    std::atomic<int> layers{12}, heads{6}, side{14}, prefix{1}, frames{1};
    std::atomic<int> stepMs{0};         ///< how long one layer takes
    std::atomic<bool> hold{false};      ///< waits at the first layer until released or stopped
    std::atomic<bool> stages{false};    ///< layers are called "stage 1 block 0" …, with more heads in later ones
    std::atomic<bool> negative{false};  ///< some implied weights are
    std::atomic<bool> flips{false};     ///< layer 7 alone changes the prediction
    std::atomic<bool> sparse{false};    ///< queries see the patches around them; those of the first row see none
    std::atomic<bool> chooses{
        false};                     ///< maps of tokens: clusters of queries, chosen keys, and a map of the query
    std::atomic<bool> errs{false};  ///< the map of the queries' errors alone
    std::atomic<bool> placeless{false};  ///< the network adds no position embedding
    std::string failing;                 ///< backend that fails
    std::atomic<int> inspections{0}, mapQuestions{0}, termQuestions{0}, rankings{0};
    std::atomic<int> holdRankingAt{-1};  ///< after so many rows it waits until stopped or released
    std::atomic<uint64_t> subject{0};    ///< of the last question

    void remember(const InspectRequest& request)
    {
        const std::lock_guard lock(mutex);
        requests.push_back(request);
    }
    std::vector<InspectRequest> requested() const
    {
        const std::lock_guard lock(mutex);
        return requests;
    }
    mutable std::mutex mutex;
    std::vector<InspectRequest> requests;
};

std::shared_ptr<LayersBackend> scriptedLayers(std::shared_ptr<LayerScript> script);
/// The specifications of its leaderboard, in the order in which they are measured.
std::vector<std::string> scriptedRanking();
/// The relative error that it gives a head.
double scriptedError(const std::string& backend, int layer, int head);

}
