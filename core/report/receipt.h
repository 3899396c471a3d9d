#pragma once

#include "core/base/json.h"
#include "core/store/result_store.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// What an evaluation was made of and what came out, so that somebody else can repeat it and see what differs.
namespace attnscope {

/// One thing that an evaluation depends on, or one of its results.
struct ReceiptEntry {
    std::string name;  ///< "weights (SHA-256)"
    std::string value;
    friend bool operator==(const ReceiptEntry&, const ReceiptEntry&) = default;
};

struct Receipt {
    std::vector<std::string> options;  ///< of `evaluate`, without those that name files or change no result
    std::vector<ReceiptEntry> conditions, results;
};

/// Of a finished evaluation. `options`: as in Receipt. Reads every file of the data set, whose bytes are among the conditions. Throws StoreError,
/// UsageError for an evaluation that is not finished.
Receipt receiptOf(const ResultStore& store, int64_t evaluation, const std::vector<std::string>& options);

Json toJson(const Receipt& receipt);
/// Throws FileError. `name` is used in messages.
Receipt receiptFrom(const Json& json, const std::string& name);

struct ReceiptDifference {
    std::string name, before, now;  ///< empty: not there
};

std::vector<ReceiptDifference> differences(const std::vector<ReceiptEntry>& before,
                                           const std::vector<ReceiptEntry>& now);

}
