#pragma once

#include "ui/scale/scale_session.h"
#include "ui/widgets/tab_strip.h"
#include "ui/workspace/page.h"

#include <QPointer>

#include <vector>

namespace attnscope::ui {

class ReportHead;
class ScaleTab;

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
    ScaleTab* tab() const { return tab(m_tabs->currentIndex()); }
    ScaleTab* tab(int kind) const { return m_all[size_t(kind)]; }
    ReportHead& head() const { return *m_head; }

private:
    void arrange() override;
    void refresh();

    ScaleSession& m_session;
    ReportHead* m_head;
    TabStrip* m_tabs;
    std::vector<ScaleTab*> m_all;  ///< by kind
    QPointer<MessageBar> m_load;   ///< what is said of the load under which the tab's figures were taken
    QStringList m_said;            ///< each sentence once
};

}
