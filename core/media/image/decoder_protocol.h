// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/media/image/pixel_decoder.h"

#include <cstdint>
#include <type_traits>

/// The protocol between `DecoderProcess` and the program `attnscope-decoder`. Both run on the same machine, so numbers are in native
/// representation.
///
/// Messages go through a socket pair that preserves their boundaries (SOCK_SEQPACKET); bytes go through shared memory that the client owns
/// and that can't be shrunk. The program says hello once it has dropped its privileges, then handles one request at a time:
///
///     client    copies the encoded image to the start of the memory, sends Request
///     program   decodes, writes height × width × 3 bytes at `pixelsAt`, those of the window at least, sends Reply
///     client    copies the pixels out or resizes them, once and without trusting them: the program could still change them
///
/// The program never states sizes and sends no text: the size comes from the client's own parsing of the header, and messages are the
/// client's. A reply of another length, number or outcome means a broken program.
namespace attnscope::decoder_protocol {

constexpr std::uint32_t magic = 0x44'4e'54'41;  // "ATND"
constexpr std::uint32_t version = 2;

/// The program's open files: null devices at 0, 1 and 2, and these.
constexpr int socketFileDescriptor = 3;
constexpr int memoryFileDescriptor = 4;

/// The program's protections, as bits of Hello::protections.
enum Protection : std::uint32_t {
    resourceLimits = 1,    ///< memory, processor time, open files, file size, no core dumps
    noNewPrivileges = 2,   ///< starting a setuid program gives no more rights
    notDumpable = 4,       ///< other processes of the user can't inspect it
    systemCallFilter = 8,  ///< it can't open files, start programs or connect to anything
    memoryLimit = 16,      ///< not in AddressSanitizer builds, which reserve terabytes
};

struct Hello {
    std::uint32_t magic = decoder_protocol::magic;
    std::uint32_t version = decoder_protocol::version;
    std::uint32_t protections = 0;
};

struct Request {
    std::uint64_t number = 0;        ///< returned in the reply
    std::uint64_t memoryBytes = 0;   ///< of the whole memory; it only grows
    std::uint64_t encodedBytes = 0;  ///< from its start
    std::uint64_t pixelsAt = 0;
    std::uint32_t width = 0, height = 0;
    std::uint32_t left = 0, top = 0, columns = 0, rows = 0;  ///< the window that the client uses
};

struct Reply {
    std::uint64_t number = 0;
    DecodeOutcome outcome = DecodeOutcome::Damaged;
    std::uint32_t unused = 0;
};

static_assert(std::is_trivially_copyable_v<
                  Hello> && std::is_trivially_copyable_v<Request> && std::is_trivially_copyable_v<Reply>);

}  // namespace attnscope::decoder_protocol
