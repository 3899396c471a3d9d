#pragma once

#include <QDoubleSpinBox>

namespace attnscope::ui {

/// Shows the shortest spelling of a number: 1, 0.5, 1e-08.
class RealSpin : public QDoubleSpinBox {
    Q_OBJECT
public:
    using QDoubleSpinBox::QDoubleSpinBox;
    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int&) const override;
};

/// Fields of a form: to the right, and told once the typing has ended.
QSpinBox* newCountField(QWidget* parent, int low, int high);
RealSpin* newRealField(QWidget* parent, double low, double high, double step);

/// How many decimals show all of a small number.
int decimalsFor(double value);

/// The wheel scrolls what the field stands in; it changes a value only in the field that has the focus.
void guardWheel(QWidget* field);

}
