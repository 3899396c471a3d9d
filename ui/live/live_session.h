#pragma once

#include "ui/live/live_feed.h"
#include "ui/live/live_rows_model.h"
#include "ui/workspace/session.h"

#include "core/live/player.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>

#include <memory>
#include <optional>

namespace attnscope::ui {

/// Plays a source, has every clip that is due predicted by the ticked backends, and keeps what they say. No widget in here.
class LiveSession : public Session {
    Q_OBJECT
public:
    LiveSession(Workspace& workspace, std::shared_ptr<LiveBackend> liveBackend, QObject* parent = nullptr);
    ~LiveSession() override;

    LiveRowsModel& rows() { return m_rows; }
    /// A video, a GIF or a folder of frames; plays at once. What plays already stays if the new one cannot be opened.
    void openFile(const QString& path);
    void openCamera(const CameraChoice& camera);
    void close();
    void stop() override { close(); }
    bool isOpen() const { return m_player != nullptr; }
    bool isCamera() const { return m_camera; }
    /// Path of the file, name of the camera.
    QString source() const { return m_source; }
    /// Looks for cameras: `camerasKnown`.
    void askCameras();

    void toggle();
    void play();
    void pause();
    void seek(double seconds, bool dragging = false);
    void seekBy(double seconds);
    void step(int frames);
    void setSpeed(double speed);
    void setLoop(bool loop);
    void nextDifference();
    void previousDifference();
    /// The screen is looked at. When it is left, playback pauses and the camera is closed.
    void setActive(bool active);

    /// How often a clip is due: ClipWish::every.
    void setEvery(int every);
    int every() const { return m_every; }
    /// Playback waits for the predictions, instead of leaving clips out.
    void setEveryClip(bool every);
    bool everyClip() const { return m_everyClip; }

    void record(const QString& path);
    void stopRecording();
    bool isRecording() const { return m_recording; }
    /// The timeline: CSV, or all of the run as JSON, by the suffix.
    void exportTo(const QString& path);
    /// The line that repeats the newest prediction; empty without one, or for a camera.
    QString command() const;

    PlayerState state() const { return m_player ? m_player->state() : PlayerState(); }
    SourceInfo info() const { return m_player ? m_player->info() : SourceInfo(); }
    ScheduleCounts counts() const { return m_feed->schedule.counts(); }
    /// Seconds by which the newest prediction is behind the newest clip that is due.
    double behind() const;
    bool isVideoModel() const;
    /// The model cannot be asked now, and why; empty when it can.
    QString hindrance() const;
    const ClipGrid& grid() const { return m_grid; }

signals:
    /// Another source was asked for.
    void opening();
    void sourceChanged();
    void frameShown(const attnscope::FrameRef& frame);
    void requestedModelChanged();
    void camerasKnown(const std::vector<attnscope::ui::CameraChoice>& cameras);
    void recordingChanged(bool recording);

private:
    void open(const PlayDecoder::Open& open, const QString& source, bool camera);
    void start(const PlayDecoder::Open& open, const QString& source, bool camera);
    void reopenBefore();
    void judgeNewest();
    void connectFeed();
    void configure();
    void takeContext();
    void takeGrid();
    void tick();
    void show(const FrameRef& frame);
    void reportState();
    void keepMachineWhilePlaying();
    LiveSetting setting() const;

    Engine& m_engine;
    std::shared_ptr<LiveBackend> m_backend;
    LiveRowsModel m_rows;
    std::shared_ptr<LiveFeed> m_feed;
    std::unique_ptr<Player> m_player;
    std::shared_ptr<const ModelMetadata> m_model;  // that the window's recipe is for
    std::vector<ModelRequest> m_checkpoints;
    ClipWish m_wish;
    ClipGrid m_grid;
    QTimer m_timer, m_report;
    QString m_source;
    bool m_camera = false, m_active = true, m_everyClip = false, m_recording = false, m_blocked = false,
         m_damageTold = false;
    int m_every = 1, m_threads = 0;
    /// What played when another source was asked for, until that one is open.
    struct Before {
        PlayDecoder::Open open;
        QString source;
        bool camera = false;
        PlayerState state;
        Timeline timeline;
    };
    std::optional<Before> m_before;
    std::optional<Timeline> m_timelineBefore;  ///< for the first frame, when the ticks are known
    PlayDecoder::Open m_open;                  ///< of what plays
    uint64_t m_epoch = 0, m_seed = 0;
    QElapsedTimer m_inEpoch;
    double m_seconds = 0;
};

}
