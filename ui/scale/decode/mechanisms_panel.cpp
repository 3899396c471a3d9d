// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scale/decode/mechanisms_panel.h"

#include "ui/charts/mark_check_box.h"
#include "ui/scale/decode/mechanism_list.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/controls.h"
#include "ui/workspace/option_form.h"

#include <QLineEdit>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

namespace attnscope::ui {

MechanismRow::MechanismRow(MechanismList& list, int id, QWidget* parent)
    : QWidget(parent)
    , m_list(list)
    , m_id(id)
    , m_kind(list.entry(id)->spec.kind())
{
    const StreamSpec& spec = list.entry(id)->spec;
    const StreamInfo& info = spec.info();
    const QString name = toQt(info.name);
    m_tick = new MarkCheckBox(name, name, this);
    m_opener = new IconButton(QStringLiteral("chevron-right"), tr("Options of %1").arg(name), this);
    m_main = new OptionForm(info, spec, OptionForm::Part::Main, this);
    m_advanced = new OptionForm(info, spec, OptionForm::Part::Advanced, this);
    m_spec = new QLineEdit(this);
    m_spec->setProperty("sunken", true);
    m_spec->setProperty("docked", true);
    m_spec->setTextMargins(6, 0, 6, 0);
    m_spec->setFont(fontFor(Type::Mono));
    m_spec->setAccessibleName(tr("Specification of %1").arg(name));
    m_problem = new QLabel(this);
    m_problem->setWordWrap(true);
    m_problem->setFont(fontFor(Type::Small));
    m_problem->setForegroundRole(QPalette::BrightText);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->setFocusPolicy(Qt::NoFocus);
    m_duplicate = new LinkButton(tr("Add another"), this);
    m_duplicate->setAccessibleName(tr("Add another %1").arg(name));
    m_remove = new LinkButton(tr("Remove"), this);
    m_remove->setAccessibleName(tr("Remove %1").arg(name));

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 2, 0, 3);
    column->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->setSpacing(2);
    head->addWidget(m_tick, 1);
    head->addWidget(m_opener);
    column->addLayout(head);
    auto* options = new QVBoxLayout;
    options->setContentsMargins(MarkCheckBox::indent, 0, 3, 0);
    options->setSpacing(4);
    for (QWidget* part : {static_cast<QWidget*>(m_main), static_cast<QWidget*>(m_advanced), static_cast<QWidget*>(m_spec),
                          static_cast<QWidget*>(m_problem)})
        options->addWidget(part);
    auto* links = new QHBoxLayout;
    links->setSpacing(12);
    links->addWidget(m_duplicate);
    links->addWidget(m_remove);
    links->addStretch(1);
    options->addLayout(links);
    column->addLayout(options);
    connectOptions();
    refresh();
}

void MechanismRow::connectOptions()
{
    connect(m_tick, &QCheckBox::toggled, this, [this](bool on) {
        if (on)
            emit opened(m_id);
        m_list.setChecked(m_id, on);
    });
    connect(m_opener, &IconButton::clicked, this, [this] { emit opened(m_isCurrent ? 0 : m_id); });
    for (OptionForm* form : {m_main, m_advanced}) {
        connect(form, &OptionForm::changed, this, [this](const QString& option, const OptionValue& value) {
            showProblem(m_list.setOption(m_id, option, value));
        });
        connect(form, &OptionForm::cleared, this, [this](const QString& option) { m_list.clearOption(m_id, option); });
    }
    connect(m_spec, &QLineEdit::editingFinished, this, [this] {
        const QString typed = m_spec->text();
        const QString problem = m_list.setSpec(m_id, typed);
        if (!problem.isEmpty())
            m_spec->setText(typed);
        showProblem(problem);
    });
    connect(m_spec, &QLineEdit::textEdited, this, [this] { showProblem({}); });
    connect(m_duplicate, &QPushButton::clicked, this, [this] { emit duplicateRequested(m_id); });
    connect(m_remove, &QPushButton::clicked, this, [this] { m_list.remove(m_id); });
}

void MechanismRow::showProblem(const QString& sentence)
{
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
}

void MechanismRow::setCurrent(bool current)
{
    m_isCurrent = current;
    arrange();
}

void MechanismRow::refresh()
{
    const MechanismList::Entry* entry = m_list.entry(m_id);
    if (entry == nullptr || entry->spec.kind() != m_kind)
        return;  // about to be replaced
    const QString text = toQt(entry->spec.canonical());
    m_tick->setChecked(entry->checked);
    m_tick->setName(mechanismTitle(entry->spec.canonical()));
    m_tick->setLook(m_list.look(m_id));
    const StreamInfo& info = entry->spec.info();
    m_tick->setToolTip(tr("%1\n%2: %3\n%4").arg(m_tick->name(), toQt(info.title), toQt(info.help), toQt(info.citation)));
    m_main->setSpec(entry->spec);
    m_advanced->setSpec(entry->spec);
    m_spec->setText(text);
    m_spec->setCursorPosition(0);
    m_spec->setToolTip(text);
    m_problem->clear();
    arrange();
}

void MechanismRow::arrange()
{
    const MechanismList::Entry* entry = m_list.entry(m_id);
    const bool checked = entry != nullptr && entry->checked, open = checked && m_isCurrent;
    m_opener->setVisible(checked);
    m_opener->setIconName(open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"));
    m_main->setVisible(open && m_main->rows() > 0);
    m_advanced->setVisible(open && m_advanced->rows() > 0);
    m_spec->setVisible(open);
    m_problem->setVisible(open && !m_problem->text().isEmpty());
    m_duplicate->setVisible(open);
    m_remove->setVisible(open);
    m_remove->setEnabled(m_list.entries().size() > 1);
}

void MechanismRow::paintEvent(QPaintEvent*)
{
    if (!m_spec->isVisible())
        return;
    QPainter painter(this);
    painter.fillRect(QRect(0, height() - 1, width(), 1), Theme::of(palette()).line);
}

MechanismsPanel::MechanismsPanel(MechanismList& list, QWidget* parent)
    : QFrame(parent)
    , m_list(list)
{
    setProperty("card", true);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(1, 8, 1, 4);
    outer->setSpacing(4);
    auto* heading = new QLabel(tr("Mechanisms"), this);
    heading->setFont(fontFor(Type::BodyStrong));
    heading->setContentsMargins(13, 0, 0, 0);
    outer->addWidget(heading);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setAccessibleName(tr("Mechanisms"));
    auto* inner = new QWidget(scroll);
    inner->setBackgroundRole(QPalette::Base);
    inner->setAutoFillBackground(true);
    m_column = new QVBoxLayout(inner);
    m_column->setContentsMargins(13, 0, 8, 8);
    m_column->setSpacing(0);
    m_column->addStretch(1);
    scroll->setWidget(inner);
    outer->addWidget(scroll, 1);
    rebuild();
    // Rows are built anew after the signal that asked for it has left the row that sent it.
    connect(&list, &MechanismList::entriesChanged, this, [this] { QTimer::singleShot(0, this, &MechanismsPanel::rebuild); });
    connect(&list, &MechanismList::selectionChanged, this, &MechanismsPanel::refresh);
}

MechanismRow* MechanismsPanel::row(int id) const
{
    const auto found = m_rows.find(id);
    return found == m_rows.end() ? nullptr : found->second;
}

void MechanismsPanel::rebuild()
{
    for (const auto& [id, row] : m_rows)
        row->deleteLater();
    m_rows.clear();
    int place = 0;
    for (const MechanismList::Entry& entry : m_list.entries()) {
        auto* row = new MechanismRow(m_list, entry.id, this);
        m_column->insertWidget(place++, row);
        row->show();
        m_rows[entry.id] = row;
        connect(row, &MechanismRow::opened, this, &MechanismsPanel::makeCurrent);
        connect(row, &MechanismRow::duplicateRequested, this, [this](int id) { m_current = m_list.duplicate(id); });
    }
    makeCurrent(m_current);
}

void MechanismsPanel::refresh()
{
    for (const auto& [id, row] : m_rows)
        row->refresh();
}

void MechanismsPanel::makeCurrent(int id)
{
    m_current = id;
    for (const auto& [other, row] : m_rows)
        row->setCurrent(other == id);
}

}  // namespace attnscope::ui
