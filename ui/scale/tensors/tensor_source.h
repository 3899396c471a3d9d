#pragma once

#include "ui/scale/scale_session.h"

#include <QObject>

class QWidget;

namespace attnscope::ui {

class CaptionCombo;
class CaptionSpin;

/// The fields that say where q, k and v come from: the model at hand, a file, or random numbers.
class TensorSource : public QObject {
    Q_OBJECT
public:
    enum class Kind { Model, File, Random };
    /// `imageSizes` is shown with the model.
    TensorSource(CaptionCombo* imageSizes, QWidget* parent);

    QList<QWidget*> fields() const;
    void setKind(Kind kind);
    Kind kind() const { return m_kind; }
    /// A file; empty: the model.
    void setDump(const QString& path);
    void askDump();
    /// The file that is chosen, next to `current`; empty: none was.
    static QString askFile(QWidget* parent, const QString& current);
    CaptionSpin* tokens() const { return m_tokens; }
    CaptionSpin* headSize() const { return m_headSize; }
    CaptionCombo* imageSize() const { return m_imageSize; }
    /// "on q, k, v from qkv.safetensors"; `inputs` are those of the model.
    QString text(const QStringList& inputs) const;

    /// Of a model its image size alone.
    SubjectRequest subject() const;

signals:
    void changed();

private:
    CaptionCombo* m_source;
    CaptionCombo* m_imageSize;
    CaptionSpin* m_tokens;
    CaptionSpin* m_headSize;
    Kind m_kind = Kind::Model;
    QString m_dump;
};

}
