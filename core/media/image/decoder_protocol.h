#pragma once

#include "core/media/image/pixel_decoder.h"
#include "core/media/process/decoder_hello.h"

#include <cstdint>
#include <type_traits>

/// The protocol between `DecoderProcess` and the program `attnscope-decoder`, which handles one request at a time:
///
///     client    copies the encoded image to the start of the memory, sends Request
///     program   decodes, writes height × width × 3 bytes at `pixelsAt`, those of the window at least, sends Reply
///     client    copies the pixels out or resizes them, once and without trusting them: the program could still change them
///
/// The program never states sizes and sends no text: the size comes from the client's own parsing of the header, and messages are the
/// client's. A reply of another length, number or outcome means a broken program.
namespace attnscope::decoder_protocol {

struct Request {
    uint64_t number = 0;        ///< returned in the reply
    uint64_t memoryBytes = 0;   ///< of the whole memory; it only grows
    uint64_t encodedBytes = 0;  ///< from its start
    uint64_t pixelsAt = 0;
    uint32_t width = 0, height = 0;
    uint32_t left = 0, top = 0, columns = 0, rows = 0;  ///< the window that the client uses
};

struct Reply {
    uint64_t number = 0;
    DecodeOutcome outcome = DecodeOutcome::Damaged;
    uint32_t unused = 0;
};

static_assert(std::is_trivially_copyable_v<Request> && std::is_trivially_copyable_v<Reply>);

}
