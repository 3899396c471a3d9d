#pragma once

#include "core/base/json.h"
#include "models/weights/checkpoint_identity.h"

#include <string>
#include <vector>

namespace attnscope {

/// Every switch of a plain vision transformer with the value that a description leaves out, in the order of docs/models.md; sizes are null.
const Json& vitDefaults();

/// Equal whatever the order of their keys.
bool sameJson(const Json& a, const Json& b);

/// What is known of a network so far, and what showed it. The first witness of a key counts, so that tensors are asked before files next to
/// them, and those before names.
class Findings {
public:
    void put(const std::string& key, const Json& value, const std::string& witness);
    /// The same, shown by the tensors themselves: a user can't say otherwise.
    void putSeen(const std::string& key, const Json& value, const std::string& witness);

    bool has(const std::string& key) const { return find(key) != nullptr; }
    /// The value so far, else the default.
    Json value(const std::string& key) const;
    int64_t integer(const std::string& key) const;  ///< 0 if it is not known
    bool flag(const std::string& key) const { return value(key) == Json(true); }
    std::string text(const std::string& key) const;
    bool seen(const std::string& key) const;

    /// The keys of a description that differ from their defaults, sizes first.
    Json config() const;
    /// Every key with its value and its witness: "default" where nothing showed another one.
    std::vector<WitnessedKey> all() const;

private:
    const WitnessedKey* find(const std::string& key) const;

    std::vector<WitnessedKey> m_found;
};

}
