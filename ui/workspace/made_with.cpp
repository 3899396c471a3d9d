#include "ui/workspace/made_with.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

namespace attnscope::ui {

QString madeWithThreads(int threads)
{
    return threads == 0 ? tr("made with one thread per core")
                        : counted(threads, [](int n) { return tr("made with %1 thread(s)", nullptr, n); });
}

QString madeWithSeeds(int64_t seeds)
{
    return counted(seeds, [](int n) { return tr("made with %1 seed(s)", nullptr, n); });
}

QString headlineOf(const QString& text, bool complete)
{
    return complete ? text : tr("%1 (stopped early)").arg(text);
}

QString timesMadeWith(const RunEffort& was, const RunEffort& now)
{
    if (was.threads != now.threads)
        return madeWithThreads(was.threads);
    if (was.repetitions != now.repetitions)
        return counted(was.repetitions, [](int n) { return tr("made with %1 repetition(s)", nullptr, n); });
    return was.seconds != now.seconds ? tr("made with %1 s").arg(was.seconds) : QString();
}

QString errorsMadeWith(const RunEffort& was, const RunEffort& now)
{
    return was.seeds != now.seeds ? madeWithSeeds(was.seeds) : QString();
}

QString madeWith(const RunContext& was, const RunContext& now, bool video)
{
    if (was.model != now.model)
        return was.model.isEmpty() ? tr("made with another model") : tr("made with %1").arg(was.model);
    if (was.weights != now.weights || was.heads != now.heads)
        return tr("made with other weights");
    if (was.imageSize != now.imageSize)
        return was.imageSize.isOwn() ? tr("made with the model's own image size")
                                     : tr("made with %1 px").arg(toQt(was.imageSize.text()));
    if (was.classEmbeddings != now.classEmbeddings)
        return was.classEmbeddings.isEmpty() ? tr("made without class embeddings")
                                             : tr("made with other class embeddings");
    if (was.device != now.device)
        return tr("made with device %1").arg(was.device);
    if (was.dtype != now.dtype)
        return tr("made with %1").arg(was.dtype);
    if (video && was.views != now.views)
        return tr("made with %1 views").arg(was.views);
    if (was.seed != now.seed)
        return tr("made with seed %1").arg(was.seed);
    RunContext seen = was;
    seen.views = now.views;  // of videos: asked above
    return seen == now ? QString() : tr("made with other settings");
}

}
