#include "ui/results/exits_empty.h"

#include "ui/charts/sketch.h"
#include "ui/style/qt_text.h"

namespace attnscope::ui {

EmptyScreen::Description exitsEmpty()
{
    return {{},
            {u"run"_s, EmptyScreen::tr("Run"), u"F5"_s},
            {u"folder"_s, EmptyScreen::tr("Choose a folder…")},
            {.minHeight = 110,
             .maxHeight = 200,
             .widthPerHeight = 2.3,
             .paint = sketchFront({{"performer", 0.1, 0.16, true},
                                   {"performer", 0.3, 0.42, true},
                                   {"performer", 0.52, 0.66, true},
                                   {"softmax", 0.26, 0.6, true},
                                   {"softmax", 0.46, 0.82, true},
                                   {"softmax", 0.8, 0.9, true}})}};
}

}
