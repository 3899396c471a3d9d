#include "core/store/store_connection.h"

#include "core/base/text.h"
#include "core/store/schema.h"

#include <SQLiteCpp/Backup.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <thread>

namespace attnscope {

namespace {

/// Why the system refused to write the store's file or its log: SQLite itself says "full" only for ENOSPC, not for quotas and limits.
bool wasRefusedSpace(sqlite3* handle)
{
    sqlite3_file* log = nullptr;
    int file = 0, logged = 0;
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_LAST_ERRNO, &file);
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, static_cast<void*>(&log));
    if (log != nullptr && log->pMethods != nullptr)
        log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &logged);
    const auto space = [](int number) { return number == ENOSPC || number == EDQUOT || number == EFBIG; };
    return space(file) || space(logged);
}

bool isSpaceError(const SQLite::Exception& error, sqlite3* handle)
{
    if (error.getErrorCode() == SQLITE_FULL || error.getExtendedErrorCode() == SQLITE_IOERR_SHMSIZE)
        return true;
    return error.getErrorCode() == SQLITE_IOERR && handle != nullptr && wasRefusedSpace(handle);
}

std::string problemOf(const SQLite::Exception& error)
{
    switch (error.getErrorCode()) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "another program has locked it; try again when that program is done";
    case SQLITE_CORRUPT:
        return "is damaged; restore it from a copy, or keep what can be read with sqlite3's .recover";
    case SQLITE_NOTADB:
        return "is not a results store (not an SQLite file); give one written by `attnscope-cli evaluate --store`";
    case SQLITE_READONLY:
        return "cannot be written; check the permissions of the file and its folder, or choose another with "
               "--store";
    case SQLITE_CANTOPEN:
        return "cannot be opened; check that it exists and that its folder is writable (SQLite keeps two files "
               "next to it), or choose another with --store";
    case SQLITE_IOERR:
        return fmt::format("the disk reports an error ({}); what was stored before is kept", error.getErrorStr());
    case SQLITE_TOOBIG:
        return "contains a value that is larger than any that Attnscope writes; it was created or changed by "
               "another program";
    default:
        return fmt::format("SQLite reports: {}", printable(error.what()));
    }
}

/// Rejects a folder, device or FIFO before SQLite waits for it.
void requireRegular(const std::filesystem::path& file, bool mayBeMissing)
{
    std::error_code problem;
    const auto status = std::filesystem::status(file, problem);
    if (status.type() == std::filesystem::file_type::not_found) {
        if (!mayBeMissing)
            throw StoreError(file.string(), "results store not found",
                             "give one written by `attnscope-cli evaluate --store`");
    } else if (status.type() == std::filesystem::file_type::none) {
        throw StoreError(file.string(), "cannot be reached: " + problem.message(),
                         "give a results store that this user may read");
    } else if (status.type() != std::filesystem::file_type::regular) {
        throw StoreError(file.string(), "is not a regular file", "give a results store");
    }
}

/// A store in a read-only folder: SQLite can't create its two files next to it, and doesn't need to, as long as neither contains anything.
bool isOnFixedMedium(const std::filesystem::path& file)
{
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    std::error_code problem;
    const auto logged = std::filesystem::file_size(file.string() + "-wal", problem);
    return access(folder.c_str(), W_OK) != 0 && (problem || logged == 0);
}

std::string fixedUri(const std::filesystem::path& file)
{
    std::string uri = "file:";
    for (const unsigned char c : std::filesystem::absolute(file).string())
        uri += std::isalnum(c) != 0 || c == '/' || c == '.' || c == '-' || c == '_' ? std::string(1, char(c))
                                                                                    : fmt::format("%{:02x}", c);
    return uri + "?immutable=1";
}

struct Deadline {
    std::chrono::steady_clock::time_point end;
    static int passed(void* self)
    {
        return std::chrono::steady_clock::now() > static_cast<Deadline*>(self)->end ? 1 : 0;
    }
};

}

LogRemoval::~LogRemoval()
{
    std::error_code problem;
    const auto logged = std::filesystem::file_size(m_file.string() + "-wal", problem);
    if (problem || (logged != 0 && !m_takesContents))
        return;
    sqlite3* handle = nullptr;
    if (sqlite3_open_v2(m_file.c_str(), &handle, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK)
        sqlite3_exec(handle, "PRAGMA schema_version", nullptr, nullptr,
                     nullptr);  // attaches to the log, so that closing detaches from it
    sqlite3_close(handle);
}

StoreConnection::StoreConnection(const std::filesystem::path& file, const ConnectionOptions& options)
    : m_file(file)
    , m_options(options)
{
    requireRegular(file, options.write);
    guarded([&] {
        open();
        harden();
        inspect();
    });
    if (m_tidying)
        m_tidying->takeContents();
}

/// SQLite empties the log when the last connection is closed, but not where that one only reads, or another program still does.
StoreConnection::~StoreConnection()
{
    if (!m_options.write)
        return;
    sqlite3* handle = m_database->getHandle();
    sqlite3_busy_timeout(handle, 200);  // somebody reads or writes: the last to close empties it
    sqlite3_wal_checkpoint_v2(handle, nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
}

void StoreConnection::requireWriting() const
{
    if (!m_options.write)
        throw StoreError(subject(), "was opened read-only");
}

void StoreConnection::rethrow(const SQLite::Exception& error) const
{
    if (isSpaceError(error, m_database ? m_database->getHandle() : nullptr))
        throw NoSpace(subject(), "no space is left for results",
                      "free some space and try again; nothing that was stored is lost");
    throw StoreError(subject(), problemOf(error));
}

void StoreConnection::requireInPlace() const
{
    int moved = 0;
    sqlite3_file_control(m_database->getHandle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (moved != 0)
        throw StoreError(subject(), "was moved or deleted while it was being written",
                         "put it back, or start a new one");
}

void StoreConnection::open()
{
    const int mode = m_options.write ? SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE : SQLite::OPEN_READONLY;
    const bool fixed = !m_options.write && isOnFixedMedium(m_file);
    if (!m_options.write && !fixed)
        m_tidying.emplace(m_file);
    m_database = std::make_unique<SQLite::Database>(fixed ? fixedUri(m_file) : m_file.string(),
                                                    fixed ? mode | SQLite::OPEN_URI : mode,
                                                    int(m_options.busy.count()));
}

/// Whoever made the file, it must not execute anything, refer elsewhere or exceed our sizes.
void StoreConnection::harden()
{
    sqlite3* handle = m_database->getHandle();
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 16 << 20);
    sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, 1 << 16);
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 0);
    m_database->exec("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY");
}

void StoreConnection::inspect()
{
    int application = 0;
    bool empty = false;
    {
        SQLite::Transaction snapshot(*m_database,
                                     SQLite::TransactionBehavior::DEFERRED);  // another program may be creating it
        application = m_database->execAndGet("PRAGMA application_id").getInt();
        m_version = m_database->execAndGet("PRAGMA user_version").getInt();
        empty = application == 0 && m_version == 0
                && m_database->execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0;
    }
    if (empty && m_options.write) {
        create();
        return;
    }
    if (empty)
        throw StoreError(subject(), "is empty; no evaluation was started in it",
                         "give another store, or start an evaluation");
    if (application != storeApplicationId)
        throw StoreError(subject(), "is an SQLite file, but not a results store of Attnscope",
                         "give another name");
    if (m_version > storeVersion())
        throw StoreError(
            subject(),
            fmt::format("was written by a newer Attnscope (store version {}; this one supports up to {})",
                        m_version, storeVersion()),
            "use that version");
    if (m_version < 1)
        throw StoreError(subject(),
                         fmt::format("claims to be a store of version {}, which never existed", m_version));
    if (const std::string difference = schemaDifference(*m_database, m_version); !difference.empty())
        throw StoreError(subject(), difference, "it was changed by another program and is not used");
    if (!m_options.write) {
        quickCheck();
    } else {
        writeAhead();
        if (m_version < storeVersion())
            migrate();
    }
}

/// If two programs switch a new file to WAL at the same time, SQLite refuses one instead of making it wait: retry.
void StoreConnection::writeAhead()
{
    const auto end = std::chrono::steady_clock::now() + m_options.busy;
    for (;;) {
        try {
            m_database->exec(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216");
            return;
        } catch (const SQLite::Exception& error) {
            if (error.getErrorCode() != SQLITE_BUSY || std::chrono::steady_clock::now() >= end)
                throw;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
}

/// Two programs may open a new file at the same time: the second finds the tables of the first.
void StoreConnection::create()
{
    writeAhead();
    {
        SQLite::Transaction transaction(*m_database, SQLite::TransactionBehavior::IMMEDIATE);
        m_version = m_database->execAndGet("PRAGMA user_version").getInt();
        if (m_version == 0) {
            m_database->exec(migrationSql(0, storeVersion()));
            m_database->exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                         storeApplicationId, storeVersion()));
            transaction.commit();
            m_version = storeVersion();
            return;
        }
    }
    inspect();
}

void StoreConnection::migrate()
{
    backUp();
    SQLite::Transaction transaction(*m_database, SQLite::TransactionBehavior::IMMEDIATE);
    m_version = m_database->execAndGet("PRAGMA user_version").getInt();  // another program may have been faster
    m_database->exec(migrationSql(m_version, storeVersion()));
    m_database->exec(fmt::format("PRAGMA user_version = {}", storeVersion()));
    transaction.commit();
    m_version = storeVersion();
}

/// An unchanged copy next to the file; an existing one is from an earlier attempt and equally good.
void StoreConnection::backUp() const
{
    const std::string copy = fmt::format("{}.backup-v{}", m_file.string(), m_version);
    if (std::filesystem::exists(copy))
        return;
    const std::string unfinished = copy + ".part";
    std::filesystem::remove(unfinished);
    {
        SQLite::Database target(unfinished, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        SQLite::Backup backup(target, *m_database);
        backup.executeStep();
    }
    std::filesystem::rename(unfinished, copy);
}

void StoreConnection::quickCheck()
{
    Deadline deadline{std::chrono::steady_clock::now() + m_options.check};
    sqlite3_progress_handler(m_database->getHandle(), 1000, &Deadline::passed, &deadline);
    std::string verdict = "ok";
    try {
        SQLite::Statement query(*m_database, "PRAGMA quick_check(1)");
        if (query.executeStep())
            verdict = query.getColumn(0).getString();
    } catch (const SQLite::Exception& error) {
        sqlite3_progress_handler(m_database->getHandle(), 0, nullptr, nullptr);
        if (error.getErrorCode() != SQLITE_INTERRUPT)
            throw;
    }
    sqlite3_progress_handler(m_database->getHandle(), 0, nullptr, nullptr);
    if (verdict.find("error code=") != std::string::npos)
        throw StoreError(subject(), "cannot be read: the disk reports an error",
                         "check the disk, and copy the file");
    if (verdict != "ok")
        throw StoreError(subject(), "is damaged: " + printable(verdict), "restore it from a copy");
}

}
