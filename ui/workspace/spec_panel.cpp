#include "ui/workspace/spec_panel.h"

#include "ui/charts/mark_check_box.h"
#include "ui/style/painting.h"
#include "ui/widgets/controls.h"
#include "ui/workspace/option_form.h"
#include "ui/workspace/spec_list.h"

#include <QLineEdit>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

namespace attnscope::ui {

SpecRow::SpecRow(SpecListBase& entries, int id, QWidget* parent)
    : QWidget(parent)
    , m_entries(entries)
    , m_id(id)
    , m_name(toQt(entries.values(id)->name()))
    , m_head(new QHBoxLayout)
    , m_body(new QVBoxLayout)
    , m_tick(new MarkCheckBox(m_name, m_name, this))
{
    auto* column = new QVBoxLayout(this);
    column->setSpacing(4);
    column->addLayout(m_head);
    column->addLayout(m_body);
    m_head->setSpacing(2);
    m_head->addWidget(m_tick, 1);
    m_body->setContentsMargins(MarkCheckBox::indent, 0, 3, 0);
    m_body->setSpacing(4);
    connect(m_tick, &QCheckBox::toggled, this, [this](bool on) {
        if (on)
            emit touched(m_id);
        m_entries.setChecked(m_id, on);
    });
}

void SpecRow::addForms()
{
    for (OptionForm** form : {&m_main, &m_advanced}) {
        *form = new OptionForm(*m_entries.values(m_id),
                               form == &m_main ? OptionForm::Part::Main : OptionForm::Part::Advanced, this);
        m_body->addWidget(*form);
        connect(*form, &OptionForm::changed, this,
                [this](const QString& option, const std::optional<OptionValue>& value) {
                    emit touched(m_id);
                    showProblem(m_entries.setOption(m_id, option, value));
                });
    }
}

void SpecRow::addField()
{
    m_spec = makeSpecField(tr("Specification of %1").arg(m_name), this);
    m_problem = makeProblemLine(this);
    m_body->addWidget(m_spec);
    m_body->addWidget(m_problem);
    connect(m_spec, &QLineEdit::editingFinished, this, [this] {
        const QString typed = m_spec->text(), problem = m_entries.setSpec(m_id, typed);
        if (!problem.isEmpty())
            m_spec->setText(typed);
        showProblem(problem);
    });
    connect(m_spec, &QLineEdit::textEdited, this, [this] { showProblem({}); });
}

void SpecRow::showProblem(const QString& sentence)
{
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
}

void SpecRow::setCurrent(bool current)
{
    m_isCurrent = current;
    arrange();
}

void SpecRow::refresh()
{
    const OptionValues* spec = m_entries.values(m_id);
    if (spec == nullptr || toQt(spec->name()) != m_name)
        return;  // another row is about to take its place
    m_tick->setChecked(m_entries.isChecked(m_id));
    m_tick->setLook(m_entries.look(m_id));
    m_main->setSpec(*spec);
    m_advanced->setSpec(*spec);
    showSpec(*m_spec, toQt(spec->canonical()));
    m_problem->clear();
    arrange();
}

void SpecRow::arrange()
{
    const bool open = m_isCurrent && m_entries.isChecked(m_id);
    m_main->setVisible(open && m_main->rows() > 0);
    m_advanced->setVisible(open && m_advanced->rows() > 0);
    m_spec->setVisible(open);
    m_problem->setVisible(open && !m_problem->text().isEmpty());
}

void SpecRow::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_isUnderlined)
        painter.fillRect(QRect(0, height() - 1, width(), 1), Theme::of(palette()).line);
}

SpecPanel::SpecPanel(SpecListBase& entries, const QString& name, QMargins margins, QWidget* parent)
    : QFrame(parent)
    , m_entries(entries)
    , m_outer(new QVBoxLayout(this))
    , m_rows(new QVBoxLayout)
{
    m_outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setAccessibleName(name);
    auto* inner = new QWidget(scroll);
    inner->setBackgroundRole(QPalette::Base);
    inner->setAutoFillBackground(true);
    m_column = new QVBoxLayout(inner);
    m_column->setContentsMargins(margins);
    m_column->setSpacing(0);
    m_rows->setSpacing(0);
    m_column->addLayout(m_rows);
    scroll->setWidget(inner);
    m_outer->addWidget(scroll, 1);
    // Rows are built anew after the signal that asked for it has left the row that sent it.
    connect(&entries, &SpecListBase::layoutOfEntriesChanged, this,
            [this] { QTimer::singleShot(0, this, &SpecPanel::rebuild); });
    connect(&entries, &SpecListBase::selectionChanged, this, &SpecPanel::refresh);
}

SpecRow* SpecPanel::rowOf(int id) const
{
    const auto found = m_byId.find(id);
    return found == m_byId.end() ? nullptr : found->second;
}

void SpecPanel::rebuild()
{
    // A row takes 2 ms to build, so those of entries that stay are kept.
    std::map<int, SpecRow*> gone = std::move(m_byId);
    m_byId.clear();
    int place = 0;
    for (const int id : m_entries.ids()) {
        SpecRow* row = nullptr;
        if (const auto old = gone.find(id);
            old != gone.end() && old->second->name() == toQt(m_entries.values(id)->name()))
            row = gone.extract(old).mapped();
        if (row == nullptr) {
            row = makeRow(id);
            connect(row, &SpecRow::touched, this, &SpecPanel::makeCurrent);
        } else {
            row->refresh();
        }
        m_byId[id] = row;
        if (m_rows->indexOf(row) != place) {
            m_rows->removeWidget(row);
            m_rows->insertWidget(place, row);
        }
        row->show();
        ++place;
    }
    for (const auto& [id, row] : gone) {
        m_rows->removeWidget(row);
        row->hide();
        row->deleteLater();
    }
    makeCurrent(m_current);
}

void SpecPanel::refresh()
{
    for (const auto& [id, row] : m_byId)
        row->refresh();
}

void SpecPanel::makeCurrent(int id)
{
    m_current = id;
    for (const auto& [other, row] : m_byId)
        row->setCurrent(other == id);
}

}
