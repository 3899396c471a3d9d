#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace attnscope {

/// A folder that is removed at the end, and the files that a test puts into it.
class Folder {
public:
    Folder()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "attnscope-XXXXXX").string();
        m_path = mkdtemp(pattern.data());
    }
    ~Folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    std::filesystem::path operator/(const std::string& name) const { return m_path / name; }
    /// Writes a file, and the folders above it.
    std::filesystem::path put(const std::string& name, std::string_view content = "x") const
    {
        const std::filesystem::path path = m_path / name;
        std::filesystem::create_directories(path.parent_path());
        // ext4 writes a file to disk that is truncated and filled again: 3,000 times, half a minute.
        std::filesystem::remove(path);
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }

private:
    std::filesystem::path m_path;
};

}
