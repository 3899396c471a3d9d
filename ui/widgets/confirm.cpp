#include "ui/widgets/confirm.h"

#include <QMessageBox>
#include <QPushButton>

namespace attnscope::ui {

bool confirmed(QWidget* parent, const Confirmation& question)
{
    QMessageBox box(QMessageBox::NoIcon, question.title, question.text, QMessageBox::NoButton, parent);
    box.setObjectName(question.name);
    box.setInformativeText(question.details);
    box.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    QPushButton* stay = box.addButton(question.stay, QMessageBox::RejectRole);
    QPushButton* proceed = box.addButton(question.proceed, QMessageBox::AcceptRole);
    box.setDefaultButton(stay);
    box.setEscapeButton(stay);
    box.exec();
    return box.clickedButton() == proceed;
}

}
