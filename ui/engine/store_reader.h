// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/result_store.h"
#include "ui/engine/request_queue.h"

#include <QObject>
#include <QPointer>

#include <concepts>
#include <functional>
#include <memory>
#include <type_traits>

namespace attnscope::ui {

/// What the screens ask of a results store; calls are those of ResultStore and throw what they throw. Behind this class lies the real
/// store, or a slow one in tests; the window builds without any.
class StoreBackend {
public:
    virtual ~StoreBackend() = default;
    virtual std::vector<StoredEvaluation> evaluations(bool hidden) = 0;
    virtual StoredEvaluation evaluation(std::int64_t id) = 0;
    virtual std::vector<std::string> classes(std::int64_t evaluation) = 0;
    virtual Accuracy accuracy(std::int64_t run) = 0;
    virtual std::vector<ClassAccuracy> classAccuracies(std::int64_t run) = 0;
    virtual std::vector<Confusion> worstConfusions(std::int64_t run, std::int64_t count) = 0;
    virtual std::vector<RunPair> pairs(const std::vector<std::int64_t>& runs) = 0;
    virtual std::vector<StoredSample> samples(const SampleQuery& query) = 0;
    virtual std::int64_t sampleCount(const SampleQuery& query) = 0;
    virtual std::vector<UnreadableSample> unreadable(std::int64_t evaluation, std::int64_t offset,
                                                     std::int64_t count) = 0;
    virtual void setNote(std::int64_t evaluation, const std::string& note) = 0;
    virtual void setHidden(std::int64_t evaluation, bool hidden) = 0;
    virtual void emptyTrash() = 0;
    /// HTML, Markdown or CSV by the suffix; of these evaluations, or of all.
    virtual void writeReport(const std::string& file, const std::vector<std::int64_t>& evaluations) = 0;
};

/// Opens a store; a file that is not there is only made for writing.
using OpenStore = std::function<std::unique_ptr<StoreBackend>(const std::string& file, ResultStore::Mode mode)>;

/// The real one; empty where this build has none.
OpenStore coreStore();

/// All access of the window to the results store: on one thread of its own, question by question. A newer question replaces the one of its
/// tag that still waits.
class StoreReader : public QObject {
    Q_OBJECT
public:
    StoreReader(OpenStore open, const QString& file, QObject* parent = nullptr);

    [[nodiscard]] bool isBuilt() const { return static_cast<bool>(m_open); }
    [[nodiscard]] QString file() const { return m_file; }
    void setFile(const QString& file);

    /// `read(StoreBackend&)` on the store's thread, then `take(its result)` on this one, unless `receiver` is gone. Of a file that is not
    /// there yet the result is an empty one. Errors come as `failed`.
    template <std::invocable<StoreBackend&> Read, typename Take>
    void ask(const std::string& tag, QObject* receiver, Read read, Take take)
    {
        post(tag, ResultStore::Mode::Read, receiver, std::move(read), std::move(take));
    }

    /// The same with a store that may be written.
    template <std::invocable<StoreBackend&> Write, typename Take>
    void change(QObject* receiver, Write write, Take take)
    {
        post({}, ResultStore::Mode::Write, receiver, std::move(write), std::move(take));
    }

signals:
    void fileChanged(const QString& file);
    void failed(const QString& sentence);

private:
    template <std::invocable<StoreBackend&> Read, typename Take>
    void post(const std::string& tag, ResultStore::Mode mode, QObject* receiver, Read read, Take take)
    {
        using Result = std::invoke_result_t<Read, StoreBackend&>;
        const std::string file = m_file.toStdString();
        m_thread.post(tag, [this, file, mode, self = QPointer<QObject>(receiver), read = std::move(read),
                            take = std::move(take)]() mutable {
            auto result = std::make_shared<Result>();
            if (!onStore(file, mode, [&](StoreBackend& store) { *result = read(store); }))
                return;
            QMetaObject::invokeMethod(this, [self, result, take = std::move(take)]() mutable {
                if (self)
                    take(*result);
            });
        });
    }
    /// False when it failed, which was said.
    bool onStore(const std::string& file, ResultStore::Mode mode, const std::function<void(StoreBackend&)>& act);

    OpenStore m_open;
    QString m_file;
    // Of the thread alone:
    std::unique_ptr<StoreBackend> m_store;
    std::string m_storeFile;
    RequestThread m_thread;
};

}  // namespace attnscope::ui
