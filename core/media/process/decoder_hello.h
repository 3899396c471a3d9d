#pragma once

#include <cstdint>

/// What the decoder programs have in common: how they are started, and what they say first. Client and program run on the same machine, so
/// numbers are in native representation; messages go through a socket pair that preserves their boundaries (SOCK_SEQPACKET), pixels through
/// shared memory that the client owns and that can't be shrunk.
namespace attnscope::decoder_protocol {

constexpr uint32_t magic = 0x44'4e'54'41;  // "ATND"
constexpr uint32_t version = 3;

/// A program's open files: null devices at 0, 1 and 2, and these.
constexpr int socketFileDescriptor = 3;
constexpr int memoryFileDescriptor = 4;

/// A program's protections, as bits of Hello::protections.
enum Protection : uint32_t {
    resourceLimits = 1,    ///< memory, processor time, open files, file size, no core dumps
    noNewPrivileges = 2,   ///< starting a setuid program gives no more rights
    notDumpable = 4,       ///< other processes of the user can't inspect it
    systemCallFilter = 8,  ///< it can't open files, start programs or connect to anything
    memoryLimit = 16,      ///< not in AddressSanitizer builds, which reserve terabytes
};

/// Sent once the program has dropped its privileges.
struct Hello {
    uint32_t magic = decoder_protocol::magic;
    uint32_t version = decoder_protocol::version;
    uint32_t protections = 0;
};

}
