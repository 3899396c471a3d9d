#pragma once

#include <string>

namespace SQLite {
class Database;
}

namespace attnscope {

/// "ATSC", in the header of every store.
constexpr int storeApplicationId = 0x41545343;

/// The version that this program writes; older ones are migrated, newer ones rejected.
int storeVersion();

/// The statements that migrate from version `from` to version `to` (0: an empty file), in order.
std::string migrationSql(int from, int to);

/// The difference between the file's schema and that of a store of `version`, as a sentence; empty if they are equal. This excludes
/// triggers, views and virtual tables from any store in use.
std::string schemaDifference(SQLite::Database& database, int version);

}
