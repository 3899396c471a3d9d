#include "core/media/video/video_protocol.h"

#include "core/base/archive.h"
#include "core/base/checked.h"
#include "core/base/text.h"

namespace attnscope::video_protocol {

namespace {

constexpr size_t maxTextBytes = 1000, maxNotes = 50;

void makePrintable(std::string& text)
{
    text = printable(std::string_view(text).substr(0, maxTextBytes));
}

void makePrintable(VideoInfo& info)
{
    for (std::string* text : {&info.container, &info.codec, &info.pixelFormat, &info.decoder})
        makePrintable(*text);
    for (std::string& note : info.notes)
        makePrintable(note);
}

bool isFraction(const Fraction& fraction, int64_t least)
{
    return fraction.numerator >= least && fraction.denominator > 0;
}

bool isCredible(const VideoInfo& info, int64_t maxPixels)
{
    const auto pixels = checkedMultiply(info.width, info.height);
    const bool sized = info.width > 0 && info.height > 0 && pixels && *pixels <= maxPixels;
    const bool turned = info.rotation == 0 || info.rotation == 90 || info.rotation == 180 || info.rotation == 270;
    return sized && turned && isFraction(info.averageRate, 0) && isFraction(info.timeBase, 1)
           && info.frames.value_or(0) >= 0 && info.duration.value_or(0) >= 0 && info.tagged.value_or(0) >= 0
           && info.notes.size() <= maxNotes;
}

bool fits(Outcome outcome, Action action)
{
    switch (outcome) {
    case Outcome::Working:
    case Outcome::Done:
    case Outcome::Failed:
    case Outcome::Unsupported:
        return true;
    case Outcome::End:
        return action == Action::Advance;
    }
    return false;
}

}

std::optional<Reply> parseReply(std::span<const std::byte> bytes, const Request& request)
try {
    auto reply = unarchived<Reply>({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    const bool opened = request.action == Action::Open && reply.outcome == Outcome::Done;
    if (reply.number != request.number || !fits(reply.outcome, request.action) || reply.info.has_value() != opened)
        return std::nullopt;
    if (reply.info && !isCredible(*reply.info, request.videoPixels))
        return std::nullopt;
    if (reply.info)
        makePrintable(*reply.info);
    makePrintable(reply.reason);
    return reply;
} catch (const FileError&) {
    return std::nullopt;
}

}
