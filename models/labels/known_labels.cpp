#include "models/labels/known_labels.h"

#include "core/base/text.h"

#include <map>

namespace attnscope {

namespace {

std::vector<std::string_view> linesOf(std::string_view text)
{
    auto lines = split(text, '\n');
    while (!lines.empty() && trim(lines.back()).empty())
        lines.pop_back();
    return lines;
}

/// Lines of `key<tab>word, word`.
KnownLabels readImageNet()
{
    KnownLabels labels{"ImageNet-1k", {}, {}};
    std::map<std::string, int> seen;
    for (const std::string_view line : linesOf(imageNetText)) {
        const size_t tab = line.find('\t');
        labels.keys.emplace_back(line.substr(0, tab));
        const std::string_view words = line.substr(tab + 1);
        labels.names.emplace_back(words.substr(0, words.find(',')));
        ++seen[labels.names.back()];
    }
    for (size_t i = 0; i < labels.names.size(); ++i)
        if (seen[labels.names[i]] > 1)
            labels.names[i] += " (" + labels.keys[i] + ")";
    return labels;
}

KnownLabels readKinetics()
{
    KnownLabels labels{"Kinetics-400", {}, {}};
    for (const std::string_view line : linesOf(kineticsText))
        labels.names.emplace_back(line);
    return labels;
}

}

const KnownLabels& imageNetLabels()
{
    static const KnownLabels labels = readImageNet();
    return labels;
}

const KnownLabels& kineticsLabels()
{
    static const KnownLabels labels = readKinetics();
    return labels;
}

const KnownLabels* knownLabels(int64_t classes, bool video)
{
    const KnownLabels& labels = video ? kineticsLabels() : imageNetLabels();
    return int64_t(labels.names.size()) == classes ? &labels : nullptr;
}

}
