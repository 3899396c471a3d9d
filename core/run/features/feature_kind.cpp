#include "core/run/features/feature_kind.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <array>

namespace attnscope {

namespace {

struct NamedKind {
    const char* name;
    const char* description;
};
/// By FeatureKind.
constexpr std::array featureKinds{NamedKind{"pooled", "pooled features"}, NamedKind{"token", "class token"},
                                  NamedKind{"avg", "mean of the patches"},
                                  NamedKind{"token+avg", "class token and mean of the patches"}};

}

const char* toText(FeatureKind kind)
{
    return featureKinds.at(size_t(kind)).name;
}

const std::vector<std::string>& featureKindNames()
{
    static const std::vector<std::string> names = namesOf(
        std::vector<NamedKind>(featureKinds.begin(), featureKinds.end()));
    return names;
}

FeatureKind parseFeatureKind(const std::string& name)
{
    const auto& names = featureKindNames();
    for (size_t i = 0; i < names.size(); ++i)
        if (name == names[i])
            return static_cast<FeatureKind>(i);
    throw UsageError("features", "`" + printable(name) + "` is unknown", "use " + joinWords(names));
}

const char* describe(FeatureKind kind)
{
    return featureKinds.at(size_t(kind)).description;
}

}
