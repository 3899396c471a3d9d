#include "ui/window/command_dialog.h"

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

CommandDialog::CommandDialog(const QString& title, const QString& what, const QString& program,
                             const QStringList& arguments, QWidget* parent)
    : QDialog(parent)
    , m_first(arguments)
    , m_text(new QPlainTextEdit(this))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Close, this))
    , m_process(new QProcess(this))
{
    setWindowTitle(title);
    resize(760, 560);
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setAccessibleName(what);
    m_copy = m_buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    m_copy->setEnabled(false);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_text);
    column->addWidget(m_buttons);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_text->toPlainText()); });
    m_process->setProgram(program);
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    if (!QFileInfo(program).isExecutable()) {
        m_text->setPlainText(tr("attnscope-cli is not next to this program; install Attnscope again."));
        return;
    }
    m_text->setPlainText(tr("Looking at this machine…"));
    connect(m_process, &QProcess::readyRead, this, &CommandDialog::takeOutput);
    connect(m_process, &QProcess::finished, this, &CommandDialog::finish);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            m_text->setPlainText(tr("%1 cannot be started (%2); install Attnscope again.")
                                     .arg(m_process->program(), m_process->errorString()));
    });
    start(arguments);
}

CommandDialog::~CommandDialog()
{
    m_process->disconnect(this);
    if (m_process->state() != QProcess::NotRunning) {
        m_process->terminate();
        m_process->waitForFinished(3000);
    }
}

QPushButton* CommandDialog::addCommand(const QString& text, const QStringList& arguments)
{
    QPushButton* button = m_buttons->addButton(text, QDialogButtonBox::ActionRole);
    button->setEnabled(false);
    m_commands << button;
    connect(button, &QPushButton::clicked, this, [this, arguments] {
        m_text->clear();
        start(arguments);
    });
    return button;
}

void CommandDialog::start(const QStringList& arguments)
{
    for (QPushButton* button : m_commands)
        button->setEnabled(false);
    m_process->setArguments(arguments);
    m_process->start();
}

void CommandDialog::takeOutput()
{
    if (!m_copy->isEnabled())
        m_text->clear();  // of what stood there while nothing was known
    m_copy->setEnabled(true);
    m_text->moveCursor(QTextCursor::End);
    m_text->insertPlainText(QString::fromUtf8(m_process->readAll()));
}

void CommandDialog::finish()
{
    if (m_process->arguments() != m_first) {
        m_text->appendPlainText(QString());
        start(m_first);
        return;
    }
    if (!m_copy->isEnabled())
        m_text->setPlainText(tr("attnscope-cli %1 ended without a report (%2).")
                                 .arg(m_first.join(QLatin1Char(' ')), m_process->errorString()));
    m_text->moveCursor(QTextCursor::Start);
    for (QPushButton* button : m_commands)
        button->setEnabled(true);
}

CommandDialog* doctorDialog(const QString& program, QWidget* parent)
{
    return new CommandDialog(CommandDialog::tr("Doctor"),
                             CommandDialog::tr("What is installed, what works, and what is missing"), program,
                             {u"doctor"_s}, parent);
}

CommandDialog* gpuDialog(const QString& program, QWidget* parent)
{
    auto* dialog = new CommandDialog(CommandDialog::tr("GPUs"),
                                     CommandDialog::tr("Which GPUs can be used, and what keeps others from it"),
                                     program, {u"gpu"_s}, parent);
    dialog->resize(760, 320);  // a few lines, some of them sentences
    dialog->text()->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    dialog->addCommand(CommandDialog::tr("&Install"), {u"gpu"_s, u"install"_s})
        ->setToolTip(CommandDialog::tr("Downloads LibTorch's libraries for GPUs (2.5 GB). Restart Attnscope "
                                       "afterwards."));
    dialog->addCommand(CommandDialog::tr("&Remove"), {u"gpu"_s, u"remove"_s})
        ->setToolTip(CommandDialog::tr("Deletes what Install has downloaded (3.2 GB)."));
    return dialog;
}

}
