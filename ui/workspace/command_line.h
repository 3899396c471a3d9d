#pragma once

#include "ui/engine/compare_types.h"

#include "core/attention/attention_spec.h"
#include "core/base/options/given_option.h"
#include "models/open_model.h"

#include <QStringList>

#include <string>
#include <type_traits>
#include <vector>

namespace attnscope::ui {

/// A line of `attnscope-cli`, word by word, quoted for a POSIX shell once it is whole.
class CommandLine {
public:
    explicit CommandLine(const char* command);

    /// A file or folder; a name that begins with "-" is told apart from options.
    void input(const QString& path);
    void input(const std::string& path);
    void flag(const char* option, bool on = true);
    void put(const char* option, const QString& value);
    void put(const char* option, const std::string& value);
    void put(const char* option, double value);
    /// With commas between the numbers.
    void put(const char* option, const std::vector<int64_t>& values);
    template <typename Number>
    requires std::is_integral_v<Number>
    void put(const char* option, Number value) { put(option, QString::number(value)); }
    /// Only where it differs from `usual`, which is what holds without the option.
    template <typename Value>
    void put(const char* option, const Value& value, const std::type_identity_t<Value>& usual)
    {
        if (value != usual)
            put(option, value);
    }

    // What several commands have in common:
    void attention(const std::vector<AttentionSpec>& specs);
    void model(const ModelRequest& request);
    void model(const RunContext& context);
    void device(const std::string& device, const std::string& dtype, uint64_t seed);
    void threads(int64_t threads) { put("--threads", threads, 0); }

    /// The line as a POSIX shell reads it back.
    QString text() const;
    /// In what this one differs from `now`: "made with --seed 3", "made with lara 49". Empty: in nothing.
    QString madeWith(const CommandLine& now) const;

private:
    std::vector<std::string> valuesOf(const std::string& option) const;

    std::string m_command;
    std::vector<GivenOption> m_given;
};

/// Everything that a comparison's figures depend on, as the command line can repeat it.
struct CompareSetup {
    QStringList paths;
    QStringList specs;
    RunContext context;
    int seeds = 3;
    int threads = 0;
    int repetitions = 20;
    double seconds = 1;
    bool videos = false;    ///< some of the paths are
    bool features = false;  ///< are reported as well
};

/// The exact `attnscope-cli compare …` line of a setup, quoted for a POSIX shell.
QString compareCommand(const CompareSetup& setup);

/// The exact `attnscope-cli layers …` line for the first path; `query`: "class", "9,4" or "2,9,4". Without weights the path is a
/// file of q, k and v.
QString layersCommand(const CompareSetup& setup, const QString& query);
/// The same for `layers --terms`, where attentions and their seeds play no part.
QString layerTermsCommand(const CompareSetup& setup, const QString& query);
/// `approximate --all` on the first path. Without weights the path is a file of q, k and v.
QString leaderboardCommand(const CompareSetup& setup);

}
