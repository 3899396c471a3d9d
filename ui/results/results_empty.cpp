#include "ui/results/results_empty.h"

#include "ui/charts/sketch.h"
#include "ui/style/qt_text.h"

namespace attnscope::ui {

EmptyScreen::Description resultsEmpty()
{
    return {{EmptyScreen::tr("No evaluations yet"),
             EmptyScreen::tr("All runs are kept here: accuracy, latency, memory and error side by side, ready to "
                             "filter and export."),
             EmptyScreen::tr("Stores written by attnscope-cli evaluate (.sqlite) can be dropped anywhere")},
            {u"folder"_s, EmptyScreen::tr("Evaluate a folder")},
            {u"open"_s, EmptyScreen::tr("Open store…"), u"Ctrl+O"_s},
            {.minHeight = 120,
             .maxHeight = 210,
             .widthPerHeight = 2.3,
             .paint = sketchFront({{"performer", 0.2, 0.36, true},
                                   {"lara", 0.34, 0.72, true},
                                   {"nystrom", 0.56, 0.5},
                                   {"rfa", 0.58, 0.16},
                                   {"softmax", 0.74, 0.9, true},
                                   {"ra", 0.86, 0.7}})}};
}

}
