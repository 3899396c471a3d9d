#pragma once

#include "ui/scale/scale_session.h"
#include "ui/workspace/instrument_tab.h"

class QLineEdit;

namespace attnscope::ui {

/// A tab of the Scale screen.
class ScaleTab : public InstrumentTab {
    Q_OBJECT
public:
    ScaleSession::Kind kind() const { return m_kind; }
    /// What its form asks for.
    virtual ScaleQuestion job() const = 0;
    bool hasResults() const override { return m_session.result(m_kind) != nullptr; }
    bool isMeasuring() const override { return m_session.isRunning(m_kind); }
    QString command() const override;
    QString staleText() const override { return m_session.staleText(job()); }
    /// One sentence where the machine was busy with other things while it was timed; else empty.
    QString loadText() const;

protected:
    ScaleTab(ScaleSession& session, ScaleSession::Kind kind, About about, QWidget* parent);
    void start() override { m_session.start(job()); }
    Outcome outcome() const override;
    Json results() const override;
    /// A field for numbers with commas between them.
    QLineEdit* newCountsField(const QString& name, int minWidth, const QString& text);
    CaptionCombo* newImageSizes();

    ScaleSession& m_session;

private:
    ScaleSession::Kind m_kind;
};

/// The tabs: ui/scale/scale_tab_*.cpp.
ScaleTab* lengthTab(ScaleSession& session, QWidget* parent);
ScaleTab* decodeTab(ScaleSession& session, QWidget* parent);
ScaleTab* samplesTab(ScaleSession& session, QWidget* parent);
ScaleTab* kernelTab(ScaleSession& session, QWidget* parent);
ScaleTab* planTab(ScaleSession& session, QWidget* parent);

}
