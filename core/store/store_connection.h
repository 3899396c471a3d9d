#pragma once

#include "core/store/result_store.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Internal to core/store: the connection behind a ResultStore. SQLite's header is included only by .cpp files of this folder.
namespace attnscope {

struct ConnectionOptions {
    bool write = false;
    std::chrono::milliseconds busy{10'000};  ///< how long to wait for a lock of another program
    std::chrono::milliseconds check{
        300};  ///< time limit for quick_check when reading; damage beyond it shows when it is read
};

/// Removes the log and its index next to a store in WAL mode: a connection that only reads creates them, or finds those of a program that
/// was killed, and leaves them behind. SQLite moves the log's contents into the store and removes both, under its locks, when the last
/// writable connection is closed, so that no log in use is lost, and the store's file alone has everything.
class LogRemoval {
public:
    explicit LogRemoval(std::filesystem::path file)
        : m_file(std::move(file))
    {}
    ~LogRemoval();
    LogRemoval(const LogRemoval&) = delete;
    LogRemoval& operator=(const LogRemoval&) = delete;
    /// The store is a sound one of ours: what the log contains belongs into it. Before, only an empty log is removed.
    void takeContents() { m_takesContents = true; }

private:
    std::filesystem::path m_file;
    bool m_takesContents = false;
};

/// Bytes that are bound as a blob.
struct Blob {
    const std::string& bytes;
};

template <class Value>
void bindOne(SQLite::Statement& statement, int position, const Value& value)
{
    if constexpr (std::is_same_v<Value, Blob>)
        statement.bind(position, value.bytes.data(), int(value.bytes.size()));
    else
        statement.bind(position, value);
}

template <class... Values>
void bindAll(SQLite::Statement& statement, const Values&... values)
{
    int position = 0;
    (bindOne(statement, ++position, values), ...);
}

/// Carries a statement out once more, with other values → how many rows it changed.
template <class... Values>
int runAgain(SQLite::Statement& statement, const Values&... values)
{
    statement.reset();
    bindAll(statement, values...);
    return statement.exec();
}

/// An open store: checked, limited, with its schema at the version of this program (older ones stay as they are when reading).
class StoreConnection {
public:
    /// Throws StoreError.
    StoreConnection(const std::filesystem::path& file, const ConnectionOptions& options);
    ~StoreConnection();

    SQLite::Database& database() { return *m_database; }
    const std::filesystem::path& file() const { return m_file; }
    int version() const { return m_version; }  ///< of the schema: which columns a reader can expect
    bool writes() const { return m_options.write; }
    void requireWriting() const;  ///< throws StoreError if opened for reading

    /// A statement with its parameters bound in order.
    template <class... Values>
    SQLite::Statement statement(const std::string& sql, const Values&... values)
    {
        SQLite::Statement made(database(), sql);
        bindAll(made, values...);
        return made;
    }
    /// Carries such a statement out → how many rows it changed.
    template <class... Values>
    int execute(const std::string& sql, const Values&... values)
    {
        return statement(sql, values...).exec();
    }
    /// Its first row; throws StoreError, saying that the store `lacks` it, where there is none.
    template <class... Values>
    SQLite::Statement firstRow(const std::string& lacks, const std::string& sql, const Values&... values)
    {
        SQLite::Statement row = statement(sql, values...);
        if (!row.executeStep())
            throw StoreError(subject(), lacks);
        return row;
    }
    /// What `read` makes of each row that such a statement gives.
    template <class Read, class... Values>
    auto rows(const std::string& sql, const Read& read, const Values&... values)
    {
        SQLite::Statement row = statement(sql, values...);
        std::vector<decltype(read(row))> all;
        while (row.executeStep())
            all.push_back(read(row));
        return all;
    }
    /// The integer in the first column of its first row; nothing where there is no row.
    template <class... Values>
    std::optional<int64_t> integer(const std::string& sql, const Values&... values)
    {
        SQLite::Statement row = statement(sql, values...);
        return row.executeStep() ? std::optional(row.getColumn(0).getInt64()) : std::nullopt;
    }

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
    /// Runs `work` in one exclusive write transaction; all of it takes effect, or nothing.
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
            SQLite::Transaction transaction(database(), SQLite::TransactionBehavior::DEFERRED);
            return work();
        });
    }

private:
    [[noreturn]] void rethrow(const SQLite::Exception& error) const;
    void requireInPlace() const;  ///< throws if the file was removed or replaced: writes would be lost
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
    /// Declared before the connection, so that it runs after that is closed; only if reading.
    std::optional<LogRemoval> m_tidying;
    std::unique_ptr<SQLite::Database> m_database;
    int m_version = 0;
};

}
