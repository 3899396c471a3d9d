#pragma once

#include "core/base/error.h"

#include <c10/util/Exception.h>

#include <new>
#include <stdexcept>
#include <string>

namespace attnscope {

inline constexpr const char* noMemoryForAttention = "there is not enough memory for this attention at this size";

/// One sentence for an exception of LibTorch, `what` being the failed operation; its own messages take pages.
inline std::string torchProblem(const c10::Error& error, const std::string& what = "run this attention",
                                const std::string& noMemory = noMemoryForAttention)
{
    std::string text = error.what_without_backtrace();
    text = text.substr(0, text.find('\n'));
    if (text.find("allocate memory") != std::string::npos || text.find("out of memory") != std::string::npos)
        return noMemory;
    return "LibTorch could not " + what + " (" + text + ")";
}

/// A GPU has failed so that this process cannot use it any more. No Error of one attention or input, after which the others are tried.
class GpuLost : public std::runtime_error {
    using runtime_error::runtime_error;
};

/// Throws it for the text of such an error of CUDA's.
inline void throwIfGpuIsLost(std::string text)
{
    text = text.substr(0, text.find('\n'));
    for (const char* sign : {"illegal memory access", "launch failure", "device-side assert", "misaligned address",
                             "illegal instruction", "uncorrectable", "launch timed out", "hardware stack error",
                             "address space", "program counter"})
        if (text.find(sign) != std::string::npos)
            throw GpuLost(Error("", "the GPU failed (" + text + "), and this process cannot use it any more",
                                "start the program again")
                              .what());
}

/// Does `work` for `attention`, one of several, and says in a sentence what kept it from being done: an error of ours, of LibTorch or for
/// lack of memory. Empty when nothing did; Cancelled and GpuLost pass. `remedy` is advised where memory lacks or LibTorch refuses.
template <typename Work>
std::string failureOf(const std::string& attention, const std::string& remedy, const Work& work)
{
    try {
        work();
        return {};
    } catch (const GpuLost&) {
        throw;
    } catch (const Error& error) {
        return error.what();
    } catch (const c10::Error& error) {
        throwIfGpuIsLost(error.what_without_backtrace());
        return Error(attention, torchProblem(error), remedy).what();
    } catch (const std::bad_alloc&) {
        return Error(attention, noMemoryForAttention, remedy).what();
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception& error) {  // of oneDNN, mostly
        return Error(attention, std::string("a library reports: ") + error.what(), remedy).what();
    }
}

/// Gives back what `work` returns; what LibTorch throws, or memory that is missing, becomes Unsupported about `subject`. GpuLost passes.
template <typename Work>
auto guardTorch(const std::string& subject, const Work& work, const char* what = "run this attention",
                const char* noMemory = noMemoryForAttention, const char* remedy = "")
{
    try {
        return work();
    } catch (const c10::Error& error) {
        throwIfGpuIsLost(error.what_without_backtrace());
        throw Unsupported(subject, torchProblem(error, what, noMemory), remedy);
    } catch (const std::bad_alloc&) {
        throw Unsupported(subject, noMemory, remedy);
    }
}

/// Work on one of several inputs: what LibTorch throws, or memory that is missing, becomes an Error of that input, so that it is listed
/// and the others go on.
template <typename Work>
auto guardInput(const std::string& path, const Work& work)
{
    return guardTorch(path, work, "work on it", "there is not enough memory for it",
                      "choose a smaller input, or fewer views");
}

}
