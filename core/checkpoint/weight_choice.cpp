#include "core/checkpoint/weight_choice.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/pickle/pickle_globals.h"

#include <algorithm>
#include <unordered_map>

namespace attnscope {

namespace {

/// Keys that training codes use for the weights, in order of preference.
constexpr std::string_view defaultKeys[] = {"model", "state_dict", "model_state", "model_state_dict"};
/// Copies averaged over training: never preferred to the weights themselves.
constexpr std::string_view averagedKeys[] = {"model_ema", "state_dict_ema",  "ema",      "ema_state_dict",
                                             "ema_model", "model_ema_state", "ema_state"};
/// State of the training: contains tensors, but no weights.
constexpr std::string_view trainingKeys[] = {"optim", "lr_sched", "sched", "scaler",    "amp",
                                             "rng",   "random",   "loops", "callbacks", "loss_scaler"};

constexpr size_t deepest = 3;
/// Shared dictionaries are found under each of their names: bounded to bound time.
constexpr size_t maxVisits = 4096;
constexpr size_t maxCandidates = 64;

template <size_t n>
bool isOneOf(const std::string_view (&keys)[n], std::string_view key)
{
    return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

bool belongsToTraining(std::string_view key)
{
    return std::ranges::any_of(trainingKeys, [&](std::string_view start) { return key.starts_with(start); });
}

/// One key on the path to a dictionary.
struct Step {
    PickleRef dict;
    std::string key;
};

struct Candidate {
    PickleRef dict;
    std::vector<Step> steps;

    std::string path() const
    {
        std::string path;
        for (const Step& step : steps)
            path += (path.empty() ? "" : ".") + step.key;
        return path;
    }
    bool isUsual() const
    {
        return std::ranges::all_of(steps, [](const Step& s) { return isOneOf(defaultKeys, s.key); });
    }
    bool isAveraged() const
    {
        return std::ranges::any_of(steps, [](const Step& s) { return isOneOf(averagedKeys, s.key); });
    }
};

class Chooser {
public:
    Chooser(const PickleGraph& graph, const std::string& file)
        : m_graph(graph)
        , m_file(file)
    {}

    WeightChoice choose(const std::string& under)
    {
        const PickleRef root = m_graph.root();
        if (!m_graph.is(root, PickleKind::Dict))
            refuseRoot(root);
        for (const bool usual : {true, false})  // the usual keys first, within the bound
            search(root, {}, [&](const std::string& key) { return isOneOf(defaultKeys, key) == usual; });
        std::string prefix;
        const Candidate* const chosen = under.empty() ? preferred() : named(under, prefix);
        if (chosen == nullptr && count(root).tensors == 0)
            refuseEmpty(root);
        WeightChoice choice{chosen == nullptr ? root : chosen->dict,
                            chosen == nullptr ? "" : chosen->path(),
                            {},
                            std::move(prefix)};
        if (chosen != nullptr)
            checkUnique(*chosen);
        for (const Candidate& candidate : m_candidates)
            if (&candidate != chosen)
                choice.alternatives.push_back(candidate.path());
        describe(chosen, choice);
        return choice;
    }

private:
    struct Count {
        size_t tensors = 0;
        size_t values = 0;
        bool isMostlyTensors() const { return tensors > 0 && 2 * tensors >= values; }
    };

    [[noreturn]] void refuse(const std::string& problem, const std::string& remedy) const
    {
        throw FileError(m_file, problem, remedy);
    }

    [[noreturn]] void refuseObject(const std::string& what, PickleRef object) const
    {
        refuse(what + " an object of class `" + familiarName(m_graph.text(m_graph.items(object)[0]))
                   + "` and not only weights",
               "save the weights as safetensors, or only their state_dict");
    }

    [[noreturn]] void refuseRoot(PickleRef root) const
    {
        if (m_graph.is(root, PickleKind::Record))
            refuseObject("it holds", root);
        refuse("it contains no dictionary of weights", "give a file with a state_dict");
    }

    [[noreturn]] void refuseEmpty(PickleRef root) const
    {
        const auto items = m_graph.items(root);
        for (size_t i = 0; i + 1 < items.size(); i += 2)
            if (m_graph.is(items[i + 1], PickleKind::Record) && isOneOf(defaultKeys, keyText(items[i])))
                refuseObject("its `" + std::string(keyText(items[i])) + "` is", items[i + 1]);
        if (hasArrays(root, deepest))
            refuse("its weights are arrays of NumPy, not tensors",
                   "save tensors: {k: torch.from_numpy(v) for k, v in weights.items()}");
        refuse("it contains no weights",
               "give a file with a state_dict, flat or under `model`, `state_dict` or `model_state`");
    }

    /// An array of NumPy is a record of the function that makes one.
    bool hasArrays(PickleRef dict, size_t levels) const
    {
        const auto items = m_graph.items(dict);
        for (size_t i = 1; i < items.size(); i += 2) {
            if (m_graph.is(items[i], PickleKind::Record)
                && m_graph.is(m_graph.items(items[i])[0], PickleKind::Global)
                && m_graph.text(m_graph.items(items[i])[0]).find("multiarray._reconstruct")
                       != std::string_view::npos)
                return true;
            if (levels > 1 && m_graph.is(items[i], PickleKind::Dict) && hasArrays(items[i], levels - 1))
                return true;
        }
        return false;
    }

    std::string_view keyText(PickleRef ref) const
    {
        return m_graph.is(ref, PickleKind::Text) ? m_graph.text(ref) : std::string_view();
    }

    const Count& count(PickleRef dict)
    {
        const auto [entry, isNew] = m_counts.try_emplace(dict);
        if (isNew)
            for (size_t i = 1; i < m_graph.items(dict).size(); i += 2) {
                ++entry->second.values;
                entry->second.tensors += m_graph.is(m_graph.items(dict)[i], PickleKind::Tensor) ? 1 : 0;
            }
        return entry->second;
    }

    /// Each dictionary below this one that may contain weights. A key that could forge output can't be selected.
    template <typename Condition>
    void search(PickleRef dict, const std::vector<Step>& steps, Condition wanted)
    {
        const auto items = m_graph.items(dict);
        for (size_t i = 0; i + 1 < items.size(); i += 2) {
            const std::string key(keyText(items[i]).substr(0, 257));
            if (!m_graph.is(items[i + 1], PickleKind::Dict) || key.empty() || key.size() > 256
                || printable(key) != key || belongsToTraining(key) || !wanted(key))
                continue;
            if (++m_visits > maxVisits || m_candidates.size() == maxCandidates)
                return;
            visit({items[i + 1], steps}, {dict, key});
        }
    }

    void visit(Candidate candidate, Step step)
    {
        candidate.steps.push_back(std::move(step));
        const Count& found = count(candidate.dict);
        const bool weights = candidate.isUsual() ? found.tensors > 0 : found.isMostlyTensors();
        if (candidate.steps.size() < deepest)
            search(candidate.dict, candidate.steps, [](const std::string&) { return true; });
        if (weights)
            m_candidates.push_back(std::move(candidate));
    }

    const Candidate* preferred()
    {
        if (const Candidate* const usual = mostUsual())
            return usual;
        if (count(m_graph.root()).isMostlyTensors())
            return nullptr;
        const auto ordinary = select([](const Candidate& c) { return !c.isAveraged(); });
        const auto averaged = select([](const Candidate& c) { return c.isAveraged(); });
        const auto& rest = ordinary.empty() ? averaged : ordinary;
        if (rest.size() > 1)
            refuse("it contains weights under " + names(rest) + ", and none of these is a standard key",
                   "choose one with --checkpoint-key KEY");
        return rest.empty() ? nullptr : rest.front();
    }

    /// By the order of the usual keys; among equals the shallower one.
    const Candidate* mostUsual() const
    {
        const auto rank = [](const Candidate& c) {
            return std::pair(std::ranges::find(defaultKeys, c.steps.front().key), c.steps.size());
        };
        const auto usual = select([](const Candidate& c) { return c.isUsual(); });
        const auto first = std::ranges::min_element(
            usual, [&](const Candidate* a, const Candidate* b) { return rank(*a) < rank(*b); });
        return first == usual.end() ? nullptr : *first;
    }

    /// The weights at exactly this path; else the only ones below it.
    const Candidate* named(const std::string& under, std::string& prefix)
    {
        auto found = select([&](const Candidate& c) { return c.path() == under; });
        if (found.empty())
            found = select([&](const Candidate& c) { return c.path().starts_with(under + "."); });
        if (found.empty())
            for (const Candidate* each :
                 select([&](const Candidate& c) { return under.starts_with(c.path() + "."); })) {
                prefix = under.substr(each->path().size() + 1);
                if (begins(each->dict, prefix))
                    return each;
            }
        prefix = under;
        if (found.empty())
            if (const Candidate* usual = mostUsual();
                begins(usual != nullptr ? usual->dict : m_graph.root(), prefix))
                return usual;
        prefix.clear();
        if (found.size() > 1)
            refuse("it contains several sets of weights under `" + printable(under) + "` (" + names(found) + ")",
                   "choose one of them");
        if (found.empty())
            refuse("it contains no weights under `" + printable(under) + "`", remedyFor());
        return found.front();
    }

    /// Whether tensors of a dictionary have names that begin so, perhaps behind a wrapper's.
    bool begins(PickleRef dict, const std::string& prefix) const
    {
        const auto items = m_graph.items(dict);
        for (size_t i = 0; i + 1 < items.size(); i += 2)
            if (std::string(".").append(keyText(items[i])).find("." + prefix + ".") != std::string::npos
                && m_graph.is(items[i + 1], PickleKind::Tensor))
                return true;
        return false;
    }

    std::string remedyFor() const
    {
        const auto all = select([](const Candidate&) { return true; });
        return all.empty() ? "it has no nested weights; remove --checkpoint-key"
                           : "weights are under " + names(all);
    }

    template <typename Condition>
    std::vector<const Candidate*> select(Condition condition) const
    {
        std::vector<const Candidate*> selected;
        for (const Candidate& candidate : m_candidates)
            if (condition(candidate))
                selected.push_back(&candidate);
        return selected;
    }

    static std::string names(const std::vector<const Candidate*>& candidates)
    {
        std::vector<std::string> words;
        for (const Candidate* const candidate : candidates)
            if (words.size() < 8)
                words.push_back("`" + candidate->path() + "`");
        if (candidates.size() > words.size())
            words.push_back(std::to_string(candidates.size() - words.size()) + " more");
        return joinWords(words, "and");
    }

    /// Python's own reader keeps the last of two equal keys, others the first: neither is correct.
    void checkUnique(const Candidate& chosen) const
    {
        for (const Step& step : chosen.steps) {
            size_t found = 0;
            const auto items = m_graph.items(step.dict);
            for (size_t i = 0; i + 1 < items.size(); i += 2)
                found += keyText(items[i]) == step.key ? 1 : 0;
            if (found > 1)
                refuse("it has two entries called `" + step.key + "`", "save it again with torch.save");
        }
    }

    void describe(const Candidate* chosen, WeightChoice& choice) const
    {
        const auto others = select([&](const Candidate& c) { return &c != chosen; });
        if (!others.empty())
            choice.notes.push_back(
                (choice.path.empty() ? "its own tensors" : "the weights under `" + choice.path + "`")
                + " were read, those under " + names(others) + " were not");
        else if (chosen != nullptr && !chosen->isUsual())
            choice.notes.push_back("the weights under `" + choice.path
                                   + "` were read because there are no others");
    }

    const PickleGraph& m_graph;
    const std::string& m_file;
    std::unordered_map<PickleRef, Count> m_counts;
    std::vector<Candidate> m_candidates;
    size_t m_visits = 0;
};

}

WeightChoice chooseWeights(const PickleGraph& graph, const std::string& file, const std::string& under)
{
    return Chooser(graph, file).choose(under);
}

}
