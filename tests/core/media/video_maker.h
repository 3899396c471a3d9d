#pragma once

#include "core/media/video/video_reader.h"

#include <QByteArray>
#include <QProcess>
#include <QStandardPaths>
#include <QStringList>
#include <QTemporaryDir>

#include <filesystem>
#include <optional>
#include <vector>

/// Videos made by the program ffmpeg, and what it says of them.
namespace attnscope::test {

/// Whether the programs are there; tests that need them are skipped without.
inline bool hasFfmpeg()
{
    return !QStandardPaths::findExecutable("ffmpeg").isEmpty()
           && !QStandardPaths::findExecutable("ffprobe").isEmpty();
}

/// What the program writes to its output; ends the test program when it fails.
inline QByteArray run(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(120'000) || process.exitStatus() != QProcess::NormalExit
        || process.exitCode() != 0)
        qFatal("%s %s: %s", qPrintable(program), qPrintable(arguments.join(' ')),
               process.readAllStandardError().constData());
    return process.readAllStandardOutput();
}

/// `spec`: FFmpeg's options between its input and the file. `source`: a lavfi description.
inline std::filesystem::path makeVideo(const QTemporaryDir& folder, const QString& name, const QString& spec,
                                       const QString& source = "testsrc2=size=176x144:rate=25:duration=2.4")
{
    QStringList arguments{"-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", source, "-threads", "2"};
    arguments += spec.split(' ', Qt::SkipEmptyParts);
    run("ffmpeg", arguments << folder.filePath(name));
    return folder.filePath(name).toStdString();
}

/// All frames as ffmpeg converts them, one behind the other; `extra` options stand before the output.
inline QByteArray rgbByFfmpeg(const std::filesystem::path& video, const QStringList& extra = {})
{
    QStringList arguments{
        "-v", "error", "-nostdin", "-noautorotate", "-i", QString::fromStdString(video.string())};
    arguments << "-map"
              << "0:v:0"
              << "-vsync"
              << "passthrough"
              << "-sws_flags"
              << "bilinear" << extra << "-f"
              << "rawvideo"
              << "-pix_fmt"
              << "rgb24"
              << "-";
    return run("ffmpeg", arguments);
}

/// Empty where the file does not say them.
inline std::vector<std::optional<int64_t>> timesByFfprobe(const std::filesystem::path& video)
{
    const QByteArray text = run("ffprobe", {"-v", "error", "-select_streams", "v:0", "-show_entries",
                                            "frame=best_effort_timestamp", "-of", "csv=p=0",
                                            QString::fromStdString(video.string())});
    std::vector<std::optional<int64_t>> times;
    for (const QByteArray& line : text.split('\n'))
        if (!line.trimmed().isEmpty())
            times.push_back(line.startsWith("N/A") ? std::nullopt
                                                   : std::optional(line.split(',')[0].toLongLong()));
    return times;
}

/// A frame with its time.
struct TimedFrame {
    int64_t pts = 0;
    std::vector<uint8_t> rgb;
    bool operator==(const TimedFrame&) const = default;
};

inline TimedFrame frameOf(VideoReader& video)
{
    Clip clip;
    video.appendTo(clip);
    return {video.pts(), std::move(clip.pixels)};
}

inline std::vector<TimedFrame> allFrames(VideoReader& video)
{
    std::vector<TimedFrame> frames;
    while (video.advance())
        frames.push_back(frameOf(video));
    return frames;
}

}
