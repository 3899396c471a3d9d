#include "ui/compare/merged_panel.h"

#include "ui/compare/patch_images.h"
#include "ui/compare/table/run_table_model.h"
#include "ui/widgets/controls.h"

#include "core/lab/layers/merged_patches.h"

#include <QBoxLayout>
#include <QSignalBlocker>

#include <algorithm>

namespace attnscope::ui {

namespace {

/// Of an image whose patches have a grid: of a clip not every frame is at hand.
const MergedTokens* mergedOf(const RunRecord* record)
{
    return record != nullptr && record->merged && record->merged->frames == 1 && record->merged->rows > 0
                   && !record->merged->layers.empty()
               ? &*record->merged
               : nullptr;
}

}

MergedPanel::MergedPanel(const RunTableModel& runs, QWidget* parent)
    : QWidget(parent)
    , m_runs(runs)
    , m_blocks(new CaptionCombo(tr("Behind"), this))
    , m_images(new PatchImages(tr("Patches that have become one token"), this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(4);
    m_blocks->hide();  // the screen has a place for it
    m_blocks->setAccessibleName(tr("Block behind which tokens are shown"));
    column->addWidget(m_images, 1);
    connect(m_blocks, &QComboBox::currentIndexChanged, this, &MergedPanel::refresh);
    connect(&runs, &RunTableModel::figuresChanged, this, &MergedPanel::refresh);
    connect(&runs, &QAbstractItemModel::modelReset, this, &MergedPanel::refresh);
    refresh();
}

void MergedPanel::setImage(const QImage& image)
{
    m_image = image;
    refresh();
}

bool MergedPanel::any() const
{
    for (int column = 0; column < m_runs.columnCount(); ++column)
        if (mergedOf(m_runs.record(column).get()) != nullptr)
            return true;
    return false;
}

/// The last block, where most tokens have merged, until another is chosen.
void MergedPanel::offerBlocks()
{
    size_t most = 0;
    for (int column = 0; column < m_runs.columnCount(); ++column)
        if (const auto record = m_runs.record(column); const MergedTokens* merged = mergedOf(record.get()))
            most = std::max(most, merged->layers.size());
    if (m_blocks->count() == int(most))
        return;
    const QSignalBlocker silent(m_blocks);
    m_blocks->clear();
    for (size_t block = 0; block < most; ++block)
        m_blocks->addItem(tr("block %1").arg(block));
    m_blocks->setCurrentIndex(int(most) - 1);
}

void MergedPanel::refresh()
{
    offerBlocks();
    QVector<PatchImage> shown;
    for (int column = 0; column < m_runs.columnCount(); ++column) {
        const auto record = m_runs.record(column);
        const MergedTokens* merged = mergedOf(record.get());
        if (merged == nullptr)
            continue;
        const auto block = std::min(size_t(std::max(0, m_blocks->currentIndex())), merged->layers.size() - 1);
        const QString title = m_runs.columnTitle(column);
        const QString left = tr("%1 of %2 tokens").arg(merged->left(block)).arg(merged->layers[block].size());
        shown.push_back({m_image, title, m_runs.column(column).lookKey(), left,
                         tr("%1: %2 behind block %3").arg(title, left).arg(block),
                         QSize(int(merged->columns), int(merged->rows)),
                         groupOutlines(mergedPatches(*merged, block, 0), merged->rows, merged->columns)});
    }
    m_images->show(shown, tr("No tokens merge"));
    const bool now = !shown.isEmpty();
    if (now != m_had) {
        m_had = now;
        emit anyChanged();
    }
}

}
