// What fault_injector.c is asked for: the environment variables that its beginning explains.
#pragma once

#include <dlfcn.h>  // with _GNU_SOURCE, for RTLD_NEXT
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum Kind { READ, WRITE, OPEN, SYNC, TRUNCATE, RENAME, UNLINK, MAP, ALLOCATE, ONEDNN, THREAD, CLOCK, KINDS };
static const char* const kindNames[KINDS] = {"read",   "write", "open",     "sync",   "truncate", "rename",
                                             "unlink", "map",   "allocate", "onednn", "thread",   "clock"};
static const struct {
    const char* name;
    int number;
} errorNames[] = {{"EINTR", EINTR},   {"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EMFILE", EMFILE},
                  {"ENOMEM", ENOMEM}, {"EDQUOT", EDQUOT}, {"EACCES", EACCES}, {"EAGAIN", EAGAIN}};

// What a call shall do, beside the number of an error.
enum { NOTHING = 0, SHORT = -1, KILL = -2 };
// Smaller allocations are the C library's own and those of tables, whose failure no program survives.
enum { SMALLEST_ALLOCATION = 4096 };

static struct {
    int active;  // from the beginning of main to its end, in the program that was chosen
    enum Kind kind;
    int error, log, atEnd;
    long first, last, seconds;
    char pattern[PATH_MAX];
} settings = {.kind = KINDS, .log = -1};

// The next library's function of that name, which is the C library's.
#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

static int errorOf(const char* name)
{
    for (size_t i = 0; i < sizeof errorNames / sizeof *errorNames; ++i)
        if (strcmp(errorNames[i].name, name) == 0)
            return errorNames[i].number;
    return strcmp(name, "KILL") == 0 ? KILL : strcmp(name, "SHORT") == 0 ? SHORT : NOTHING;
}

static void readFault(const char* text)
{
    char kind[16] = "", error[16] = "";
    int end = 0;
    if (sscanf(text, "%15[^:]:%15[^:]:%ld%n", kind, error, &settings.first, &end) < 3)
        return;
    settings.last = text[end] == '+' ? LONG_MAX : settings.first;
    end += text[end] == '+';
    if (text[end] == ':')
        snprintf(settings.pattern, sizeof settings.pattern, "%s", text + end + 1);
    char* const dollar = strrchr(settings.pattern, '$');
    settings.atEnd = dollar != NULL && dollar[1] == '\0';
    if (settings.atEnd)
        *dollar = '\0';
    for (int i = 0; i < KINDS; ++i)
        if (strcmp(kindNames[i], kind) == 0)
            settings.kind = (enum Kind)i;
    settings.error = errorOf(error);
    settings.seconds = settings.kind == CLOCK ? strtol(error, NULL, 10) : 0;
}

// Called at the beginning of main. Does nothing in other programs than the chosen one.
static void startFaults(void)
{
    char program[PATH_MAX] = "";
    const char* const chosen = getenv("ATTNSCOPE_FAULT_PROGRAM");
    const char* const fault = getenv("ATTNSCOPE_FAULT");
    const char* const log = getenv("ATTNSCOPE_FAULT_LOG");
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    const char* const name = length > 0 ? strrchr(program, '/') : NULL;
    if (name == NULL || strcmp(name + 1, chosen != NULL ? chosen : "attnscope-commands") != 0)
        return;
    if (fault != NULL)
        readFault(fault);
    if (log != NULL)
        settings.log = NEXT(open)(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    settings.active = 1;
}
