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

/// All access of the window to the results store: on one thread of its own, question by question. A newer question replaces the one of its
/// tag that still waits.
class StoreReader : public QObject {
    Q_OBJECT
public:
    /// `delay` runs before each question, on the store's thread; empty but for tests of a slow disk.
    StoreReader(std::function<void()> delay, const QString& file, QObject* parent = nullptr);

    QString file() const { return m_file; }
    void setFile(const QString& file);

    /// `read(ResultStore&)` on the store's thread, then `take(its result)` on this one, unless `receiver` is gone. Of a file that is not
    /// there yet the result is an empty one. Errors come as `failed`.
    template <std::invocable<ResultStore&> Read, typename Take>
    void ask(const std::string& tag, QObject* receiver, Read read, Take take)
    {
        post(tag, ResultStore::Mode::Read, receiver, std::move(read), std::move(take));
    }

    /// The same with a store that may be written.
    template <std::invocable<ResultStore&> Write, typename Take>
    void change(QObject* receiver, Write write, Take take)
    {
        post({}, ResultStore::Mode::Write, receiver, std::move(write), std::move(take));
    }

signals:
    void fileChanged(const QString& file);
    void failed(const QString& sentence);

private:
    template <std::invocable<ResultStore&> Read, typename Take>
    void post(const std::string& tag, ResultStore::Mode mode, QObject* receiver, Read read, Take take)
    {
        using Result = std::invoke_result_t<Read, ResultStore&>;
        const std::string file = m_file.toStdString();
        m_thread.post(tag, [this, file, mode, self = QPointer<QObject>(receiver), read = std::move(read),
                            take = std::move(take)]() mutable {
            auto result = std::make_shared<Result>();
            if (!onStore(file, mode, [&](ResultStore& store) { *result = read(store); }))
                return;
            QMetaObject::invokeMethod(this, [self, result, take = std::move(take)]() mutable {
                if (self)
                    take(*result);
            });
        });
    }
    /// False when it failed, which was said.
    bool onStore(const std::string& file, ResultStore::Mode mode, const std::function<void(ResultStore&)>& act);

    std::function<void()> m_delay;
    QString m_file;
    // Of the thread alone:
    std::unique_ptr<ResultStore> m_store;
    std::string m_storeFile;
    RequestThread m_thread;
};

}
