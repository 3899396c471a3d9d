#include "ui/widgets/field_row.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"

#include <QAbstractSpinBox>
#include <QBoxLayout>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>

namespace attnscope::ui {

FieldRow::FieldRow(const QString& label, QWidget* field, const QString& help, QWidget* parent)
    : QWidget(parent)
    , m_field(field)
    , m_column(new QVBoxLayout)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto* name = new QLabel(label, this);
    name->setForegroundRole(QPalette::PlaceholderText);
    name->setToolTip(help);
    name->setFixedHeight(
        std::max(28, QFontMetrics(name->font()).height() + 10));  // next to the first line of the field
    name->setFixedWidth(std::max(labelWidth, QFontMetrics(name->font()).horizontalAdvance(label) + 2));
    name->setBuddy(field);
    row->addWidget(name, 0, Qt::AlignTop);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(3);
    const bool number = qobject_cast<QAbstractSpinBox*>(field) != nullptr;
    if (number)
        field->setFixedWidth(std::max(96, QFontMetrics(field->font()).horizontalAdvance(u"0000000000"_s)));
    m_column->addWidget(field, 0, number ? Qt::AlignRight : Qt::Alignment());
    if (auto* choice = qobject_cast<QComboBox*>(field)) {  // a long file name does not widen the form
        choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        choice->setMinimumContentsLength(6);
    }
    row->addLayout(m_column, 1);
    if (field->accessibleName().isEmpty())
        field->setAccessibleName(label);
    field->setAccessibleDescription(help);
    if (field->toolTip().isEmpty())
        field->setToolTip(help);
}

void FieldRow::setLine(QLabel*& line, const QString& text, QPalette::ColorRole role)
{
    if (line == nullptr) {
        line = new QLabel(this);
        line->setWordWrap(true);
        line->setFont(fontFor(Type::Small));
        line->setForegroundRole(role);
        line->setTextFormat(Qt::PlainText);
        line->setTextInteractionFlags(Qt::TextSelectableByMouse);
        line->setFocusPolicy(Qt::NoFocus);
        m_column->addWidget(line);
    }
    line->setText(text);
    line->setVisible(!text.isEmpty());
}

QString FieldRow::problem() const
{
    return m_problem == nullptr ? QString() : m_problem->text();
}

PathField::PathField(Kind kind, const QString& name, const QString& filter, QWidget* parent)
    : QWidget(parent)
    , m_kind(kind)
    , m_name(name)
    , m_filter(filter)
    , m_edit(new QLineEdit(this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    m_edit->setAccessibleName(name);
    m_edit->setTextMargins(6, 0, 6, 0);
    auto* button = new IconButton(m_kind == Kind::Folder ? u"folder"_s : u"more"_s, tr("%1: choose…").arg(name),
                                  this);
    row->addWidget(m_edit, 1);
    row->addWidget(button);
    setAccessibleName(name);
    setFocusProxy(m_edit);
    connect(button, &IconButton::clicked, this, &PathField::choose);
    connect(m_edit, &QLineEdit::editingFinished, this, &PathField::report);
}

QString PathField::path() const
{
    return m_edit->text().trimmed();
}

void PathField::setPath(const QString& path)
{
    m_edit->setText(path);
    report();
}

void PathField::report()
{
    m_edit->setToolTip(path());
    if (path() == m_told)
        return;
    m_told = path();
    emit pathChanged(m_told);
}

void PathField::choose()
{
    const QString chosen = m_kind == Kind::Folder ? QFileDialog::getExistingDirectory(this, m_name, path())
                           : m_kind == Kind::OpenFile
                               ? QFileDialog::getOpenFileName(this, m_name, path(), m_filter)
                               : QFileDialog::getSaveFileName(this, m_name, path(), m_filter, nullptr,
                                                              QFileDialog::DontConfirmOverwrite);
    if (!chosen.isEmpty())
        setPath(chosen);
}

}
