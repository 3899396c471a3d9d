#pragma once

#include "ui/engine/compare_types.h"

#include "core/base/options/options.h"
#include "models/open_model.h"

#include <QStringList>

#include <string>
#include <utility>
#include <vector>

namespace attnscope {
struct CheckpointList;
}

namespace attnscope::ui {

/// The model of all screens.
ModelRequest modelRequestOf(const RunContext& context);

/// What the model, the device and the seed of all screens give of a command's options.
template <typename Options>
Options optionsOf(const RunContext& context, int64_t threads)
{
    Options options;
    options.model = modelRequestOf(context);
    if constexpr (requires { options.checkpoints; }) {
        options.checkpoints = {options.model.weights};
        if (!options.model.model.empty())
            options.models = {options.model.model};
    }
    options.device = {fromQt(context.device), fromQt(context.dtype), threads, context.seed};
    return options;
}

template <typename Spec>
std::vector<std::string> canonical(const std::vector<Spec>& specs)
{
    std::vector<std::string> texts;
    for (const Spec& spec : specs)
        texts.push_back(spec.canonical());
    return texts;
}
/// Texts of the window as those of the engine.
std::vector<std::string> fromQt(const QStringList& texts);

/// The networks of a line, whose `attention` is in the first where it names none. False where networks say their heads each for itself, which no
/// line can.
bool takeNetworks(const std::vector<ModelRequest>& networks, CheckpointList& checkpoints,
                  std::vector<std::string>& attention);

/// A line of `attnscope-cli`.
class CommandLine {
public:
    /// Of nothing.
    CommandLine() = default;
    /// What `options` ask for; at its default only the device, the type, the seed, and what is `always` said.
    template <typename Options>
    CommandLine(const char* command, const Options& options, std::vector<std::string> always = {})
        : m_command(command)
    {
        always.insert(always.end(), {"--device", "--dtype", "--seed"});
        m_given = givenOptions(options, always);
    }

    /// The line as a POSIX shell reads it back.
    QString text() const;
    /// In what this one differs from `now`: "made with --seed 3", "made with lara 49". Empty: in nothing.
    QString madeWith(const CommandLine& now) const;

private:
    std::vector<std::string> valuesOf(const std::string& option) const;

    std::string m_command;
    std::vector<GivenOption> m_given;
};

}
