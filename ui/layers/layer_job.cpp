// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/layers/layer_job.h"

#include "ui/engine/view_frames.h"
#include "ui/style/qt_text.h"

#include "core/base/error.h"

#include <chrono>

namespace attnscope::ui {

namespace {

constexpr int frameSide = 224;  // maps lie over them
constexpr auto betweenSteps = std::chrono::milliseconds(100);

}  // namespace

LayerJob::LayerJob(Engine& engine, std::shared_ptr<LayerBench> bench)
    : m_engine(engine)
    , m_bench(std::move(bench))
{
    qRegisterMetaType<std::shared_ptr<const LayerInspection>>();
}

quint64 LayerJob::inspect(const LayerQuestion& question)
{
    const bool errors = question.request.errors;
    if (errors)
        stop();
    else
        m_maps.request_stop();
    std::stop_source& source = errors ? m_errors : m_maps;
    source = std::stop_source();
    const quint64 ticket = m_nextTicket++;
    m_engine.post(errors ? "layers" : "layer-maps",
                  [self = shared_from_this(), ticket, question, stop = source.get_token()] {
                      self->onWorker(ticket, question, stop);
                  });
    return ticket;
}

void LayerJob::stop()
{
    m_errors.request_stop();
    m_maps.request_stop();
}

void LayerJob::onWorker(quint64 ticket, const LayerQuestion& question, std::stop_token stop)
{
    try {
        if (stop.stop_requested())
            throw Cancelled();
        if (m_engine.gate()->measuringWaits())
            emit waits(ticket);
        // Times nothing itself, but whoever does would time it, too.
        const MeasuringGate::Measuring alone(*m_engine.gate(), stop);
        if (stop.stop_requested())
            throw Cancelled();
        InspectionCalls calls;
        calls.progress = onWorkerProgress(ticket);
        calls.stop = stop;
        calls.inspected = [this, ticket](const LayerInspection& sofar) {
            emit advanced(ticket, std::make_shared<const LayerInspection>(sofar));
        };
        emit finished(ticket, std::make_shared<const LayerInspection>(onWorkerInspected(ticket, question, calls)));
    } catch (const Cancelled&) {
        emit cancelled(ticket);
    } catch (const std::exception& error) {
        emit failed(ticket, toQt(error.what()));
    }
}

LayerInspection LayerJob::onWorkerInspected(quint64 ticket, const LayerQuestion& question, const InspectionCalls& calls)
{
    if (question.dump) {
        DumpedAttention dump;
        dump.file = fromQt(question.input.path);
        dump.device = question.model.device;
        dump.limits = question.model.limits;
        return m_bench->inspectDump(question.subject, dump, question.request, calls);
    }
    const auto model = m_engine.onWorkerOpened(question.model, question.threads);
    const InputSource source = onWorkerSource(ticket, question, model->transform, calls.stop);
    return m_bench->inspect({question.subject, model, source}, question.request, calls);
}

InputSource LayerJob::onWorkerSource(quint64 ticket, const LayerQuestion& question, const Transform& transform,
                                     std::stop_token stop)
{
    InputSource source =
        m_engine.onWorkerInput(question.input, question.model.limits, question.views, std::move(stop));
    if (source.kind != "video")
        return source;
    source.load = [this, ticket, transform, load = std::move(source.load)] {
        VideoViews views = std::get<VideoViews>(load());
        views.view = [this, ticket, transform, inner = std::move(views.view)](std::size_t view) {
            FloatArray values = inner(view);
            emit framesDecoded(ticket, smallFrames(values, transform, frameSide));
            return values;
        };
        return LoadedInput(std::move(views));
    };
    return source;
}

ProgressCallback LayerJob::onWorkerProgress(quint64 ticket)
{
    using Clock = std::chrono::steady_clock;
    return [this, ticket, last = Clock::time_point{}, what = std::string()](const Progress& progress) mutable {
        const auto now = Clock::now();
        if (progress.what == what && now - last < betweenSteps)
            return;
        last = now, what = progress.what;
        emit progressed(ticket, progress);
    };
}

void LayerJob::writeTensors(std::shared_ptr<const LayerInspection> inspection, const QString& path)
{
    m_engine.postFiles({}, [self = shared_from_this(), inspection = std::move(inspection), path] {
        QString problem;
        try {
            writeMaps(*inspection, fromQt(path));
        } catch (const std::exception& error) {
            problem = toQt(error.what());
        }
        emit self->written(path, problem);
    });
}

}  // namespace attnscope::ui
