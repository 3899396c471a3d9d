// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace SQLite {
class Database;
}

namespace attnscope {

/// "ATSC", in the header of every store.
constexpr int storeApplicationId = 0x41545343;

/// The version that this program writes; older ones are migrated, newer ones refused.
int storeVersion();

/// The statements that lead from version `from` to version `to` (0: an empty file), each step in its order.
std::string migrationSql(int from, int to);

/// What the file's schema has that a store of `version` has not, or lacks: a sentence, empty when they are equal. So there are no triggers,
/// views or virtual tables in a store that is used.
std::string schemaDifference(SQLite::Database& database, int version);

}  // namespace attnscope
