#pragma once

#include "core/base/error.h"
#include "models/training/student.h"

#include "tests/support/checks.h"

#include <string>
#include <vector>

/// Small networks of every family, with every form of weights that training moves.
namespace attnscope::test {

struct TrainingCase {
    const char* description;  ///< of tests/data/models
    const char* attention;
    const char* maps = "none";
};

inline const std::vector<TrainingCase>& trainingCases()
{
    static const std::vector<TrainingCase> cases{
        {"deit_tiny_cfg", "softmax"},
        {"deit_tiny_cfg", "softmax:form=explicit"},
        {"deit_tiny_cfg", "lara:samples=4,proposal=mixed"},
        {"deit_tiny_cfg", "lara:samples=4,proposal=mixed", "light"},
        {"deit_tiny_cfg", "performer:samples=16"},
        {"deit_tiny_cfg", "rfa:samples=16"},
        {"deit_tiny_cfg", "ra"},
        {"deit_distilled_tiny_cfg", "softmax"},
        {"deit_distilled_tiny_cfg", "lara:samples=4", "light"},
        {"evit_softmax_tiny_cfg", "softmax"},
        {"evit_softmax_tiny_cfg", "lara:samples=9,proposal=mixed,weights=coupled", "light"},
        {"evit_softmax_tiny_cfg", "performer:samples=16,orthogonal=true"},
        {"pvtv2_sra_tiny_cfg", "sra"},
        {"pvtv2_sra_tiny_cfg", "softmax"},
        {"pvtv2_linear_tiny_cfg", "sra:linear=true"},
        {"pvtv2_lara_tiny_cfg", "lara:samples=4,proposal=mixed", "dense"},
        {"pvtv2_lara_tiny_cfg", "lara:samples=4,proposal=mixed", "light"},
        {"pvtv2_lara_tiny_cfg", "softmax"},
        {"pvtv2_lara_tiny_cfg", "performer:samples=16"},
        {"motionformer_trajectory_tiny_cfg", "softmax"},
        {"motionformer_trajectory_tiny_cfg", "lara:samples=9"},
        {"motionformer_trajectory_tiny_cfg", "performer:samples=16"},
        {"motionformer_trajectory_fixed_v_tiny_cfg", "softmax"},
        {"motionformer_joint_tiny_cfg", "softmax"},
        {"motionformer_joint_tiny_cfg", "rfa:samples=16"},
        {"motionformer_divided_tiny_cfg", "softmax"},
        {"motionformer_divided_tiny_cfg", "ra"},
    };
    return cases;
}

inline std::string nameOf(const TrainingCase& one)
{
    return std::string(one.description) + " " + one.attention
           + (std::string(one.maps) == "none" ? "" : std::string(" ") + one.maps);
}

inline std::string descriptionFile(const TrainingCase& one)
{
    return std::string(TEST_DATA_DIR "/models/") + one.description + ".json";
}

inline std::vector<std::string> classNames(int64_t count)
{
    std::vector<std::string> names;
    for (int64_t i = 0; i < count; ++i)
        names.push_back("class " + std::to_string(i));
    return names;
}

inline at::Tensor drawn(at::IntArrayRef shape, uint64_t seed, at::ScalarType dtype)
{
    auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
    return at::randn(shape, generator, at::dtype(at::kDouble)).to(dtype);
}

inline Student studentOf(const TrainingCase& one, at::ScalarType dtype, int64_t classes = 6)
{
    TrainRequest request;
    request.model.model = descriptionFile(one);
    request.model.weights = "untrained:3";
    request.attention = one.attention;
    request.landmarkMap = one.maps;
    Student student = makeStudent(request, {.dtype = dtype, .source = "untrained, seed 3"}, classNames(classes));
    const at::NoGradGuard guard;  // biases that are not zero, scores that are not all alike
    uint64_t seed = 50;
    for (const NamedWeight& weight : student.network->weights())
        if (weight.value.defined())
            weight.value.add_(drawn(weight.value.sizes(), seed++, dtype), 0.2);
    return student;
}

inline at::Tensor inputFor(const TrainableClassifier& network, int64_t batch, uint64_t seed = 7)
{
    std::vector<int64_t> shape = network.describe().input;
    shape.insert(shape.begin(), batch);
    return drawn(shape, seed, network.dtype());
}

inline void addTrainingRows()
{
    columns<int>("index");
    for (size_t i = 0; i < trainingCases().size(); ++i)
        row(nameOf(trainingCases()[i]), int(i));
}

}
