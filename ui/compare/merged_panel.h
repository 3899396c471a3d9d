#pragma once

#include <QImage>
#include <QWidget>

namespace attnscope::ui {

class CaptionCombo;
class PatchImages;
class RunTableModel;

/// Which patches of the shown image have become one token behind a block, on the image, for each attention whose tokens merge.
class MergedPanel : public QWidget {
    Q_OBJECT
public:
    explicit MergedPanel(const RunTableModel& runs, QWidget* parent = nullptr);

    /// What the network sees of the input; null: not known.
    void setImage(const QImage& image);
    /// Whether there is anything to show.
    bool any() const;
    PatchImages* images() const { return m_images; }
    /// Chooses the block; stands among the controls of charts.
    CaptionCombo* blocks() const { return m_blocks; }

signals:
    void anyChanged();

private:
    void refresh();
    void offerBlocks();

    const RunTableModel& m_runs;
    QImage m_image;
    CaptionCombo* m_blocks;
    PatchImages* m_images;
    bool m_had = false;
};

}
