#include "ui/workspace/command_line.h"

#include "ui/style/qt_text.h"

#include "ui/workspace/accuracy_text.h"

#include "models/lab_options.h"

#include <QFileInfo>

#include <algorithm>

namespace attnscope::ui {

ModelRequest modelRequestOf(const RunContext& context)
{
    ModelRequest request;
    request.model = fromQt(context.model);
    request.weights = fromQt(context.weights);
    request.heads = context.heads;
    request.imageSize = context.imageSize;
    request.classEmbeddings = fromQt(context.classEmbeddings);
    request.device = fromQt(context.device);
    request.dtype = fromQt(context.dtype);
    return request;
}

std::vector<std::string> fromQt(const QStringList& texts)
{
    std::vector<std::string> all;
    for (const QString& text : texts)
        all.push_back(fromQt(text));
    return all;
}

bool takeNetworks(const std::vector<ModelRequest>& networks, CheckpointList& checkpoints,
                  std::vector<std::string>& attention)
{
    checkpoints.checkpoints.clear(), checkpoints.models.clear();
    for (const ModelRequest& network : networks) {
        if (network.heads != networks.front().heads)
            return false;
        checkpoints.checkpoints.push_back(network.weights);
        checkpoints.models.push_back(network.model);
    }
    if (std::ranges::all_of(checkpoints.models, &std::string::empty))
        checkpoints.models.clear();
    for (std::string& each : attention)  // else it would be in each of them
        if (const auto spec = AttentionSpec::parse(each); networks.size() > 1 && spec.checkpoint().empty())
            each = spec.withCheckpoint("1").canonical();
    return true;
}

QString CommandLine::text() const
{
    std::vector<std::string> words = optionWords(m_given);
    words.insert(words.begin(), m_command);
    return toQt(shellLine(words));
}

std::vector<std::string> CommandLine::valuesOf(const std::string& option) const
{
    std::vector<std::string> values;
    for (const GivenOption& one : m_given)
        if (one.name == option)
            values.insert(values.end(), one.values.begin(), one.values.end());
    return values;
}

QString CommandLine::madeWith(const CommandLine& now) const
{
    std::vector<GivenOption> all = m_given;
    all.insert(all.end(), now.m_given.begin(), now.m_given.end());
    for (const auto& [name, given] : all) {
        const std::vector<std::string> was = valuesOf(name), is = now.valuesOf(name);
        const auto isGiven = [&](const CommandLine& line) {
            return std::ranges::count(line.m_given, name, &GivenOption::name) > 0;
        };
        if (was == is && isGiven(*this) == isGiven(now))
            continue;
        if (!isGiven(*this))
            return name == "INPUT" ? tr("made without inputs") : tr("made without %1").arg(toQt(name));
        constexpr int shown = 3;
        QStringList words = name == "INPUT" || name == "--attention" ? QStringList() : QStringList(toQt(name));
        for (const std::string& value : was)
            words << (value.starts_with('/')  ? QFileInfo(toQt(value)).fileName()
                      : name == "--attention" ? titleOfSpec(toQt(value))
                                              : toQt(value));
        return tr("made with %1")
            .arg(words.mid(0, shown).join(words.front().startsWith(QLatin1Char('-')) ? u" "_s : u", "_s)
                 + (words.size() > shown ? u" …"_s : QString()));
    }
    return {};
}

}
