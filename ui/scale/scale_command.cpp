// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scale/scale_command.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/command_line.h"

#include <QStringList>

namespace attnscope::ui {

namespace {

/// The words of a line, quoted at the end.
class Line {
public:
    explicit Line(const char* command)
    {
        m_words << QStringLiteral("attnscope-cli") << QString::fromLatin1(command);
    }

    void put(const char* option, const QString& value) { m_words << QString::fromLatin1(option) << value; }
    void put(const char* option, std::int64_t value) { put(option, QString::number(value)); }
    void flag(const char* option) { m_words << QString::fromLatin1(option); }

    void attention(const std::vector<AttentionSpec>& specs)
    {
        for (const AttentionSpec& spec : specs)
            put("--attention", toQt(spec.canonical()));
    }
    void inputs(const std::vector<std::string>& paths)
    {
        for (const std::string& path : paths)
            m_words << (path.starts_with('-') ? QStringLiteral("./") : QString()) + toQt(path);
    }
    void model(const ModelRequest& request)
    {
        if (!request.model.empty())
            put("--model", toQt(request.model));
        put("--weights", toQt(request.weights));
        if (request.heads > 0)
            put("--heads", request.heads);
        if (request.imageSize > 0)
            put("--image-size", request.imageSize);
    }
    void device(const std::string& device, const std::string& dtype, std::uint64_t seed, int threads)
    {
        put("--device", toQt(device));
        put("--dtype", toQt(dtype));
        put("--seed", QString::number(seed));
        if (threads > 0)
            put("--threads", threads);
    }
    static QString list(const std::vector<std::int64_t>& numbers)
    {
        QStringList words;
        for (const std::int64_t number : numbers)
            words << QString::number(number);
        return words.join(QLatin1Char(','));
    }
    QString text() const
    {
        QStringList words;
        for (const QString& word : m_words)
            words << shellQuoted(word);
        return words.join(QLatin1Char(' '));
    }

private:
    QStringList m_words;
};

}  // namespace

QString scaleCommand(const ScaleRequest& request, int threads)
{
    Line line("scale");
    line.attention(request.attention);
    line.put("--lengths", Line::list(request.lengths));
    line.put("--layers", request.layers);
    line.put("--dim", request.width);
    line.put("--heads", request.heads);
    if (request.backward)
        line.flag("--backward");
    const ScaleRequest usual;  // of the command line, too
    if (request.minimumRepetitions != usual.minimumRepetitions)
        line.put("--repetitions", request.minimumRepetitions);
    if (request.minimumSeconds != usual.minimumSeconds)
        line.put("--seconds", QString::number(request.minimumSeconds));
    line.device(request.device, request.dtype, request.seed, threads);
    return line.text();
}

QString approximateCommand(const ApproximateJob& job, int threads)
{
    Line line("approximate");
    if (job.random) {
        line.put("--random", job.random->tokens);
        line.put("--head-size", job.random->width);
    } else if (job.dump.empty()) {
        line.inputs(job.inputs);
        line.model(job.model);
    } else {
        line.inputs({job.dump});
    }
    line.attention(job.request.attention);
    for (const AttentionSpec& spec : job.request.flat)
        line.put("--flat", toQt(spec.canonical()));
    line.put("--samples", Line::list(job.request.samples));
    line.put("--seeds", job.request.seeds);
    line.device(job.model.device, job.model.dtype, job.request.seed, threads);
    return line.text();
}

QString planCommand(const PlanJob& job, int threads)
{
    Line line("plan");
    line.inputs(job.labelled.empty() ? job.inputs : std::vector<std::string>{job.labelled});
    if (!job.labelled.empty())
        line.put("--labelled", job.samples);
    line.model(job.model);
    line.attention(job.request.candidates);
    line.put("--budget", toQt(toText(job.request.kind)) + QLatin1Char('=') + QString::number(job.request.budget));
    line.put("--seeds", job.request.seeds);
    if (job.request.rounds != PlanRequest().rounds)
        line.put("--rounds", job.request.rounds);
    line.device(job.model.device, job.model.dtype, job.request.seed, threads);
    return line.text();
}

}  // namespace attnscope::ui
