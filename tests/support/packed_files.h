#pragma once

#include <zlib.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Archives of files, made byte by byte.
namespace attnscope {

struct MemberFile {
    std::string name, content;
    char type = '0';     ///< of tar: 1 hard link, 2 symbolic link, 5 folder, x and L what precedes a file
    std::string target;  ///< of links
};
using MemberFiles = std::vector<MemberFile>;

inline std::string tarHeader(const std::string& name, size_t bytes, char type, const std::string& target = {})
{
    std::string header(512, '\0');
    const auto put = [&](size_t at, std::string_view text) { header.replace(at, text.size(), text); };
    std::array<char, 16> number{};
    const auto octal = [&](size_t at, int digits, unsigned long value) {
        std::snprintf(number.data(), number.size(), "%0*lo", digits, value);
        put(at, number.data());
    };
    put(0, std::string_view(name).substr(0, 100));
    octal(100, 7, 0644);
    octal(108, 7, 0);
    octal(116, 7, 0);
    octal(124, 11, bytes);
    octal(136, 11, 0);
    put(148, "        ");
    header[156] = type;
    put(157, std::string_view(target).substr(0, 100));
    put(257, std::string_view("ustar\00000", 8));
    unsigned sum = 0;
    for (const char c : header)
        sum += static_cast<unsigned char>(c);
    octal(148, 6, sum);
    header[154] = '\0';
    return header;
}

inline std::string tarMember(const MemberFile& file)
{
    std::string bytes = tarHeader(file.name, file.content.size(), file.type, file.target) + file.content;
    bytes.resize((bytes.size() + 511) / 512 * 512);
    return bytes;
}

/// Long names as pax writes them, or as GNU does.
inline std::string tarOf(const MemberFiles& files, bool gnu = false)
{
    std::string all;
    for (const MemberFile& file : files) {
        if (file.name.size() > 100 && gnu) {
            all += tarMember({"././@LongLink", file.name + '\0', 'L'});
        } else if (file.name.size() > 100) {
            const std::string line = " path=" + file.name + "\n";
            size_t size = line.size() + 3;  // with the digits of the size itself
            size = line.size() + std::to_string(size).size();
            all += tarMember({"PaxHeaders/x", std::to_string(size) + line, 'x'});
        }
        all += tarMember(file);
    }
    return all + std::string(1024, '\0');
}

/// `windowBits` as zlib has them: 31 gzip, -15 raw.
inline std::string deflated(std::string_view bytes, int windowBits, int level = 6)
{
    z_stream stream{};
    deflateInit2(&stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = uInt(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = uInt(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

inline std::string gzipOf(std::string_view bytes, int level = 6)
{
    return deflated(bytes, 31, level);
}

/// Every second file is deflated. `comment`: behind the directory.
inline std::string zipOf(const MemberFiles& files, const std::string& comment = {})
{
    std::string all, directory;
    const auto little = [](uint64_t value, int bytes) {
        std::string text;
        for (int i = 0; i < bytes; ++i)
            text += char(value >> (8 * i));
        return text;
    };
    bool pack = false;
    for (const MemberFile& file : files) {
        const std::string packed = pack ? deflated(file.content, -15) : file.content;
        const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(file.content.data()),
                                    uInt(file.content.size()));
        const std::string common = little(20, 2) + little(0, 2) + little(pack ? 8 : 0, 2) + little(0, 4)
                                   + little(checksum, 4) + little(packed.size(), 4)
                                   + little(file.content.size(), 4) + little(file.name.size(), 2) + little(0, 2);
        directory += "PK\1\2" + little(0x0314, 2) + common + little(0, 6) + little(0, 2)
                     + little(file.type == '2' ? 0120777 : 0100644, 2) + little(all.size(), 4) + file.name;
        all += "PK\3\4" + common + file.name + packed;
        pack = !pack;
    }
    const size_t at = all.size();
    return all + directory + "PK\5\6" + little(0, 4) + little(files.size(), 2) + little(files.size(), 2)
           + little(directory.size(), 4) + little(at, 4) + little(comment.size(), 2) + comment;
}

}
