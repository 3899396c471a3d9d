#include "ui/scale/decode/mechanisms_panel.h"

#include "ui/charts/mark_check_box.h"
#include "ui/scale/decode/mechanism_list.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/controls.h"
#include "ui/workspace/option_form.h"

#include <QVBoxLayout>

namespace attnscope::ui {

MechanismRow::MechanismRow(MechanismList& list, int id, QWidget* parent)
    : SpecRow(list, id, parent)
    , m_list(list)
    , m_opener(new IconButton(u"chevron-right"_s, tr("Options of %1").arg(m_name), this))
{
    layout()->setContentsMargins(0, 2, 0, 3);
    m_head->addWidget(m_opener);
    addForms();
    addField();
    m_duplicate = new LinkButton(tr("Add another"), this);
    m_duplicate->setAccessibleName(tr("Add another %1").arg(m_name));
    m_remove = new LinkButton(tr("Remove"), this);
    m_remove->setAccessibleName(tr("Remove %1").arg(m_name));
    auto* links = new QHBoxLayout;
    links->setSpacing(12);
    links->addWidget(m_duplicate);
    links->addWidget(m_remove);
    links->addStretch(1);
    m_body->addLayout(links);
    connect(m_opener, &IconButton::clicked, this, [this] { emit touched(m_isCurrent ? 0 : m_id); });
    connect(m_duplicate, &QPushButton::clicked, this, [this] { emit touched(m_list.duplicate(m_id)); });
    connect(m_remove, &QPushButton::clicked, this, [this] { m_list.remove(m_id); });
    refresh();
}

void MechanismRow::refresh()
{
    if (const MechanismList::Entry* entry = m_list.entry(m_id)) {
        const StreamInfo& info = entry->spec.info();
        m_tick->setName(mechanismTitle(entry->spec.canonical()));
        m_tick->setToolTip(
            tr("%1\n%2: %3\n%4").arg(m_tick->name(), toQt(info.title), toQt(info.help), toQt(info.citation)));
    }
    SpecRow::refresh();
}

void MechanismRow::arrange()
{
    SpecRow::arrange();
    const bool checked = m_list.isChecked(m_id), open = checked && m_isCurrent;
    m_isUnderlined = open;
    m_opener->setVisible(checked);
    m_opener->setIconName(open ? u"chevron-down"_s : u"chevron-right"_s);
    m_duplicate->setVisible(open);
    m_remove->setVisible(open);
    m_remove->setEnabled(m_list.entries().size() > 1);
}

MechanismsPanel::MechanismsPanel(MechanismList& list, QWidget* parent)
    : SpecPanel(list, tr("Mechanisms"), {13, 0, 8, 8}, parent)
    , m_list(list)
{
    setProperty("card", true);
    m_outer->setContentsMargins(1, 8, 1, 4);
    m_outer->setSpacing(4);
    QLabel* heading = newHeading(tr("Mechanisms"), this);
    heading->setContentsMargins(13, 0, 0, 0);
    m_outer->insertWidget(0, heading);
    m_column->addStretch(1);
    rebuild();
}

}
