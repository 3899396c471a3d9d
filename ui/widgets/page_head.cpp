#include "ui/widgets/page_head.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"

#include <QFontMetrics>
#include <QHBoxLayout>

#include <algorithm>

namespace attnscope::ui {

PageHead::PageHead(QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
    , m_headline(new ElidedLabel(this))
    , m_detail(new ElidedLabel(this))
{
    m_row->setContentsMargins(4, 0, 2, 0);
    m_row->setSpacing(8);
    m_headline->setFont(fontFor(Type::Verdict));
    m_detail->setForegroundRole(QPalette::PlaceholderText);
    auto* words = new QVBoxLayout;
    words->setSpacing(3);
    words->addStretch(1);
    for (ElidedLabel* label : {m_headline, m_detail}) {
        label->setElideMode(Qt::ElideRight);
        label->setTextFormat(Qt::PlainText);
        words->addWidget(label);
    }
    words->addStretch(1);
    m_row->addLayout(words, 1);
}

QLabel* PageHead::headline() const
{
    return m_headline;
}

void PageHead::setHeadline(const QString& headline, const QString& detail)
{
    m_headline->setText(headline);
    m_headline->setToolTip(headline);
    m_detail->setText(detail);
    m_detail->setToolTip(detail);
}

void PageHead::addControl(QWidget* control)
{
    m_row->addWidget(control);
}

ActionButton* PageHead::addButton(const QString& icon, const QString& text, const QString& help,
                                  ActionButton::Look look)
{
    auto* made = new ActionButton(icon, text, look, this);
    made->setToolTip(help);
    addControl(made);
    return made;
}

int PageHead::heightFor(bool compact, const QFont& font)
{
    const int verdict = QFontMetrics(fontFor(Type::Verdict)).height();
    return compact ? std::max(44, verdict + 16) : std::max(62, verdict + QFontMetrics(font).height() + 22);
}

void PageHead::setCompact(bool compact)
{
    setFixedHeight(heightFor(compact, font()));
    m_detail->setVisible(!compact);
}

ReportHead::ReportHead(const QString& exportHelp, QWidget* parent)
    : PageHead(parent)
    , m_stale(new QLabel(this))
    , m_again(new LinkButton(tr("Run again"), this))
{
    m_stale->setForegroundRole(QPalette::PlaceholderText);
    addControl(m_stale);
    addControl(m_again);
    m_export = addButton(u"export"_s, tr("Export"), exportHelp);
    m_copy = addButton(u"copy"_s, tr("Copy as command"),
                       tr("The attnscope-cli command that gives the same results"));
    connect(m_again, &QPushButton::clicked, this, &ReportHead::againRequested);
    connect(m_export, &QPushButton::clicked, this, &ReportHead::exportRequested);
    connect(m_copy, &QPushButton::clicked, this, &ReportHead::copyRequested);
}

QPushButton* ReportHead::again() const
{
    return m_again;
}

QWidget* ReportHead::exportButton() const
{
    return m_export;
}

void ReportHead::setStale(const QString& text, bool canRun)
{
    m_stale->setText(text);
    m_stale->setVisible(!text.isEmpty());
    m_again->setVisible(!text.isEmpty());
    m_again->setEnabled(canRun);
}

void ReportHead::setResults(bool canExport, bool canRepeat)
{
    m_export->setVisible(canExport);
    m_copy->setVisible(canRepeat);
}

}
