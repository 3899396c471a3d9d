#include "ui/widgets/number_fields.h"

#include "ui/style/qt_text.h"

#include "core/attention/option.h"

#include <QEvent>
#include <QLocale>

#include <cmath>

namespace attnscope::ui {

namespace {

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

}

QString RealSpin::textFromValue(double value) const
{
    return toQt(toText(OptionValue(value)));
}

double RealSpin::valueFromText(const QString& text) const
{
    return QLocale::c().toDouble(text);
}

QValidator::State RealSpin::validate(QString& text, int&) const
{
    bool ok = false;
    const double value = QLocale::c().toDouble(text, &ok);
    return ok && value >= minimum() && value <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
}

QSpinBox* newCountField(QWidget* parent, int low, int high)
{
    auto* spin = new QSpinBox(parent);
    spin->setRange(low, high);
    spin->setAlignment(Qt::AlignRight);
    spin->setKeyboardTracking(false);
    return spin;
}

RealSpin* newRealField(QWidget* parent, double low, double high, double step)
{
    auto* spin = new RealSpin(parent);
    spin->setDecimals(10);
    spin->setRange(low, high);
    spin->setSingleStep(step);
    spin->setAlignment(Qt::AlignRight);
    spin->setKeyboardTracking(false);
    return spin;
}

int decimalsFor(double value)
{
    int decimals = 2;
    for (double rest = std::abs(value); decimals < 10 && rest > 0 && rest * std::pow(10, decimals) < 0.999;
         ++decimals) {
    }
    return decimals;
}

void guardWheel(QWidget* field)
{
    field->setFocusPolicy(Qt::StrongFocus);
    field->installEventFilter(new WheelGuard(field));
}

}
