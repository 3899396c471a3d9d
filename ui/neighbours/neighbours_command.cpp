#include "ui/neighbours/neighbours_command.h"

#include "ui/style/qt_text.h"

#include "core/base/options/options.h"

namespace attnscope::ui {

CommandLine neighboursCommand(const NeighbourQuestion& question, int threads)
{
    CommandLine line("neighbours");
    if (!question.image.empty())
        line.input(question.image);
    line.put("--datastore", question.datastore);
    line.put("--build", question.build, "");
    line.put("--evaluate", question.evaluate, "");
    line.put("--limit", question.limit, 0);
    line.model(question.model);
    if (question.attention != AttentionSpec::native())
        line.attention({question.attention});
    if (!question.request.k.empty())
        line.put("--k", question.request.k);
    if (!question.request.mix.empty()) {
        QStringList mixes;
        for (const double mix : question.request.mix)
            mixes << toQt(shortestNumber(mix));
        line.put("--mix", mixes.join(QLatin1Char(',')));
    }
    line.put("--distance", std::string(toText(question.request.distance)));
    if (question.request.temperature)
        line.put("--temperature", *question.request.temperature);
    line.device(question.model.device, question.model.dtype, question.seed);
    line.threads(threads);
    return line;
}

}
