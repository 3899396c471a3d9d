// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"

#include <string>

namespace attnscope::cli {

/// Where `--json` goes: nowhere, standard output ("-") or a file.
class JsonTarget {
public:
    /// Throws FileError at once when the file could not be written, before hours of work.
    explicit JsonTarget(std::string destination);

    /// Standard output carries either JSON or tables, never both.
    bool replacesTables() const { return m_destination == "-"; }

    /// The tables to standard output, unless the JSON goes there, and the JSON to its place. Throws FileError.
    void print(const std::string& tables, const Json& json) const;

    /// A file is written atomically (core/base/atomic_file.h). Throws FileError.
    void write(const Json& json) const;

private:
    std::string m_destination;
};

}  // namespace attnscope::cli
