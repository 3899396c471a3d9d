// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/layers/leaderboard/leaderboard_empty.h"

#include "ui/style/qt_text.h"
#include "ui/style/sketch.h"

namespace attnscope::ui {

EmptyScreen::Description leaderboardEmpty()
{
    return {{},
            {QStringLiteral("run"), EmptyScreen::tr("Run"), QStringLiteral("F5")},
            {QStringLiteral("open"), EmptyScreen::tr("Open…"), QStringLiteral("Ctrl+O")},
            {.minHeight = 90,
             .maxHeight = 190,
             .widthPerHeight = 2.3,
             .paint = [](QPainter& painter, const QRectF& area, const Theme& theme, const QStringList&) {
                 drawSketchGrid(painter, area, theme);
                 drawSketchFront(painter, area,
                                 {{"performer", 0.1, 0.9, true}, {"lara", 0.24, 0.58, true}, {"nystrom", 0.4, 0.3, true}, {"rfa", 0.5, 0.85},
                                  {"topk", 0.8, 0.1, true}, {"clustered", 0.68, 0.45}},
                                 theme);
             }}};
}

}  // namespace attnscope::ui
