#include "ui/train/train_command.h"

#include "ui/style/qt_text.h"

#include "models/training/train_options.h"

namespace attnscope::ui {

QString trainCommand(const TrainRequest& request, int threads)
{
    std::vector<std::string> words = optionWords(TrainOptions(request, threads));
    words.insert(words.begin(), "train");
    return toQt(shellLine(words));
}

}
