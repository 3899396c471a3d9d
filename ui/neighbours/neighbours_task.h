#pragma once

#include "models/neighbour_searcher.h"
#include "ui/engine/demo_scenes.h"

#include <QImage>

#include <functional>

namespace attnscope::ui {

/// What the Neighbours screen asks for: a datastore to build, an accuracy to measure, or the neighbours of an image.
struct NeighbourQuestion {
    ModelRequest model;
    AttentionSpec attention = AttentionSpec::native();
    uint64_t seed = 0;
    std::string datastore, build, evaluate;  ///< as in NeighbourJob
    int64_t limit = 0;                       ///< of the samples of these folders; 0: all
    std::string image;                       ///< an image or a video; empty: none
    NeighbourRequest request;
};
using NeighboursTask = Task<NeighbourQuestion, NeighbourReport>;

/// The calls into core and models. Tests bring their own.
struct NeighboursBackend {
    /// Empty: there is no such screen.
    std::function<NeighbourReport(const NeighbourQuestion&, ModelCache&, const NeighbourCalls&)> search;
    DemoTask::Measure writeDemo;
    /// A sample to look at.
    std::function<QImage(const std::string& path)> image;
};

/// The real ones. `photos`: the folder of the photographs that demo data are made of.
NeighboursBackend coreNeighbours(const std::string& photos);

}
