#pragma once

#include "core/figure/outlines.h"

#include <QRectF>
#include <QSize>

#include <vector>

class QPainter;

namespace attnscope::ui {

/// Groups of cells over an image at `area`: a line in the group's colour over a darker, wider one, light and dark images alike. On small cells
/// lines are thinner, so that neighbours stay apart.
void drawOutlines(QPainter& painter, const std::vector<GroupOutline>& groups, const QRectF& area, QSize cells);

}
