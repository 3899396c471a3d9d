#include "ui/window/doctor_dialog.h"

#include "ui/style/qt_text.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QVBoxLayout>

namespace attnscope::ui {

DoctorDialog::DoctorDialog(const QString& program, QWidget* parent)
    : QDialog(parent)
    , m_text(new QPlainTextEdit(this))
    , m_process(new QProcess(this))
{
    setWindowTitle(tr("Doctor"));
    resize(760, 560);
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setAccessibleName(tr("What is installed, what works, and what is missing"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    m_copy->setEnabled(false);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_text);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_text->toPlainText()); });
    if (!QFileInfo(program).isExecutable()) {
        m_text->setPlainText(tr("attnscope-cli is not next to this program; install Attnscope again."));
        return;
    }
    m_text->setPlainText(tr("Looking at this machine…"));
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    connect(m_process, &QProcess::finished, this, &DoctorDialog::finish);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            m_text->setPlainText(tr("%1 cannot be started (%2); install Attnscope again.")
                                     .arg(m_process->program(), m_process->errorString()));
    });
    m_process->start(program, {u"doctor"_s});
}

void DoctorDialog::finish()
{
    const QString report = QString::fromUtf8(m_process->readAll());
    m_text->setPlainText(
        report.isEmpty() ? tr("attnscope-cli doctor ended without a report (%1).").arg(m_process->errorString())
                         : report);
    m_copy->setEnabled(!report.isEmpty());
}

}
