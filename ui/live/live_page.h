// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/live_session.h"
#include "ui/widgets/message_stack.h"
#include "ui/widgets/page_head.h"

#include <QWidget>

class QFrame;
class QLabel;
class QStackedWidget;

namespace attnscope::ui {

class ActionButton;
class ElidedLabel;
class EmptyScreen;
class LiveImage;
class NowPanel;
class TimelineView;
class TransportBar;

/// Live: a video or camera plays while each backend predicts; what they say, when they differ, what they take.
class LivePage : public QWidget {
    Q_OBJECT
public:
    LivePage(LiveSession& session, LiveRowsModel& rows, QWidget* parent = nullptr);

    enum class Density { Roomy, Compact };
    void setDensity(Density density);
    MessageBar* showMessage(MessageBar::Kind kind, const QString& sentence);
    void copyCommand();
    void askCamera();

    LiveImage* image() const { return m_image; }
    TimelineView* timeline() const { return m_timeline; }
    TransportBar* transport() const { return m_transport; }
    EmptyScreen* empty() const { return m_empty; }
    QLabel* headline() const { return m_head->headline(); }

signals:
    void openRequested();
    void checkpointRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
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
    void askExport();
    QString defaultName(const QString& suffix) const;
    void arrange();

    LiveSession& m_session;
    LiveRowsModel& m_rows;
    MessageStack* m_messages;
    QStackedWidget* m_stack;
    EmptyScreen* m_empty;
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
    Density m_density = Density::Roomy;
};

}  // namespace attnscope::ui
