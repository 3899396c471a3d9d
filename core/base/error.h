#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace attnscope {

/// One sentence for the user: the subject, the problem, and the remedy.
///
///     people.mp4: no video stream (audio only); give a file with images, or a folder of images.
///
/// Errors are exceptions and are caught in three places only: per sample in batch loops (they become entries of `unreadable`), in the
/// command line's `main` (exit code) and at the edge of the worker thread (a message).
class Error : public std::runtime_error {
public:
    /// `subject` may be empty; `remedy` may be empty if there is nothing that the user can do.
    Error(std::string_view subject, std::string_view problem, std::string_view remedy = {});

    const std::string& subject() const { return m_subject; }
    /// The sentence without its subject, for places that already show it (a list of unreadable files).
    const std::string& reason() const { return m_reason; }

private:
    std::string m_subject;
    std::string m_reason;
};

/// The request itself is wrong (unknown name, value out of range): exit code 2.
class UsageError : public Error {
    using Error::Error;
};

/// A file can't be read or written, or is invalid.
class FileError : public Error {
    using Error::Error;
};

/// The request makes sense, but not on this machine, in this build or with these weights.
class Unsupported : public Error {
    using Error::Error;
};

/// The user requested a stop. Not a failure: what was finished is kept.
class Cancelled : public std::exception {
public:
    const char* what() const noexcept override { return "stopped on request"; }
};

}
