#include "ui/layers/leaderboard/leaderboard_empty.h"

#include "ui/charts/sketch.h"
#include "ui/style/qt_text.h"

namespace attnscope::ui {

EmptyScreen::Description leaderboardEmpty()
{
    return {{},
            {u"run"_s, EmptyScreen::tr("Run"), u"F5"_s},
            {u"open"_s, EmptyScreen::tr("Open…"), u"Ctrl+O"_s},
            {.minHeight = 90,
             .maxHeight = 190,
             .widthPerHeight = 2.3,
             .paint = sketchFront({{"performer", 0.1, 0.9, true},
                                   {"lara", 0.24, 0.58, true},
                                   {"nystrom", 0.4, 0.3, true},
                                   {"rfa", 0.5, 0.85},
                                   {"topk", 0.8, 0.1, true},
                                   {"clustered", 0.68, 0.45}})}};
}

}
