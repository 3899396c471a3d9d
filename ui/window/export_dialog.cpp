#include "ui/window/export_dialog.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/workspace/accuracy_text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QVBoxLayout>

namespace attnscope::ui {

ExportDialog::ExportDialog(const QString& network, const QStringList& specs, const QString& chosen,
                           QWidget* parent)
    : QDialog(parent)
    , m_network(network)
    , m_attention(new QComboBox(this))
    , m_file(new QLineEdit(this))
{
    setWindowTitle(tr("Export network"));
    setMinimumWidth(560);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 12);
    column->setSpacing(12);
    auto* what = new QLabel(tr("Writes %1 as an ONNX file that ONNX Runtime and OpenVINO run: preprocessed images "
                               "in, predictions or features out, any "
                               "batch size.")
                                .arg(network),
                            this);
    what->setWordWrap(true);
    column->addWidget(what);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    for (const QString& spec : specs)
        m_attention->addItem(titleOfSpec(spec), spec);
    m_attention->setCurrentIndex(std::max(0, m_attention->findData(chosen)));
    m_attention->setAccessibleName(tr("Attention of the exported network"));
    form->addRow(tr("&Attention"), m_attention);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    m_file->setAccessibleName(tr("ONNX file to write"));
    auto* choose = new QPushButton(tr("&Choose…"), this);
    row->addWidget(m_file, 1);
    row->addWidget(choose);
    form->addRow(tr("&File"), row);
    qobject_cast<QLabel*>(form->labelForField(row))->setBuddy(m_file);
    column->addLayout(form);
    auto* note = new QLabel(tr("Attentions that draw anew for every image, such as RA, cannot be exported; the "
                               "message then names the nearest that can."),
                            this);
    note->setWordWrap(true);
    note->setFont(fontFor(Type::Small));
    note->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(note);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_export = buttons->addButton(tr("&Export"), QDialogButtonBox::AcceptRole);
    column->addWidget(buttons);
    connect(choose, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(m_attention, &QComboBox::currentIndexChanged, this, &ExportDialog::proposeFile);
    connect(m_file, &QLineEdit::textChanged, this,
            [this](const QString& text) { m_export->setEnabled(!text.trimmed().isEmpty()); });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    proposeFile();
}

QString ExportDialog::attention() const
{
    return m_attention->currentData().toString();
}
QString ExportDialog::path() const
{
    return m_file->text().trimmed();
}

/// After the network and the attention, in the folder of documents, as long as nothing else was typed.
void ExportDialog::proposeFile()
{
    if (m_file->text() != m_proposed)
        return;
    static const QRegularExpression others(u"[^A-Za-z0-9._]+"_s);
    const QString name = QString(m_network + QLatin1Char('-') + attention()).replace(others, u"-"_s);
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const QString folder = QFileInfo(documents).isDir() ? documents
                                                        : QDir::homePath();  // not every machine has one
    m_proposed = QDir::toNativeSeparators(folder + QLatin1Char('/') + name + u".onnx"_s);
    m_file->setText(m_proposed);
}

void ExportDialog::browse()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Export network"), m_file->text(),
                                                      tr("ONNX (*.onnx)"), nullptr,
                                                      QFileDialog::DontConfirmOverwrite);
    if (!path.isEmpty())
        m_file->setText(QDir::toNativeSeparators(path));
}

}
