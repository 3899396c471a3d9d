#pragma once

#include "core/data/preprocess/clip.h"
#include "core/live/clip_grid.h"
#include "core/live/frame.h"
#include "core/live/play_source.h"

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace attnscope {

/// The models' input at one time: the frames of a clip, and their times.
struct LiveClip {
    uint64_t epoch = 0;
    int64_t tick = 0;
    double seconds = 0;                ///< of the newest frame
    std::vector<double> frameSeconds;  ///< of all of them
    FloatArray pixels;                 ///< (3,T,H,W), or (3,H,W) for one frame
};

/// Keeps only the frames that the next clips need, already converted to the model's input: its memory depends only on the model. Filled by
/// the decoding thread, read by the predicting one.
class LiveWindow : public FrameSink {
public:
    struct Recipe {
        ClipWish wish;
        int64_t height = 0, width = 0;  ///< of the model's input
        /// One upright frame → (3, height, width). Empty: there is no model yet and no frame is kept.
        std::function<void(const Clip& frame, float* planes)> prepare;
    };

    /// `ahead`: ticks by which decoding may be ahead of the requested time.
    explicit LiveWindow(int64_t ahead = 16);

    /// Forgets all frames.
    void setRecipe(Recipe recipe);
    /// Of the playing source.
    ClipGrid grid() const;

    /// The clip that ends with `tick`; empty if its frames are not available. If the whole source is shorter than a clip, its last frame is
    /// repeated, as in the published protocol.
    std::optional<LiveClip> clipAt(uint64_t epoch, int64_t tick) const;
    /// If the source is shorter than a clip, the tick that ends its only clip; else −1.
    int64_t shortClip(uint64_t epoch) const;
    /// Size of the stored frames in bytes.
    int64_t bytes() const;

    double reach() const override;
    void begin(const SourceInfo& info, uint64_t epoch) override;
    bool wants(double seconds) override;
    void take(const Frame& frame) override;
    void end() override;

private:
    struct Kept {
        uint64_t epoch = 0;
        int64_t tick = -1;
        double seconds = 0;
        std::vector<float> planes;
    };

    // With m_mutex held:
    const Kept* keptAt(uint64_t epoch, int64_t tick) const;
    int64_t shortClipLocked(uint64_t epoch) const;
    void resize();

    const int64_t m_ahead;
    mutable std::mutex m_mutex;
    Recipe m_recipe;
    uint64_t m_recipeNumber = 0;
    ClipGrid m_grid;
    std::vector<Kept> m_kept;  // a ring buffer
    size_t m_next = 0;
    double m_rate = 30, m_unit = 1e-5;
    int m_rotation = 0;
    uint64_t m_epoch = 0, m_endedEpoch = 0;
    int64_t m_lastTick = -1, m_firstTick = -1;
    Kept m_scratch;  // for the decoding thread
    Clip m_frame;
};

}
