// SPDX-License-Identifier: Apache-2.0
// Where memory is limited (`ulimit -v`), libraries run out of it before `main`, and threads where nobody catches: a sentence and the
// exit code of a failure there too, instead of an abort.
#include "app/cli/out_of_memory.h"

#include "app/cli/exit_code.h"

#include <cxxabi.h>
#include <unistd.h>

#include <exception>
#include <new>
#include <typeinfo>

namespace attnscope::cli {

namespace {

std::terminate_handler usualEnd = nullptr;  // set once, before there is a second thread

[[noreturn]] void endOfProgram() noexcept
{
    const std::type_info* thrown = abi::__cxa_current_exception_type();
    if (thrown != nullptr && *thrown == typeid(std::bad_alloc)) {
        reportOutOfMemory();
        ::_exit(static_cast<int>(ExitCode::Failed));
    }
    usualEnd();
    ::_exit(static_cast<int>(ExitCode::Failed));
}

void beforeLibraries()
{
    usualEnd = std::set_terminate(endOfProgram);
}

/// The loader calls what stands here before it initialises any library.
[[gnu::used, gnu::section(".preinit_array")]] void (*const atTheVeryBeginning)() = beforeLibraries;

}  // namespace

void reportOutOfMemory() noexcept
{
    constexpr char sentence[] = "attnscope-cli: there is not enough memory for this.\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, sentence, sizeof sentence - 1);
}

}  // namespace attnscope::cli
