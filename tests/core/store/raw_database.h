#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <stdexcept>
#include <string>

/// A store as somebody else's program sees it.
namespace attnscope::testing {

inline void runSql(const std::filesystem::path& file, const std::string& sql)
{
    sqlite3* database = nullptr;
    char* message = nullptr;
    sqlite3_open(file.c_str(), &database);
    const int code = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message);
    const std::string text = message != nullptr ? message : "";
    sqlite3_free(message);
    sqlite3_close(database);
    if (code != SQLITE_OK)
        throw std::runtime_error(text);
}

/// The first column of the first row.
inline std::string askSql(const std::filesystem::path& file, const std::string& sql)
{
    sqlite3* database = nullptr;
    sqlite3_stmt* statement = nullptr;
    sqlite3_open(file.c_str(), &database);
    std::string value;
    if (sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK
        && sqlite3_step(statement) == SQLITE_ROW)
        if (const auto* text = sqlite3_column_text(statement, 0); text != nullptr)
            value = reinterpret_cast<const char*>(text);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return value;
}

}
