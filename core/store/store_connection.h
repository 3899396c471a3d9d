// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/store_error.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

/// Inside core/store only: the connection behind a ResultStore. SQLite's header stays in .cpp files of this folder.
namespace attnscope {

struct ConnectionOptions {
    bool write = false;
    std::chrono::milliseconds busy{10'000};  ///< how long a lock of another program is waited for
    std::chrono::milliseconds check{
        300};  ///< how long quick_check may take when reading; what is beyond shows when it is read
};

/// Takes away the empty log and its index beside a store in WAL mode: a connection that only reads makes them, but leaves them behind.
/// SQLite does it, under its locks, when the last connection that may write is closed; so nobody's log goes that is in use.
class EmptyLogRemoval {
public:
    explicit EmptyLogRemoval(std::filesystem::path file)
        : m_file(std::move(file))
    {}
    ~EmptyLogRemoval();
    EmptyLogRemoval(const EmptyLogRemoval&) = delete;
    EmptyLogRemoval& operator=(const EmptyLogRemoval&) = delete;

private:
    std::filesystem::path m_file;
};

/// An open store: checked, limited, with its schema at the version of this program (older ones stay as they are when reading).
class StoreConnection {
public:
    /// Throws StoreError.
    StoreConnection(const std::filesystem::path& file, const ConnectionOptions& options);
    ~StoreConnection();

    SQLite::Database& database() { return *m_database; }
    const std::filesystem::path& file() const { return m_file; }
    int version() const { return m_version; }  ///< of the schema: what reading may find
    bool writes() const { return m_options.write; }
    void requireWriting() const;  ///< throws StoreError when opened to read

    /// Runs `work` and turns what SQLite throws into a StoreError.
    template <class Work>
    auto guarded(Work&& work) -> decltype(work())
    {
        try {
            return work();
        } catch (const SQLite::Exception& error) {
            rethrow(error);
        }
    }
    /// `work` in one transaction that nobody else writes in; all of it, or nothing.
    template <class Work>
    auto transaction(Work&& work) -> decltype(work())
    {
        return guarded([&] {
            requireWriting();
            requireInPlace();
            SQLite::Transaction transaction(database(), SQLite::TransactionBehavior::IMMEDIATE);
            if constexpr (std::is_void_v<decltype(work())>) {
                work();
                transaction.commit();
            } else {
                auto result = work();
                transaction.commit();
                return result;
            }
        });
    }
    /// Several reads that see the same state.
    template <class Work>
    auto snapshot(Work&& work) -> decltype(work())
    {
        return guarded([&] {
            if (inTransaction())
                return work();
            SQLite::Transaction transaction(database(), SQLite::TransactionBehavior::DEFERRED);
            return work();
        });
    }

private:
    [[noreturn]] void rethrow(const SQLite::Exception& error) const;
    bool inTransaction() const;
    void requireInPlace() const;  ///< throws when the file was removed or replaced: writes would go nowhere
    void open();
    void harden();
    void inspect();
    void writeAhead();
    void create();
    void migrate();
    void backUp() const;
    void quickCheck();
    std::string subject() const { return m_file.string(); }

    std::filesystem::path m_file;
    ConnectionOptions m_options;
    std::optional<EmptyLogRemoval> m_tidying;  ///< behind the connection below; of those that read
    std::unique_ptr<SQLite::Database> m_database;
    int m_version = 0;
};

}  // namespace attnscope
