// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/option_form.h"

#include "ui/data/qt_text.h"
#include "ui/widgets/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <cmath>
#include <limits>

namespace attnscope::ui {

namespace {

constexpr int runsSeed = -1;  // the spin box's lowest value, shown as a word

/// The wheel scrolls the dock; it changes a value only in the field that has the focus.
class WheelGuard : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        auto* widget = qobject_cast<QWidget*>(watched);
        if (event->type() != QEvent::Wheel || widget == nullptr || widget->hasFocus())
            return false;
        event->ignore();
        return true;
    }
};

int whole(double value)
{
    return static_cast<int>(std::clamp(value, double(std::numeric_limits<int>::min()), double(std::numeric_limits<int>::max())));
}

int decimalsFor(double value)
{
    int decimals = 2;
    for (double rest = std::abs(value); decimals < 10 && rest > 0 && rest * std::pow(10, decimals) < 0.999; ++decimals) {}
    return decimals;
}

/// Shows the shortest spelling of a number: 1, 0.5, 1e-08.
class RealSpin : public QDoubleSpinBox {
public:
    using QDoubleSpinBox::QDoubleSpinBox;
    QString textFromValue(double value) const override { return toQt(toText(OptionValue(value))); }
    double valueFromText(const QString& text) const override { return QLocale::c().toDouble(text); }
    QValidator::State validate(QString& text, int&) const override
    {
        bool ok = false;
        const double value = QLocale::c().toDouble(text, &ok);
        return ok && value >= minimum() && value <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
    }
};

}  // namespace

OptionForm::OptionForm(const BackendInfo& backend, const AttentionSpec& spec, Part part, QWidget* parent)
    : QWidget(parent), m_backend(toQt(backend.name)), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(4);
    for (const OptionInfo& option : backend.options)
        if (option.advanced == (part == Part::Advanced))
            addRow(option, makeControl(option));
    setSpec(spec);
}

void OptionForm::setSpec(const AttentionSpec& spec)
{
    for (const auto& set : m_setters)
        set(spec);
}

QWidget* OptionForm::control(const QString& option) const { return findChild<QWidget*>(QStringLiteral("option-") + option); }

void OptionForm::addRow(const OptionInfo& option, QWidget* control)
{
    const QString name = toQt(option.name);
    QString help = toQt(option.help);
    if (option.type == OptionType::Integer || option.type == OptionType::Real)
        help += tr(" (%1 to %2)").arg(toQt(toText(OptionValue(option.minimum))), toQt(toText(OptionValue(option.maximum))));
    control->setObjectName(QStringLiteral("option-") + name);
    control->setAccessibleName(m_backend + QLatin1Char(' ') + name);
    control->setAccessibleDescription(help);
    control->setToolTip(help);
    control->setProperty("docked", true);
    control->installEventFilter(new WheelGuard(control));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
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
    case OptionType::Integer: return makeInteger(option);
    case OptionType::Real: return makeReal(option);
    case OptionType::Choice: return makeChoice(option);
    case OptionType::Flag: return makeFlag(option);
    }
    return nullptr;
}

QWidget* OptionForm::makeInteger(const OptionInfo& option)
{
    auto* spin = new QSpinBox(this);
    const bool fromRun = !option.defaultValue;
    spin->setRange(fromRun ? runsSeed : whole(option.minimum), whole(option.maximum));
    if (fromRun)
        spin->setSpecialValueText(tr("run's"));
    spin->setAlignment(Qt::AlignRight);
    spin->setFixedWidth(72);
    spin->setKeyboardTracking(false);
    const QString name = toQt(option.name);
    m_setters.push_back([spin, key = option.name, fromRun](const AttentionSpec& spec) {
        const QSignalBlocker quiet(spin);
        const bool given = !fromRun || spec.canonical().find(key + "=") != std::string::npos;
        spin->setValue(given ? whole(static_cast<double>(spec.integer(key))) : runsSeed);
    });
    connect(spin, &QSpinBox::valueChanged, this, [this, name, fromRun](int value) {
        if (!fromRun || value != runsSeed)
            emit changed(name, OptionValue(static_cast<std::int64_t>(value)));
    });
    return spin;
}

QWidget* OptionForm::makeReal(const OptionInfo& option)
{
    auto* spin = new RealSpin(this);
    const double fallback = option.defaultValue ? std::get<double>(*option.defaultValue) : 0;
    spin->setDecimals(std::max(4, decimalsFor(fallback)));
    spin->setRange(option.minimum, option.maximum);
    spin->setSingleStep(fallback > 0.05 ? 0.5 : std::max(fallback, 1e-8));
    spin->setAlignment(Qt::AlignRight);
    spin->setFixedWidth(72);
    spin->setKeyboardTracking(false);
    const QString name = toQt(option.name);
    m_setters.push_back([spin, key = option.name](const AttentionSpec& spec) {
        const QSignalBlocker quiet(spin);
        spin->setDecimals(std::max(spin->decimals(), decimalsFor(spec.real(key))));
        spin->setValue(spec.real(key));
    });
    connect(spin, &QDoubleSpinBox::valueChanged, this, [this, name](double value) { emit changed(name, OptionValue(value)); });
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
    const QString name = toQt(option.name);
    m_setters.push_back([combo, key = option.name](const AttentionSpec& spec) {
        const QSignalBlocker quiet(combo);
        combo->setCurrentText(toQt(spec.choice(key)));
    });
    connect(combo, &QComboBox::currentTextChanged, this, [this, name](const QString& text) { emit changed(name, OptionValue(fromQt(text))); });
    return combo;
}

QWidget* OptionForm::makeFlag(const OptionInfo& option)
{
    auto* box = new QCheckBox(this);
    box->setMinimumHeight(24);
    const QString name = toQt(option.name);
    m_setters.push_back([box, key = option.name](const AttentionSpec& spec) {
        const QSignalBlocker quiet(box);
        box->setChecked(spec.flag(key));
    });
    connect(box, &QCheckBox::toggled, this, [this, name](bool on) { emit changed(name, OptionValue(on)); });
    return box;
}

}  // namespace attnscope::ui
