#pragma once

#include "ui/live/live_session.h"
#include "ui/widgets/page_head.h"
#include "ui/workspace/page.h"

class QFrame;
class QLabel;

namespace attnscope::ui {

class ActionButton;
class ElidedLabel;
class LiveImage;
class NowPanel;
class TimelineView;
class TransportBar;

/// Live: a video or camera plays while each backend predicts; what they say, when they differ, what they take.
class LivePage : public Page {
    Q_OBJECT
public:
    explicit LivePage(LiveSession& session, QWidget* parent = nullptr);

    Uses uses() const override { return {.networks = true}; }
    bool hasResults() const override { return !m_rows.timeline().isEmpty(); }
    const QAbstractItemModel* shownTable() const override { return &m_rows; }
    QString command() const override { return m_session.command(); }
    void askFiles() override;
    void take(Content, const QStringList& paths) override { m_session.openFile(paths.front()); }
    void askCamera() override;

    LiveImage* image() const { return m_image; }
    TimelineView* timeline() const { return m_timeline; }
    TransportBar* transport() const { return m_transport; }
    QLabel* headline() const { return m_head->headline(); }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void arrange() override;
    QWidget* buildContent();
    QWidget* buildHead();
    void addKeys();
    void connectSession();
    void refreshSource();
    void refreshState();
    void refreshPredictions();
    void refreshSeen();
    void takeCameras(const std::vector<CameraChoice>& cameras);
    void toggleRecording();
    void askExport() override;
    QString defaultName(const QString& suffix) const;

    LiveSession& m_session;
    LiveRowsModel& m_rows;
    QWidget* m_content;
    PageHead* m_head;
    ActionButton* m_record;
    ActionButton* m_export;
    ActionButton* m_copy;
    QFrame* m_upper;
    LiveImage* m_image;
    NowPanel* m_now;
    TransportBar* m_transport;
    TimelineView* m_timeline;
};

}
