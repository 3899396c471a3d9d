#include "models/labels/model_classes.h"

#include "core/base/spread.h"
#include "core/data/dataset/evaluation_folder.h"
#include "core/run/classifier.h"
#include "models/labels/known_labels.h"

#include <algorithm>
#include <filesystem>

namespace attnscope {

ModelClasses classesOf(const Classifier& classifier)
{
    const ModelSummary& model = classifier.describe();
    ModelClasses classes{
        model.name, model.classes, classifier.labels(), {}, model.weights != WeightsKind::Untrained};
    const KnownLabels* known = knownLabels(model.classes, model.input.size() == 4);
    if (classes.names.empty() && known != nullptr)
        classes.names = known->names;
    if (known != nullptr && classes.names == known->names)
        classes.keys = known->keys;
    return classes;
}

LabelledSample labelledSample(const std::string& place, const Classifier& classifier, int64_t count)
{
    const LabelledSet set = matchClasses(scanEvaluation(place, FolderLayout::Auto), classesOf(classifier));
    LabelledSample sample;
    sample.found = int64_t(set.files.size());
    for (const size_t i : spreadOver(set.files.size(), size_t(std::max<int64_t>(count, 1)))) {
        sample.paths.push_back(std::filesystem::absolute(set.files[i].path).lexically_normal().string());
        sample.labels.push_back(set.files[i].label);
    }
    return sample;
}

}
