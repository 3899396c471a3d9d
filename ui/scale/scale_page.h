#pragma once

#include "ui/scale/scale_session.h"
#include "ui/workspace/page.h"

#include <QPointer>

class QLabel;
class QPushButton;

namespace attnscope::ui {

class DecodeTab;
class KernelTab;
class LengthTab;
class ReportHead;
class PlanTab;
class SamplesTab;
class ScaleTab;
class TabStrip;

/// What attention costs as sequences grow, at once (Length) and token by token (Decode); how its error falls with samples (Samples), and
/// where random features fail (Kernel); which layers can do with less (Plan).
class ScalePage : public Page {
    Q_OBJECT
public:
    explicit ScalePage(ScaleSession& session, QWidget* parent = nullptr);

    /// Streams have mechanisms of their own.
    Uses uses() const override;
    bool canRun() const override;
    void run() override;
    bool showsContents() const override;
    bool hasResults() const override { return true; }
    QString command() const override;
    const QAbstractItemModel* shownTable() const override;
    void askExport() override;
    void take(Content, const QStringList& paths) override;
    void showTab(ScaleSession::Kind kind);
    /// What the current tab shows; see its `exportTo`.
    QString exportTo(const QString& path);
    ScaleTab* tab() const;
    LengthTab* length() const { return m_length; }
    DecodeTab* decoding() const { return m_decode; }
    SamplesTab* samples() const { return m_samples; }
    KernelTab* kernel() const { return m_kernel; }
    PlanTab* plan() const { return m_plan; }
    QLabel* headline() const;
    QLabel* stale() const;
    QPushButton* again() const;

private:
    void arrange() override;
    void refresh();
    void usePlan(const QString& spec);
    /// Asks before an export writes over what its file dialog has not asked about.
    bool mayReplace(const QString& path);

    ScaleSession& m_session;
    ReportHead* m_head;
    TabStrip* m_tabs;
    QStackedWidget* m_tabStack;
    LengthTab* m_length;
    DecodeTab* m_decode;
    SamplesTab* m_samples;
    KernelTab* m_kernel;
    PlanTab* m_plan;
    QPointer<MessageBar> m_load;  ///< what is said of the load under which the tab's figures were taken
    QStringList m_said;           ///< each sentence once
};

}
