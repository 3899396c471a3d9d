// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/attention_choice.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/number_fields.h"
#include "ui/workspace/backend_list.h"
#include "ui/workspace/option_form.h"

#include "core/attention/backend_info.h"
#include "core/base/error.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace attnscope::ui {

AttentionChoice::AttentionChoice(QWidget* parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
    , m_names(new QComboBox(this))
    , m_text(new QLineEdit(this))
    , m_problem(new QLabel(this))
    , m_more(new LinkButton(tr("More options"), this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(4);
    m_names->setAccessibleName(tr("Attention"));
    for (const BackendInfo& info : backends()) {
        m_names->addItem(toQt(info.name), toQt(info.name));
        m_names->setItemData(m_names->count() - 1, toQt(info.title + ": " + info.help), Qt::ToolTipRole);
    }
    m_names->insertItem(0, tr("native (model default)"), QStringLiteral("native"));
    guardWheel(m_names);
    m_text->setProperty("sunken", true);
    m_text->setProperty("docked", true);
    m_text->setTextMargins(6, 0, 6, 0);
    m_text->setFont(fontFor(Type::Mono));
    m_text->setAccessibleName(tr("Attention specification"));
    m_problem->setWordWrap(true);
    m_problem->setFont(fontFor(Type::Small));
    m_problem->setForegroundRole(QPalette::BrightText);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->setFocusPolicy(Qt::NoFocus);
    m_problem->hide();
    m_more->setAccessibleName(tr("More attention options"));
    for (QWidget* part : {static_cast<QWidget*>(m_names), static_cast<QWidget*>(m_text),
                          static_cast<QWidget*>(m_problem), static_cast<QWidget*>(m_more)})
        m_column->addWidget(part);
    m_column->setAlignment(m_more, Qt::AlignLeft);
    setFocusProxy(m_names);
    connect(m_names, &QComboBox::activated, this, [this] { take(m_names->currentData().toString()); });
    connect(m_text, &QLineEdit::editingFinished, this, [this] { take(m_text->text()); });
    connect(m_more, &LinkButton::clicked, this, [this] {
        m_advanced->setVisible(m_advanced->isHidden());
        m_more->setText(m_advanced->isHidden() ? tr("More options") : tr("Fewer options"));
    });
    for (const BackendInfo& info : backends())
        if (info.proposed == Proposed::ToTrain)
            setSpec(toQt(info.name));
}

QString AttentionChoice::problem() const
{
    return m_problem->text();
}

void AttentionChoice::setSpec(const QString& text)
{
    take(text);
}

void AttentionChoice::take(const QString& text)
{
    try {
        const AttentionSpec spec = AttentionSpec::parse(fromQt(text.trimmed()));
        const bool wasWrong = !m_problem->text().isEmpty();
        m_problem->clear();
        m_problem->hide();
        if (toQt(spec.canonical()) == m_spec && !wasWrong)
            return;
        m_spec = toQt(spec.canonical());
        rebuild();
    } catch (const Error& error) {
        m_problem->setText(toQt(error.what()));
        m_problem->show();
    }
    emit changed();
}

void AttentionChoice::rebuild()
{
    const AttentionSpec spec = AttentionSpec::parse(fromQt(m_spec));
    const QSignalBlocker quiet(m_names);
    m_names->setCurrentIndex(m_names->findData(toQt(spec.backend())));
    m_text->setText(m_spec);
    m_text->setCursorPosition(0);
    m_text->setToolTip(m_spec);
    const BackendInfo* info = findBackend(spec.backend());
    if (toQt(spec.backend()) != m_backend) {
        m_backend = toQt(spec.backend());
        delete m_main;
        delete m_advanced;
        m_main = info ? new OptionForm(*info, spec, OptionForm::Part::Main, this) : nullptr;
        m_advanced = info ? new OptionForm(*info, spec, OptionForm::Part::Advanced, this) : nullptr;
        int at = 1;
        for (OptionForm* form : {m_main, m_advanced}) {
            if (form == nullptr)
                continue;
            m_column->insertWidget(at++, form);
            connect(form, &OptionForm::changed, this, &AttentionChoice::setOption);
            connect(form, &OptionForm::cleared, this, [this](const QString& option) {
                take(toQt(withoutOption(AttentionSpec::parse(fromQt(m_spec)), option).canonical()));
            });
        }
        // Tab goes the way the eye does.
        QWidget* before = m_names;
        for (OptionForm* form : {m_main, m_advanced})
            if (form != nullptr)
                for (QWidget* control : form->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
                    if (control->focusPolicy() & Qt::TabFocus) {
                        setTabOrder(before, control);
                        before = control;
                    }
        setTabOrder(before, m_text);
        setTabOrder(m_text, m_more);
        if (m_advanced)
            m_advanced->hide();
        m_more->setText(tr("More options"));
    } else if (info != nullptr) {
        m_main->setSpec(spec);
        m_advanced->setSpec(spec);
    }
    if (m_main)
        m_main->setVisible(m_main->rows() > 0);
    m_more->setVisible(m_advanced && m_advanced->rows() > 0);
}

void AttentionChoice::setOption(const QString& option, const OptionValue& value)
{
    try {
        take(toQt(AttentionSpec::parse(fromQt(m_spec)).with(fromQt(option), value).canonical()));
    } catch (const Error& error) {
        m_problem->setText(toQt(error.what()));
        m_problem->show();
    }
}

}  // namespace attnscope::ui
