#include "ui/engine/worker_thread.h"

#include <utility>

namespace attnscope::ui {

QString inWindow(const char* sentence)
{
    static constexpr std::pair<const char*, const char*> ways[]{
        {"give it some with --class-embeddings, or evaluate its features with `attnscope-cli evaluate`",
         "choose class embeddings in the list of weights, or evaluate its features on the Batch screen"},
        {", choose the model that belongs to this data set, or give the model's class names with --labels",
         ", or choose the model that belongs to this data set"}};
    QString text = toQt(sentence);
    for (const auto& [option, way] : ways)
        text.replace(QLatin1String(option), QLatin1String(way));
    return text;
}

bool ReportRate::isDue()
{
    const auto now = std::chrono::steady_clock::now();
    if (now - m_last < std::chrono::milliseconds(100))
        return false;
    m_last = now;
    return true;
}

WorkerTurn::WorkerTurn(MeasuringGate* gate, MeasuringGate::Work work, Resting resting, std::stop_token stop)
    : m_gate(gate)
    , m_work(work)
    , m_resting(std::move(resting))
    , m_stop(std::move(stop))
{
    if (m_gate != nullptr)
        waitResting(m_gate->waits(m_work), [this] { m_turn.emplace(*m_gate, m_work, m_stop); });
}

template <std::invocable Wait>
void WorkerTurn::waitResting(bool rests, Wait wait)
{
    if (rests)
        m_resting(true);
    wait();
    if (rests)
        m_resting(false);
}

void WorkerTurn::restIfWanted()
{
    if (m_turn && m_turn->wanted() && !isStopped())
        waitResting(true, [this] { m_turn->rest(m_stop); });
}

void WorkerTurn::comeBack()
{
    if (m_turn)
        waitResting(m_gate->waits(m_work), [this] { m_turn->comeBack(m_stop); });
}

WorkerThread::WorkerThread(std::shared_ptr<MeasuringGate> gate, MeasuringGate::Work work)
    : m_gate(std::move(gate))
    , m_work(work)
{}

void WorkerThread::start(Job job)
{
    if (m_running)
        qFatal("a job was started while another one runs");
    m_thread = {};  // joins the one before, which has said its last word
    m_running = true;
    m_thread = std::jthread([this, job = std::move(job)](std::stop_token stop) { run(job, std::move(stop)); });
}

void WorkerThread::run(const Job& job, std::stop_token stop)
{
    LastWord lastWord;
    guarded(
        [&] {
            WorkerTurn turn(m_gate.get(), m_work, job.resting, stop);
            if (turn.isStopped())
                throw Cancelled();
            lastWord = job.work(turn);
        },
        [&](const QString& sentence) { lastWord = [&job, sentence] { job.failed(sentence); }; },
        [&] { lastWord = job.cancelled; });
    m_running = false;
    lastWord();
}

}
