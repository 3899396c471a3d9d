#include "models/labels/known_labels.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
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

namespace {

/// The classes of heads of networks trained on the whole of ImageNet, by their number.
std::map<int64_t, KnownLabels> readWholeImageNet()
{
    constexpr std::array<int64_t, 5> counts{10'450, 11'221, 11'821, 21'841, 21'843};
    constexpr int64_t reordered = 21'842;
    std::map<int64_t, KnownLabels> all;
    const std::vector<std::string>& thousand = imageNetLabels().keys;
    all[reordered].keys = thousand;
    for (const std::string_view line : linesOf(wholeImageNetText)) {
        const std::string synset(line.substr(0, line.find('\t')));
        const auto group = size_t(line.back() - '0');
        for (size_t i = group; i < counts.size(); ++i)
            all[counts[i]].keys.push_back(synset);
        if (group <= 3 && !std::ranges::binary_search(thousand, synset))
            all[reordered].keys.push_back(synset);
    }
    for (auto& [count, labels] : all) {
        labels.dataset = "ImageNet-21k";
        labels.names = labels.keys;
    }
    return all;
}

}

const KnownLabels* knownLabels(int64_t classes, bool video)
{
    constexpr int64_t fewestOfWhole = 10'000;
    if (!video && classes >= fewestOfWhole) {
        static const std::map<int64_t, KnownLabels> whole = readWholeImageNet();
        const auto found = whole.find(classes);
        return found == whole.end() ? nullptr : &found->second;
    }
    const KnownLabels& labels = video ? kineticsLabels() : imageNetLabels();
    return int64_t(labels.names.size()) == classes ? &labels : nullptr;
}

}
