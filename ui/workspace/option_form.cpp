#include "ui/workspace/option_form.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/number_fields.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace attnscope::ui {

namespace {

constexpr int runsSeed = -1;  // the spin box's lowest value, shown as a word

int whole(double value)
{
    return int(std::clamp<double>(value, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

void finish(QAbstractSpinBox& spin, int width)
{
    spin.setAlignment(Qt::AlignRight);
    spin.setFixedWidth(width);
    spin.setKeyboardTracking(false);
}

}

OptionForm::OptionForm(const OptionValues& spec, Part part, QWidget* parent)
    : QWidget(parent)
    , m_backend(toQt(spec.name()))
    , m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(4);
    for (const OptionInfo& option : spec.options())
        if (option.advanced == (part == Part::Advanced))
            addRow(option, makeControl(option));
    setSpec(spec);
}

void OptionForm::setSpec(const OptionValues& spec)
{
    for (const Row& row : m_rows) {
        const QSignalBlocker quiet(row.control);
        row.show(spec.value(row.option));
    }
}

QWidget* OptionForm::control(const QString& option) const
{
    return findChild<QWidget*>(u"option-"_s + option);
}

void OptionForm::addRow(const OptionInfo& option, QWidget* control)
{
    const QString name = toQt(option.name);
    QString help = toQt(option.help);
    if (option.type == OptionType::Integer || option.type == OptionType::Real)
        help += tr(" (%1 to %2)")
                    .arg(toQt(toText(OptionValue(option.minimum))), toQt(toText(OptionValue(option.maximum))));
    control->setObjectName(u"option-"_s + name);
    control->setAccessibleName(m_backend + QLatin1Char(' ') + name);
    control->setAccessibleDescription(help);
    control->setToolTip(help);
    control->setProperty("docked", true);
    guardWheel(control);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);  // the longest name and choice stand in a row of the dock
    auto* label = new QLabel(QString(name).replace(QLatin1Char('_'), QLatin1Char(' ')), this);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setToolTip(help);
    row->addWidget(label);
    row->addStretch(1);
    row->addWidget(control);
    m_layout->addLayout(row);
}

QWidget* OptionForm::makeControl(const OptionInfo& option)
{
    switch (option.type) {
    case OptionType::Integer:
        return makeInteger(option);
    case OptionType::Real:
        return makeReal(option);
    case OptionType::Choice:
        return makeChoice(option);
    case OptionType::Flag:
        break;
    }
    auto* box = new QCheckBox(this);
    box->setMinimumHeight(24);
    m_rows.push_back({option.name, box, [box](const auto& value) { box->setChecked(std::get<bool>(*value)); }});
    connect(box, &QCheckBox::toggled, this,
            [this, name = toQt(option.name)](bool on) { emit changed(name, OptionValue(on)); });
    return box;
}

QWidget* OptionForm::makeInteger(const OptionInfo& option)
{
    auto* spin = new QSpinBox(this);
    const bool fromRun = !option.defaultValue;
    spin->setRange(fromRun ? runsSeed : whole(option.minimum), whole(option.maximum));
    if (fromRun)
        spin->setSpecialValueText(tr("Same as run"));
    finish(*spin, fromRun ? 110 : 72);
    m_rows.push_back({option.name, spin, [spin](const auto& value) {
                          spin->setValue(value ? whole(double(std::get<int64_t>(*value))) : runsSeed);
                      }});
    connect(spin, &QSpinBox::valueChanged, this, [this, name = toQt(option.name), fromRun](int value) {
        emit changed(name,
                     fromRun && value == runsSeed ? std::nullopt : std::optional<OptionValue>(int64_t{value}));
    });
    return spin;
}

QWidget* OptionForm::makeReal(const OptionInfo& option)
{
    auto* spin = new RealSpin(this);
    const double fallback = option.defaultValue ? std::get<double>(*option.defaultValue) : 0;
    spin->setDecimals(std::max({4, decimalsFor(fallback), decimalsFor(option.minimum)}));
    spin->setRange(option.minimum, option.maximum);
    spin->setSingleStep(fallback > 0.05 ? 0.5 : std::max(fallback, 1e-8));
    finish(*spin, 72);
    m_rows.push_back({option.name, spin, [spin](const auto& value) {
                          const double shown = std::get<double>(*value);
                          spin->setDecimals(std::max(spin->decimals(), decimalsFor(shown)));
                          spin->setValue(shown);
                      }});
    connect(spin, &QDoubleSpinBox::valueChanged, this,
            [this, name = toQt(option.name)](double value) { emit changed(name, OptionValue(value)); });
    return spin;
}

QWidget* OptionForm::makeChoice(const OptionInfo& option)
{
    auto* combo = new QComboBox(this);
    for (const OptionChoice& choice : option.choices) {
        combo->addItem(toQt(choice.name));
        combo->setItemData(combo->count() - 1, toQt(choice.help), Qt::ToolTipRole);
    }
    combo->setMinimumWidth(84);
    combo->setMaximumWidth(150);
    m_rows.push_back({option.name, combo,
                      [combo](const auto& value) { combo->setCurrentText(toQt(std::get<std::string>(*value))); }});
    connect(combo, &QComboBox::currentTextChanged, this, [this, name = toQt(option.name)](const QString& text) {
        emit changed(name, OptionValue(fromQt(text)));
    });
    return combo;
}

QLineEdit* makeSpecField(const QString& name, QWidget* parent)
{
    auto* field = new QLineEdit(parent);
    field->setProperty("sunken", true);
    field->setProperty("docked", true);
    field->setTextMargins(6, 0, 6, 0);
    field->setFont(fontFor(Type::Mono));
    field->setAccessibleName(name);
    return field;
}

QLabel* makeProblemLine(QWidget* parent)
{
    auto* line = new QLabel(parent);
    line->setWordWrap(true);
    line->setFont(fontFor(Type::Small));
    line->setForegroundRole(QPalette::BrightText);
    line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    line->setFocusPolicy(Qt::NoFocus);
    return line;
}

void showSpec(QLineEdit& field, const QString& spec)
{
    field.setText(spec);
    field.setCursorPosition(0);
    field.setToolTip(spec);
}

}
