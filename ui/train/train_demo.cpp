#include "ui/train/train_demo.h"

#include "ui/style/qt_text.h"

#include <QDir>
#include <QFileInfo>

namespace attnscope::ui {

TrainRequest trainingDemo(const QString& folder, const QString& demoImage)
{
    TrainRequest request;
    const QString weights = QDir::cleanPath(QFileInfo(demoImage).path() + u"/../models/deit.safetensors"_s);
    if (QFileInfo::exists(weights))
        request.model.weights = request.teacher = fromQt(weights);
    else
        request.model.weights = "untrained";
    request.folder = fromQt(folder);
    request.attention = "performer:samples=128";
    request.output = fromQt(QFileInfo(folder).path() + u"/demo-performer.safetensors"_s);
    for (int i = 2; QFileInfo::exists(toQt(request.output)); ++i)
        request.output = fromQt(u"%1/demo-performer-%2.safetensors"_s.arg(QFileInfo(folder).path()).arg(i));
    request.plan.epochs = 2, request.plan.batch = 32, request.plan.dropPath = 0;
    request.plan.optimizer.learningRate = 1e-3, request.plan.optimizer.warmupEpochs = 0.5;
    request.plan.augment = lightAugmentation();
    request.plan.augment.cropScaleMin = 0.5;
    return request;
}

}
