#include "ui/scale/decode/decode_words.h"

#include "ui/scale/decode/mechanism_list.h"
#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include "core/base/format.h"

#include <QFileInfo>
#include <QStringList>

namespace attnscope::ui {

namespace {

/// Multiply-adds a second of the loops over one token, on one thread.
constexpr double streamSpeed = 2.5e9;

/// A token that is only taken in: features are computed as for an output, keys are copied.
double skippedWork(const StreamSpec& spec, const StreamShape& shape, double work)
{
    return spec.info().constantState ? 0.6 * work : double(2 * shape.width);
}

QString sourceText(const DecodeReport& report)
{
    const DecodeRequest& r = report.request;
    if (!r.file.empty())
        return tr("%1, layer %2").arg(QFileInfo(toQt(r.file.string())).fileName()).arg(r.layer);
    return r.tokens == TokenKind::Smooth   ? tr("correlated tokens")
           : r.tokens == TokenKind::Recall ? tr("tokens to be recalled")
                                           : tr("independent tokens");
}

}

double guessedSeconds(const DecodeRequest& request)
{
    std::vector<StreamSpec> specs{StreamSpec::parse(streamInfos().front().name)};
    specs.insert(specs.end(), request.mechanisms.begin(), request.mechanisms.end());
    const auto heads = double(request.heads);
    double seconds = 1;
    for (const StreamSpec& spec : specs) {
        const StreamShape shape{request.width, request.width, spec.info().random ? spec.integer("samples") : 0};
        seconds += 0.3;  // both forms over the first tokens
        for (const std::int64_t position : request.positions) {
            const auto work = double(streamCost(spec, shape, position).multiplyAdds) * heads;
            seconds += double(request.minimumRepetitions) * work / streamSpeed;
            if (position == request.positions.back())
                seconds += double(position) * skippedWork(spec, shape, work) / streamSpeed;
        }
    }
    return seconds;
}

QString decodeVerdict(const DecodeReport& report)
{
    const std::vector<DecodePoint>& cache = report.rows.front().points;
    if (cache.empty())
        return tr("No measurements yet");
    const DecodePoint& last = cache.back();
    const QString where = countText(last.position);
    const DecodeRow* closest = nullptr;
    int faster = 0;
    for (const DecodeRow& row : report.rows) {
        if (&row == &report.rows.front()
            || compareSpeed(row.points.back().latency, last.latency).speed != Speed::Faster)
            continue;
        ++faster;
        if (closest == nullptr || row.points.back().relative < closest->points.back().relative)
            closest = &row;
    }
    if (report.rows.size() == 1)
        return tr("A token takes %1 with a cache of %2 tokens")
            .arg(toQt(formatMilliseconds(last.latency.medianMs).text()), where);
    if (closest == nullptr)
        return tr("Nothing is clearly faster than the cache at %1 tokens").arg(where);
    const QString name = mechanismTitle(closest->mechanism), error = errorText(closest->points.back().relative);
    return faster == 1 ? tr("%1 is faster than the cache at %2 tokens, with a relative error of %3")
                             .arg(name, where, error)
                       : tr("%1 of %2 mechanisms are faster than the cache at %3 tokens; %4 is closest to it: "
                            "relative error %5")
                             .arg(faster)
                             .arg(report.rows.size() - 1)
                             .arg(where, name, error);
}

QString decodeDetail(const DecodeReport& report)
{
    const QStringList parts{
        sourceText(report),
        counted(report.heads,
                [](int n) { return QCoreApplication::translate("attnscope::ui", "%1 head(s)", nullptr, n); })
            + u", "_s
            + counted(
                report.widths.width,
                [](int n) { return QCoreApplication::translate("attnscope::ui", "%1 channel(s)", nullptr, n); }),
        toQt(report.request.dtype),
        tr("one thread"),
        toQt(report.device.description),
        tr("load %1").arg(report.environment.loadAverage, 0, 'f', 1)};
    return parts.join(u" · "_s);
}

}
