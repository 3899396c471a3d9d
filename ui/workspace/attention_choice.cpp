#include "ui/workspace/attention_choice.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/number_fields.h"
#include "ui/workspace/option_form.h"

#include "core/attention/attention_spec.h"
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
    , m_text(makeSpecField(tr("Attention specification"), this))
    , m_problem(makeProblemLine(this))
    , m_more(new LinkButton(tr("More options"), this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(4);
    m_names->setAccessibleName(tr("Attention"));
    for (const BackendInfo& info : backends()) {
        m_names->addItem(toQt(info.name), toQt(info.name));
        m_names->setItemData(m_names->count() - 1, toQt(info.title + ": " + info.help), Qt::ToolTipRole);
    }
    m_names->insertItem(0, tr("native (model default)"), u"native"_s);
    guardWheel(m_names);
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
    showSpec(*m_text, m_spec);
    if (toQt(spec.backend()) != m_backend) {
        m_backend = toQt(spec.backend());
        delete m_main;
        delete m_advanced;
        m_main = new OptionForm(spec, OptionForm::Part::Main, this);
        m_advanced = new OptionForm(spec, OptionForm::Part::Advanced, this);
        int at = 1;
        for (OptionForm* form : {m_main, m_advanced}) {
            m_column->insertWidget(at++, form);
            connect(form, &OptionForm::changed, this, &AttentionChoice::setOption);
        }
        // Tab goes the way the eye does.
        QWidget* before = m_names;
        for (OptionForm* form : {m_main, m_advanced})
            for (QWidget* control : form->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
                if (control->focusPolicy() & Qt::TabFocus) {
                    setTabOrder(before, control);
                    before = control;
                }
        setTabOrder(before, m_text);
        setTabOrder(m_text, m_more);
        m_advanced->hide();
        m_more->setText(tr("More options"));
    } else {
        m_main->setSpec(spec);
        m_advanced->setSpec(spec);
    }
    m_main->setVisible(m_main->rows() > 0);
    m_more->setVisible(m_advanced->rows() > 0);
}

void AttentionChoice::setOption(const QString& option, const std::optional<OptionValue>& value)
{
    try {
        take(toQt(AttentionSpec::parse(fromQt(m_spec)).with(fromQt(option), value).canonical()));
    } catch (const Error& error) {
        m_problem->setText(toQt(error.what()));
        m_problem->show();
    }
}

}
