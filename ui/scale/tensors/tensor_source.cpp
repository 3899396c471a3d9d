#include "ui/scale/tensors/tensor_source.h"

#include "ui/widgets/controls.h"

#include <QFileDialog>
#include <QFileInfo>

namespace attnscope::ui {

TensorSource::TensorSource(CaptionCombo* imageSizes, QWidget* parent)
    : QObject(parent)
    , m_source(new CaptionCombo(tr("q, k, v"), parent))
    , m_imageSize(imageSizes)
    , m_tokens(new CaptionSpin(tr("Tokens"), 1, 16'384, 196, parent))
    , m_headSize(new CaptionSpin(tr("Head size"), 1, 512, 64, parent))
{
    m_source->setAccessibleName(tr("Source of q, k and v"));
    m_source->addItems({tr("From the model"), tr("From a file…"), tr("Random")});
    m_source->setItemData(
        2,
        tr("Independent standard normal values, drawn with the seed from the bar above, so there is no "
           "structure to find"),
        Qt::ToolTipRole);
    m_imageSize->setToolTip(
        tr("224, 384 and 448 pixels give 196, 576 and 784 patches of 16×16, as in the paper's figure"));
    connect(m_source, &QComboBox::activated, this, [this](int index) {
        const auto kind = static_cast<Kind>(index);
        kind == Kind::File ? askDump() : setKind(kind);
    });
}

QList<QWidget*> TensorSource::fields() const
{
    return {m_source, m_imageSize, m_tokens, m_headSize};
}

void TensorSource::setKind(Kind kind)
{
    m_kind = kind;
    m_source->setCurrentIndex(int(kind));
    m_imageSize->setVisible(kind == Kind::Model);
    m_tokens->setVisible(kind == Kind::Random);
    m_headSize->setVisible(kind == Kind::Random);
    emit changed();
}

QString TensorSource::askFile(QWidget* parent, const QString& current)
{
    return QFileDialog::getOpenFileName(parent, tr("A file of q, k and v"), QFileInfo(current).path(),
                                        tr("Tensors (*.safetensors);;All files (*)"));
}

void TensorSource::askDump()
{
    const QString path = askFile(m_source, m_dump);
    if (path.isEmpty())
        setKind(m_kind);  // the combo box has moved on
    else
        setDump(path);
}

void TensorSource::setDump(const QString& path)
{
    m_dump = path;
    m_source->setItemText(int(Kind::File),
                          path.isEmpty() ? tr("From a file…") : tr("From %1").arg(QFileInfo(path).fileName()));
    setKind(path.isEmpty() ? Kind::Model : Kind::File);
}

SubjectRequest TensorSource::subject() const
{
    SubjectRequest request;
    if (m_kind == Kind::File)
        request.file = m_dump.toStdString();
    if (m_kind == Kind::Random)
        request.random = {.tokens = m_tokens->value(), .width = m_headSize->value()};
    request.model.imageSize = InputSize::square(m_imageSize->currentData().toInt());
    return request;
}

QString TensorSource::text(const QStringList& inputs) const
{
    if (m_kind == Kind::Random)
        return tr("on random q, k, v");
    if (m_kind == Kind::File)
        return tr("on q, k, v from %1").arg(QFileInfo(m_dump).fileName());
    const QString where = inputs.size() == 1 ? QFileInfo(inputs.front()).fileName()
                                             : tr("%1 inputs").arg(inputs.size());
    return tr("on the model's own q, k, v for %1").arg(where);
}

}
