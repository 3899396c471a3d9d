#include "ui/live/live_feed.h"

#include "core/base/atomic_file.h"
#include "ui/engine/guarded.h"

#include <utility>

namespace attnscope::ui {

LiveFeed::LiveFeed(Engine& engine, std::shared_ptr<LiveBackend> liveBackend)
    : m_engine(engine)
    , m_backend(std::move(liveBackend))
{}

void LiveFeed::ask(const std::vector<ModelRequest>& checkpoints, const LiveQuestion& question, int64_t threads)
{
    const quint64 number = ++m_requested;
    interrupt();
    m_engine.post("live-model", [self = shared_from_this(), checkpoints, question, threads, number] {
        self->onWorkerAsk(checkpoints, question, threads, number);
    });
    wake();
}

void LiveFeed::forget()
{
    ++m_requested;
    interrupt();
    m_engine.post("live-model", [self = shared_from_this()] {
        self->m_predictor.reset();
        self->m_machine.reset();
    });
}

void LiveFeed::onWorkerAsk(const std::vector<ModelRequest>& checkpoints, const LiveQuestion& question,
                           int64_t threads, quint64 number)
{
    const auto work = [&] {
        m_predictor.reset();
        setThreads(threads);
        const auto open = [this](const ModelRequest& request) {
            return m_engine.models().open(request)->classifier;
        };
        m_predictor = m_backend->predictor(m_engine.workbench()->networks(checkpoints, question.attention, open),
                                           question);
        m_predictorNumber = number;
    };
    guarded(work, [&](const QString& sentence) { emit failed(number, sentence); });
}

void LiveFeed::keepMachine(bool keep)
{
    if (m_keeps.exchange(keep) == keep || keep)
        return;
    m_engine.post("live-machine", [self = shared_from_this()] {
        if (!self->m_keeps)
            self->m_machine.reset();
    });
}

/// Its figures hold for a machine that does nothing else, and would spoil those of whoever measures next to it.
void LiveFeed::onWorkerTakeMachine(std::stop_token stop)
{
    if (!m_machine) {
        m_waits = m_engine.gate()->waits(MeasuringGate::Work::Measuring);
        m_machine = std::make_unique<MeasuringGate::Turn>(*m_engine.gate(), MeasuringGate::Work::Measuring, stop);
        m_waits = false;
        if (stop.stop_requested())
            m_machine.reset();  // it came without its turn
    }
    if (stop.stop_requested())
        throw Cancelled();
}

void LiveFeed::wake()
{
    if (!schedule.waiting() || m_queued.exchange(true))
        return;
    m_engine.post("live", [self = shared_from_this()] { self->onWorkerPredict(); });
}

std::stop_token LiveFeed::freshToken()
{
    const std::scoped_lock lock(m_mutex);
    if (m_running.stop_requested())
        m_running = std::stop_source();
    return m_running.get_token();
}

void LiveFeed::interrupt()
{
    const std::scoped_lock lock(m_mutex);
    m_running.request_stop();
}

void LiveFeed::onWorkerPredict()
{
    m_queued = false;
    if (!m_predictor || m_predictorNumber != m_requested)
        return;  // the next model wakes us
    const auto moment = schedule.take();
    const auto clip = moment ? window.clipAt(moment->epoch, moment->tick) : std::nullopt;
    if (!clip) {
        if (moment)
            schedule.gaveUp(*moment);
        wake();
        return;
    }
    try {
        const std::stop_token stop = freshToken();
        onWorkerTakeMachine(stop);
        auto prediction = std::make_shared<const LivePrediction>(m_predictor->predict(*clip, *moment, stop));
        schedule.predicted(*moment);
        if (isCurrent(m_predictorNumber)) {
            writeDown(*prediction);
            emit predicted(m_predictorNumber, prediction);
        }
    } catch (const Cancelled&) {
        schedule.interrupted(*moment);
        if (!m_keeps)
            m_machine.reset();
        return;  // whoever interrupted it says when it goes on
    } catch (const std::exception& error) {
        schedule.gaveUp(*moment);
        emit failed(m_predictorNumber, toQt(error.what()));
    }
    if (!m_keeps)
        m_machine.reset();
    wake();
}

void LiveFeed::record(const std::string& path)
{
    m_engine.post({}, [self = shared_from_this(), path] { self->onWorkerRecord(path); });
}

void LiveFeed::onWorkerRecord(const std::string& path)
{
    const auto work = [&] {
        if (m_log) {
            const auto log = std::exchange(m_log, nullptr);
            log->close();
            emit recorded(toQt(m_logPath), log->predictions());
        }
        if (path.empty())
            return;
        m_logPath = path;
        m_log = std::make_unique<PredictionLog>(path);
        emit recording(toQt(path));
    };
    guarded(work, [&](const QString& sentence) {
        m_log.reset();
        emit failed(0, sentence);
    });
}

void LiveFeed::writeDown(const LivePrediction& prediction)
{
    if (!m_log)
        return;
    try {
        m_log->add(prediction);
    } catch (const Error& error) {
        const auto log = std::exchange(m_log, nullptr);
        emit failed(0, toQt(error.what()));
        emit recorded(toQt(m_logPath), log->predictions());
    }
}

void LiveFeed::save(const std::string& path, std::string text)
{
    m_engine.postFiles({}, [self = shared_from_this(), path, text = std::move(text)] {
        const auto work = [&] {
            writeFileAtomically(path, text);
            emit self->saved(toQt(path));
        };
        guarded(work, [&](const QString& sentence) { emit self->failed(0, sentence); });
    });
}

}
