// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scale/scale_session.h"
#include "ui/widgets/message_bar.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace attnscope::ui {

class ActionButton;
class LengthTab;
class LinkButton;
class MessageStack;
class PageHead;
class PlanTab;
class SamplesTab;
class ScaleTab;
class TabStrip;

/// What attention costs as sequences grow (Length), how its error falls with samples (Samples), which layers can do with less (Plan).
class ScalePage : public QWidget {
    Q_OBJECT
public:
    explicit ScalePage(ScaleSession& session, QWidget* parent = nullptr);

    enum class Density { Roomy, Compact };
    void setDensity(Density density);
    MessageBar* showMessage(MessageBar::Kind kind, const QString& sentence);
    bool canRun() const;
    void run();
    void showTab(ScaleSession::Kind kind);
    void copyCommand();
    void copyTable();
    void copyMarkdown();
    void askExport();
    /// What the current tab shows; see its `exportTo`.
    QString exportTo(const QString& path);
    /// There is something to run or to show: the filled button is the bar's.
    bool hasResults() const;

    ScaleTab* tab() const;
    LengthTab* length() const { return m_length; }
    SamplesTab* samples() const { return m_samples; }
    PlanTab* plan() const { return m_plan; }
    QLabel* headline() const;
    QLabel* stale() const { return m_stale; }
    QPushButton* again() const;

signals:
    void changed();
    void planRequested(const QString& spec);

private:
    void refresh();
    /// Asks before an export writes over what its file dialog has not asked about.
    bool mayReplace(const QString& path);

    ScaleSession& m_session;
    MessageStack* m_messages;
    PageHead* m_head;
    QLabel* m_stale;
    LinkButton* m_again;
    ActionButton* m_copy;
    ActionButton* m_export;
    TabStrip* m_tabs;
    QStackedWidget* m_stack;
    LengthTab* m_length;
    SamplesTab* m_samples;
    PlanTab* m_plan;
    QPointer<MessageBar> m_load;  ///< what is said of the load under which the tab's figures were taken
    QStringList m_said;           ///< each sentence once
};

}  // namespace attnscope::ui
