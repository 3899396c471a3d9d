// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QBoxLayout;
class QLabel;

namespace attnscope::ui {

class ElidedLabel;

/// The head of a page: what it comes to in one line, more in a smaller one below, and on the right what can be done with it.
class PageHead : public QWidget {
    Q_OBJECT

public:
    explicit PageHead(QWidget* parent);

    [[nodiscard]] QLabel* headline() const;
    [[nodiscard]] ElidedLabel* detail() const { return m_detail; }

    /// Also as tool tips, since both are cut where they do not fit.
    void setHeadline(const QString& headline, const QString& detail);
    /// Behind those that are there.
    void addControl(QWidget* control);
    /// Compact: without the smaller line.
    void setCompact(bool compact);

    /// How high a head is with these fonts.
    static int heightFor(bool compact, const QFont& font);

private:
    QBoxLayout* m_row;
    ElidedLabel* m_headline;
    ElidedLabel* m_detail;
};

}  // namespace attnscope::ui
