#include "ui/train/train_empty.h"

#include "ui/charts/sketch.h"
#include "ui/style/qt_text.h"

namespace attnscope::ui {

EmptyScreen::Description trainEmpty()
{
    return {
        {EmptyScreen::tr("Drop a folder of images or videos"),
         EmptyScreen::tr("Softmax weights lose accuracy with another attention: see how much training recovers."),
         EmptyScreen::tr("A folder with train and val, each with one subfolder per class; or class folders only; "
                         "or lists of files")},
        {u"run"_s,
         EmptyScreen::tr("Try the demo"),
         {},
         EmptyScreen::tr("Writes the demo scenes to a cache folder and fills in the form for a training run of a "
                         "minute or two")},
        {u"folder"_s, EmptyScreen::tr("Open…"), u"Ctrl+O"_s},
        {.minHeight = 110,
         .maxHeight = 210,
         .width = 520,
         .paint = sketchCurves({{"softmax", 0.9, 0.9, 0, EmptyScreen::tr("Teacher"), SeriesLine::Level},
                                {"lara", 0.42, 0.73, -0.077},
                                {"performer", 0.12, 0.54, -0.1}})},
        EmptyScreen::tr("Show settings"),
        EmptyScreen::tr("Model, attention, teacher and schedule; the folder can be chosen there, too")};
}

}
