#include "ui/window/checkpoint_dialog.h"

#include "ui/style/language.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace attnscope::ui {

namespace {

QLabel* paragraph(const QString& text, Type type, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setWordWrap(true);
    label->setFont(fontFor(type));
    return label;
}

/// One group of the report, left out when it is empty.
void addGroup(QTreeWidget& tree, const QString& title, const std::vector<std::string>& names, bool open)
{
    if (names.empty())
        return;
    auto* group = new QTreeWidgetItem(&tree, {QObject::tr("%1 (%2)").arg(title).arg(names.size())});
    group->setFirstColumnSpanned(true);
    for (const std::string& name : names) {
        auto* line = new QTreeWidgetItem(group, {toQt(name)});
        line->setFirstColumnSpanned(true);
        line->setToolTip(0, toQt(name));
    }
    group->setExpanded(open);
}

QString shapeText(const std::vector<int64_t>& shape)
{
    QStringList sizes;
    for (const int64_t size : shape)
        sizes << QString::number(size);
    return sizes.isEmpty() ? QObject::tr("scalar") : sizes.join(QChar(0x00D7));
}

bool asksOnlyHeads(const CheckpointIdentity& identity)
{
    return identity.undecided.size() == 1 && identity.undecided.front() == "num_heads";
}

}

CheckpointDialog::CheckpointDialog(const Inspection& inspection, const QStringList& models, QWidget* parent)
    : QDialog(parent)
{
    m_path = toQt(inspection.file);
    m_headsRequested = asksOnlyHeads(inspection.identity);
    setWindowTitle(tr("Checkpoint"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 18, 20, 14);
    column->setSpacing(10);
    addHead(inspection);
    const bool usable = !inspection.identity.family.empty() || inspection.identity.title.empty();
    if (usable)
        addQuestions(inspection, models);
    addReport(inspection);
    addButtons(usable);
    resize(680, 560);
}

void CheckpointDialog::addHead(const Inspection& inspection)
{
    layout()->addWidget(paragraph(QFileInfo(m_path).fileName(), Type::BodyStrong, this));
    layout()->addWidget(paragraph(toQt(describeIdentity(inspection.identity)), Type::Body, this));
    if (inspection.fit)
        layout()->addWidget(paragraph(toQt(oneLine(*inspection.fit)), Type::Body, this));
    if (!inspection.undecided.empty() && !m_headsRequested)
        layout()->addWidget(paragraph(toQt(inspection.undecided), Type::Body, this));
    if (!inspection.publishedDigits.empty() && !inspection.digitsAgree())
        layout()->addWidget(
            paragraph(tr("According to its name its SHA-256 should begin with %1, but it begins with %2; the file "
                         "was changed, or its download is incomplete.")
                          .arg(toQt(inspection.publishedDigits), toQt(inspection.sha256).left(8)),
                      Type::BodyMedium, this));
}

/// The best guess stands first, so that Return takes it.
void CheckpointDialog::addQuestions(const Inspection& inspection, const QStringList& models)
{
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    m_model = new QComboBox(this);
    m_model->setAccessibleName(tr("Model"));
    const bool bySizes = m_headsRequested || (inspection.fit && inspection.fit->fits());
    if (bySizes)
        m_model->addItem(tr("From the checkpoint"), QString());
    const QString guess = toQt(inspection.identity.model);
    if (!guess.isEmpty())
        m_model->addItem(guess, guess);
    for (const QString& model : models)
        if (model != guess)
            m_model->addItem(model, model);
    form->addRow(tr("Model"), m_model);
    if (m_headsRequested) {
        const int64_t likely = likelyHeads(inspection.identity);
        m_heads = new QSpinBox(this);
        m_heads->setRange(1, 4096);
        m_heads->setValue(int(std::max<int64_t>(likely, 1)));
        m_heads->setAccessibleName(tr("Attention heads"));
        form->addRow(tr("Heads"), m_heads);
        const QString reason =
            likely > 0 ? tr("The file does not contain the number of heads. With 64 channels per head, as in "
                            "DeiT, it would be %1.")
                             .arg(likely)
                       : tr("The file does not contain the number of heads.");
        form->addRow(QString(), paragraph(reason, Type::Small, this));
    }
    static_cast<QVBoxLayout*>(layout())->addLayout(form);
    connect(m_model, &QComboBox::currentIndexChanged, this, &CheckpointDialog::refresh);
    refresh();
}

void CheckpointDialog::refresh()
{
    if (m_heads != nullptr)
        m_heads->setEnabled(model().isEmpty());
}

void CheckpointDialog::addReport(const Inspection& inspection)
{
    m_report = new QTreeWidget(this);
    m_report->setHeaderLabels({tr("Tensor"), tr("Type"), tr("Shape")});
    m_report->setAccessibleName(tr("Report"));
    m_report->setAlternatingRowColors(false);
    if (inspection.fit) {
        const LoadReport& fit = *inspection.fit;
        addGroup(*m_report, tr("Missing"), fit.missing, true);
        addGroup(*m_report, tr("Shape mismatch"), fit.mismatching, true);
        addGroup(*m_report, tr("Unexpected"), fit.unexpected, true);
        addGroup(*m_report, tr("Non-finite"), fit.notFinite, true);
        addGroup(*m_report, tr("Resized"), fit.resized, true);
        addGroup(*m_report, tr("Ignored"), fit.ignored, false);
        addGroup(*m_report, tr("Notes"), fit.notes, true);
    }
    const auto& tensors = inspection.state.tensors;
    auto* all = new QTreeWidgetItem(m_report, {tr("Tensors (%1)").arg(tensors.size())});
    for (const auto& [name, tensor] : tensors)
        new QTreeWidgetItem(all, {toQt(name), QString::fromLatin1(toText(tensor.type)), shapeText(tensor.shape)});
    all->setExpanded(m_report->topLevelItemCount() == 1);
    m_report->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_report->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_report->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    m_report->header()->setStretchLastSection(false);
    static_cast<QVBoxLayout*>(layout())->addWidget(m_report, 1);
}

void CheckpointDialog::addButtons(bool usable)
{
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    if (usable) {
        auto* use = new ActionButton(QString(), tr("Use these weights"), ActionButton::Look::Primary, this);
        buttons->addButton(use, QDialogButtonBox::AcceptRole);
        use->setDefault(true);
        connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    }
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (QAbstractButton* button : buttons->buttons())
        button->setAccessibleName(withoutMnemonic(button->text()));
    layout()->addWidget(buttons);
}

QString CheckpointDialog::model() const
{
    return m_model != nullptr ? m_model->currentData().toString() : QString();
}

int CheckpointDialog::heads() const
{
    return m_heads != nullptr && model().isEmpty() ? m_heads->value() : 0;
}

}
