// SPDX-License-Identifier: Apache-2.0
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
    [[nodiscard]] Uses uses() const override;
    [[nodiscard]] bool canRun() const override;
    void run() override;
    [[nodiscard]] bool showsContents() const override;
    [[nodiscard]] bool hasResults() const override { return true; }
    [[nodiscard]] QString command() const override;
    [[nodiscard]] const QAbstractItemModel* shownTable() const override;
    void askExport() override;
    void take(Content, const QStringList& paths) override;
    void showTab(ScaleSession::Kind kind);
    /// What the current tab shows; see its `exportTo`.
    QString exportTo(const QString& path);
    [[nodiscard]] ScaleTab* tab() const;
    [[nodiscard]] LengthTab* length() const { return m_length; }
    [[nodiscard]] DecodeTab* decoding() const { return m_decode; }
    [[nodiscard]] SamplesTab* samples() const { return m_samples; }
    [[nodiscard]] KernelTab* kernel() const { return m_kernel; }
    [[nodiscard]] PlanTab* plan() const { return m_plan; }
    [[nodiscard]] QLabel* headline() const;
    [[nodiscard]] QLabel* stale() const;
    [[nodiscard]] QPushButton* again() const;

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

}  // namespace attnscope::ui
