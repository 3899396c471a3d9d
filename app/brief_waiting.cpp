#include "app/brief_waiting.h"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace {

constexpr const char* countName = "GOMP_SPINCOUNT";
char count[] = "1000";
bool wasRequested = false;  // before `main`, by libgomp

/// The variable's value in the environment, or null. Nothing but memory is used: constructors of libraries run it.
char* valueOf(const char* name)
{
    const size_t length = std::strlen(name);
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
        if (std::strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
            return *entry + length + 1;
    return nullptr;
}

bool userDecided()
{
    return valueOf("OMP_WAIT_POLICY") != nullptr || valueOf(countName) != nullptr;
}

}

/// Stands before libc's for the whole program, as programs' functions do for libraries: the same but for one variable.
extern "C" __attribute__((visibility("default"))) char* getenv(const char* name) noexcept
{
    if (std::strcmp(name, countName) != 0 || userDecided())
        return valueOf(name);
    wasRequested = true;
    return count;
}

void attnscope::waitBriefly(char** arguments)
{
    if (wasRequested || userDecided())
        return;
    ::setenv(countName, count, 1);
    ::execv("/proc/self/exe", arguments);
    // Only reached when the program cannot be started again: it then runs as it is.
}
