// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/store_reader.h"

#ifdef ATTNSCOPE_STORE
#include "core/attention/backend_info.h"
#include "core/report/report.h"
#endif

namespace attnscope::ui {

#ifdef ATTNSCOPE_STORE

namespace {

class RealStore : public StoreBackend {
public:
    RealStore(const std::string& file, ResultStore::Mode mode)
        : m_store(file, mode)
    {}
    std::vector<StoredEvaluation> evaluations(bool hidden) override { return m_store.evaluations(hidden); }
    StoredEvaluation evaluation(std::int64_t id) override { return m_store.evaluation(id); }
    std::vector<std::string> classes(std::int64_t evaluation) override { return m_store.classes(evaluation); }
    Accuracy accuracy(std::int64_t run) override { return m_store.accuracy(run); }
    std::vector<ClassAccuracy> classAccuracies(std::int64_t run) override { return m_store.classAccuracies(run); }
    std::vector<Confusion> worstConfusions(std::int64_t run, std::int64_t count) override
    {
        return m_store.worstConfusions(run, count);
    }
    std::vector<RunPair> pairs(const std::vector<std::int64_t>& runs) override { return m_store.pairs(runs); }
    std::vector<StoredSample> samples(const SampleQuery& query) override { return m_store.samples(query); }
    std::int64_t sampleCount(const SampleQuery& query) override { return m_store.sampleCount(query); }
    std::vector<UnreadableSample> unreadable(std::int64_t evaluation, std::int64_t offset,
                                             std::int64_t count) override
    {
        return m_store.unreadable(evaluation, offset, count);
    }
    void setNote(std::int64_t evaluation, const std::string& note) override { m_store.setNote(evaluation, note); }
    void setHidden(std::int64_t evaluation, bool hidden) override { m_store.setHidden(evaluation, hidden); }
    void emptyTrash() override { m_store.emptyTrash(); }
    void writeReport(const std::string& file, const std::vector<std::int64_t>& evaluations) override
    {
        ReportOptions options;
        options.evaluations = evaluations;
        attnscope::writeReport(m_store, options, file, seriesStyle);
    }

private:
    ResultStore m_store;
};

}  // namespace

OpenStore coreStore()
{
    return [](const std::string& file, ResultStore::Mode mode) -> std::unique_ptr<StoreBackend> {
        return std::make_unique<RealStore>(file, mode);
    };
}

#else

OpenStore coreStore()
{
    return {};
}

#endif

}  // namespace attnscope::ui
