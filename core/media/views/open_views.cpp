#include "core/media/views/open_views.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/media/views/frame_store.h"
#include "core/media/views/view_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

namespace attnscope {

namespace {

using Times = std::vector<int64_t>;

/// A video whose clips have been selected; frames are kept as long as memory allows.
class SampledVideo {
public:
    SampledVideo(const std::filesystem::path& path, const VideoReadOptions& options, const ViewRequest& request,
                 std::stop_token stop)
        : m_path(path.string())
        , m_request(request)
        , m_walk(path, options, std::move(stop))
        , m_planner(m_walk.info(), m_request, m_path)
        , m_store(m_walk.info(), m_request)
        , m_room(size_t(options.limits.clipBytes / m_store.bytesPerFrame()))
    {
        const std::vector<FrameMark> marks = look();
        for (const std::vector<FrameMark>& clip : m_planner.clips(marks))
            addClip(clip);
        checkRoom();
        hold(0);
        if (allFits())
            m_walk.rest();
    }

    VideoViews views() const
    {
        VideoViews views;
        views.width = m_store.width();
        views.height = m_store.height();
        views.rate = m_planner.timing().rate;
        views.seconds = m_planner.seconds();
        views.grid = m_request.grid;
        views.sampling = m_planner.name();
        views.notes = notes();
        const std::vector<std::string> shortfalls = findShortfalls();
        views.notes.insert(views.notes.end(), shortfalls.begin(), shortfalls.end());
        views.partial = joined(shortfalls, "; ");
        for (const ViewPlan& plan : m_plans)
            for (int64_t crop = 0; crop < m_request.grid.crops; ++crop) {
                views.views.push_back(plan);
                views.views.back().crop = crop;
            }
        return views;
    }

    FloatArray view(size_t index)
    {
        const auto crops = size_t(m_request.grid.crops);
        hold(index / crops);
        return m_store.assemble(m_times.at(index / crops), int64_t(index % crops));
    }

private:
    std::vector<FrameMark> look()
    {
        std::vector<FrameMark> marks;
        const auto visit = [&](const FrameMark& mark, VideoReader& reader) {
            if (!m_planner.contains(mark))
                return;
            marks.push_back(mark);
            if (m_planner.expects(mark) && m_store.size() < m_room && !m_store.has(mark.time))
                m_store.add(mark.time, reader);
        };
        const bool ended = m_walk.walk(m_planner.stretches(), visit);
        if (ended && m_planner.shorten(marks)) {
            marks.clear();
            m_walk.walk(m_planner.stretches(), visit);
        }
        return marks;
    }

    void addClip(const std::vector<FrameMark>& clip)
    {
        ViewPlan plan;
        Times times;
        for (const FrameMark& mark : clip) {
            plan.frames.push_back(mark.number);
            plan.seconds.push_back(double(mark.time - m_walk.info().start) * m_walk.info().timeBase.value());
            times.push_back(mark.time);
        }
        plan.clip = int64_t(m_plans.size());
        m_plans.push_back(std::move(plan));
        m_times.push_back(std::move(times));
    }

    /// The frames of as many clips as memory allows, from this one on; of all if possible.
    std::unordered_set<int64_t> group(size_t clip) const
    {
        std::unordered_set<int64_t> wanted;
        for (; clip < m_times.size(); ++clip) {
            std::set<int64_t> more(m_times[clip].begin(), m_times[clip].end());
            std::erase_if(more, [&](int64_t time) { return wanted.contains(time); });
            if (wanted.size() + more.size() > m_room && !wanted.empty())
                break;
            wanted.insert(more.begin(), more.end());
        }
        return wanted;
    }

    bool allFits() const
    {
        return std::ranges::all_of(m_times, [&](const Times& clip) { return isHeld(clip); });
    }

    bool isHeld(const Times& clip) const
    {
        return std::ranges::all_of(clip, [&](int64_t time) { return m_store.has(time); });
    }

    void hold(size_t clip)
    {
        m_store.flush();
        if (m_held && isHeld(m_times.at(clip)))
            return;
        const std::unordered_set<int64_t> wanted = group(clip);
        m_store.keep(wanted);
        Times missing;
        std::ranges::copy_if(wanted, std::back_inserter(missing),
                             [&](int64_t time) { return !m_store.has(time); });
        std::ranges::sort(missing);
        m_walk.fetch(missing, [&](const FrameMark& mark, VideoReader& reader) { m_store.add(mark.time, reader); });
        m_store.flush();
        m_held = true;
    }

    void checkRoom() const
    {
        const size_t frames = std::set<int64_t>(m_times.front().begin(), m_times.front().end()).size();
        if (frames > m_room)
            throw FileError(m_path,
                            fmt::format("a clip of {} needs {} bytes at a time, above the limit for clips",
                                        counted(int64_t(frames), "frame"),
                                        int64_t(frames) * m_store.bytesPerFrame()),
                            "use fewer crops, or raise the limit");
    }

    std::vector<std::string> notes() const
    {
        std::vector<std::string> notes = m_walk.info().notes;
        notes.insert(notes.end(), m_planner.notes().begin(), m_planner.notes().end());
        if (m_walk.info().rotation != 0)
            notes.push_back(
                m_request.rotation == Rotation::Apply
                    ? fmt::format("rotated by {} degrees, as its metadata requests", m_walk.info().rotation)
                    : fmt::format("its metadata requests a rotation by {} degrees, which evaluation ignores",
                                  m_walk.info().rotation));
        if (m_request.frames == 0)
            notes.push_back(
                fmt::format("the image model sees {} separately; probabilities are averaged",
                            m_plans.size() == 1 ? "one frame" : fmt::format("each of {} frames", m_plans.size())));
        return notes;
    }

    /// Why clips have fewer different frames than the whole video, undamaged, or a longer one would give them.
    std::vector<std::string> findShortfalls() const
    {
        std::vector<std::string> shortfalls;
        if (!m_walk.damage().empty())
            shortfalls.push_back(m_walk.damage());
        const auto repeats = [](const Times& clip) {
            return clip.size() > 1 && clip[clip.size() - 2] == clip.back();
        };
        if (const auto clips = std::count_if(m_times.begin(), m_times.end(), repeats);
            clips > 0 && !m_request.mayRepeat)
            shortfalls.push_back(
                clips == 1 ? "a clip reaches beyond the last frame, which is repeated"
                           : fmt::format("{} clips reach beyond the last frame, which is repeated", clips));
        return shortfalls;
    }

    std::string m_path;
    ViewRequest m_request;
    FrameWalk m_walk;
    ViewPlanner m_planner;
    FrameStore m_store;
    size_t m_room;                  // in frames
    bool m_held = false;            // whether a group is complete
    std::vector<ViewPlan> m_plans;  // one per clip
    std::vector<Times> m_times;     // their times
};

}

VideoViews openVideoViews(const std::filesystem::path& path, VideoReadOptions options, const ViewRequest& request,
                          std::stop_token stop)
{
    // How a damaged part is decoded depends on the number of threads; the same file must give the same prediction.
    if (options.threads == 0)
        options.threads = 1;
    ViewRequest settled = request;
    if (request.frames == 0)
        settled.grid.crops = 1;
    const auto video = std::make_shared<SampledVideo>(path, options, settled, std::move(stop));
    VideoViews views = video->views();
    views.view = [video](size_t index) { return video->view(index); };
    return views;
}

}
