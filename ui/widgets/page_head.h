#pragma once

#include "ui/widgets/controls.h"

namespace attnscope::ui {

/// The head of a page: what it comes to in one line, more in a smaller one below, and on the right what can be done with it.
class PageHead : public QWidget {
    Q_OBJECT

public:
    explicit PageHead(QWidget* parent);

    QLabel* headline() const;
    ElidedLabel* detail() const { return m_detail; }

    /// Also as tool tips, since both are cut where they do not fit.
    void setHeadline(const QString& headline, const QString& detail);
    /// Behind those that are there.
    void addControl(QWidget* control);
    ActionButton* addButton(const QString& icon, const QString& text, const QString& help,
                            ActionButton::Look look = ActionButton::Look::Flat);
    /// Compact: without the smaller line.
    void setCompact(bool compact);

    /// How high a head is with these fonts.
    static int heightFor(bool compact, const QFont& font);

private:
    QBoxLayout* m_row;
    ElidedLabel* m_headline;
    ElidedLabel* m_detail;
};

/// The head of results that can be made again, exported, and repeated on the command line.
class ReportHead : public PageHead {
    Q_OBJECT

public:
    /// `exportHelp`: what can be exported as which files.
    ReportHead(const QString& exportHelp, QWidget* parent);

    QLabel* stale() const { return m_stale; }
    QPushButton* again() const;
    QWidget* exportButton() const;
    /// What the results were made with that is no longer asked for; empty: they are what would be made now.
    void setStale(const QString& text, bool canRun);
    void setResults(bool canExport, bool canRepeat);

signals:
    void againRequested();
    void exportRequested();
    void copyRequested();

private:
    QLabel* m_stale;
    LinkButton* m_again;
    ActionButton* m_export;
    ActionButton* m_copy;
};

}
