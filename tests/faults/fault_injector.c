// A library for LD_PRELOAD that makes one system call of a program fail. faults.py builds and uses it; by hand:
//
//   cc -shared -fPIC -O2 -fno-delete-null-pointer-checks -o injector.so fault_injector.c
//   LD_PRELOAD=./injector.so ATTNSCOPE_FAULT=write:ENOSPC:7:runs.sqlite attnscope-cli evaluate …
//
// ATTNSCOPE_FAULT=KIND:ERROR:N[:PATTERN]: the N-th call of KIND fails with ERROR; with N+ all calls from the N-th on. With PATTERN only
//     calls count whose file's path contains it (PATTERN$: at its end). KIND is one of kindNames; ERROR is one of errorNames, or:
//     SHORT  only half of the bytes are read or written
//     KILL   the process dies at that call
//     +S, -S (clock) from the N-th reading on the clock of the day is S seconds ahead or behind
//     The kind "allocate" leaves out what oneDNN allocates itself ("onednn"): it uses some of it unchecked, and LibTorch contains it.
// ATTNSCOPE_FAULT_COUNTS=FILE: writes the number of calls of each kind to FILE at the end; the pattern is that of ATTNSCOPE_FAULT.
// ATTNSCOPE_FAULT_LOG=FILE: appends every change to files that match the pattern, in their order: a line "KIND OFFSET LENGTH PATH", then
//     LENGTH bytes: what was written, or the new name of a renamed file. OFFSET of "truncate" is the new size.
// ATTNSCOPE_FAULT_PROGRAM=NAME: the only program that this happens in (attnscope-commands), so that processes that it starts are left alone.
#define _GNU_SOURCE
#include "fault_settings.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static atomic_long counts[KINDS];
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;  // the log's records are in the order of the changes

// Another name of a function: both have the same arguments where a file's offset has 64 bits.
#define ALIAS(name, of) __attribute__((alias(#of))) name

static const char* pathOf(int file, char* path)
{
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const int kept = errno;
    const ssize_t length = readlink(link, path, PATH_MAX - 1);
    errno = kept;
    path[length > 0 ? length : 0] = '\0';
    return path;
}

static int matches(const char* path)
{
    const char* const found = path != NULL ? strstr(path, settings.pattern) : NULL;  // FFmpeg opens NULL
    return settings.pattern[0] == '\0' || (found != NULL && (!settings.atEnd || found[strlen(settings.pattern)] == '\0'));
}

static void die(void)
{
    syscall(SYS_kill, getpid(), SIGKILL);
    __builtin_trap();  // where the process may not send signals
}

// Counts a call and says what it shall do: NOTHING, SHORT, or fail with the returned error, which errno already has.
static int fault(enum Kind kind, const char* path)
{
    if (!settings.active || !matches(path))
        return NOTHING;
    const long number = atomic_fetch_add(&counts[kind], 1) + 1;
    if (kind != settings.kind || number < settings.first || number > settings.last)
        return NOTHING;
    if (settings.error == KILL)
        die();
    if (settings.error > 0)
        errno = settings.error;
    return settings.error;
}

static int faultOfFile(enum Kind kind, int file)
{
    char path[PATH_MAX];
    // Without a pattern no path is needed: a locked decoder may not ask for it.
    return settings.active ? fault(kind, settings.pattern[0] != '\0' ? pathOf(file, path) : "") : NOTHING;
}

// --- the log ---------------------------------------------------------------------------------------------------------

static void logWrite(const void* bytes, size_t count)
{
    if (syscall(SYS_write, settings.log, bytes, count) != (ssize_t)count)
        die();  // a log with holes proves nothing
}

static void logChange(const char* kind, const char* path, long offset, const void* bytes, size_t count)
{
    char line[PATH_MAX + 64];
    const int kept = errno, length = snprintf(line, sizeof line, "%s %ld %zu %s\n", kind, offset, count, path);
    logWrite(line, (size_t)length);
    if (count > 0)
        logWrite(bytes, count);
    errno = kept;
}

// Makes a change and logs it, when it succeeds, before any other change.
#define LOGGED(path, change, record)                                             \
    do {                                                                         \
        if (!settings.active || settings.log < 0 || !matches(path))              \
            return change;                                                       \
        pthread_mutex_lock(&order);                                              \
        __typeof__(change) result = change;                                      \
        if (result >= 0)                                                         \
            record;                                                              \
        pthread_mutex_unlock(&order);                                            \
        return result;                                                           \
    } while (0)

// --- the calls -------------------------------------------------------------------------------------------------------

// Fails as the fault says, or goes on, with half of the bytes where it is SHORT.
#define FAIL_OR_SHORTEN(kind, file, bytes)          \
    do {                                            \
        const int wanted = faultOfFile(kind, file); \
        if (wanted > 0)                             \
            return -1;                              \
        if (wanted == SHORT && (bytes) > 1)         \
            bytes /= 2;                             \
    } while (0)

ssize_t read(int file, void* to, size_t bytes)
{
    FAIL_OR_SHORTEN(READ, file, bytes);
    return NEXT(read)(file, to, bytes);
}

ssize_t pread64(int file, void* to, size_t bytes, off64_t offset)
{
    FAIL_OR_SHORTEN(READ, file, bytes);
    return NEXT(pread64)(file, to, bytes, offset);
}
ssize_t ALIAS(pread, pread64)(int, void*, size_t, off_t);

ssize_t recv(int socket, void* to, size_t bytes, int flags)
{
    const ssize_t got = NEXT(recv)(socket, to, bytes, flags);
    faultOfFile(READ, socket);  // afterwards, so that a decoder is killed with a request in its hands
    return got;
}

ssize_t write(int file, const void* from, size_t bytes)
{
    char path[PATH_MAX];
    FAIL_OR_SHORTEN(WRITE, file, bytes);
    if (settings.log < 0)
        return NEXT(write)(file, from, bytes);
    LOGGED(pathOf(file, path), NEXT(write)(file, from, bytes),
           logChange("write", path, lseek(file, 0, SEEK_CUR) - result, from, (size_t)result));
}

ssize_t pwrite64(int file, const void* from, size_t bytes, off64_t offset)
{
    char path[PATH_MAX];
    FAIL_OR_SHORTEN(WRITE, file, bytes);
    if (settings.log < 0)
        return NEXT(pwrite64)(file, from, bytes, offset);
    LOGGED(pathOf(file, path), NEXT(pwrite64)(file, from, bytes, offset), logChange("write", path, offset, from, (size_t)result));
}
ssize_t ALIAS(pwrite, pwrite64)(int, const void*, size_t, off_t);

// Streams of C++ write their buffer and what follows it at once; a part of it is a short write, which they repeat.
ssize_t writev(int file, const struct iovec* parts, int count)
{
    for (int i = 0; i < count; ++i)
        if (parts[i].iov_len > 0)
            return write(file, parts[i].iov_base, parts[i].iov_len);
    return 0;
}

static int openAt(int folder, const char* path, int flags, mode_t mode)
{
    if (fault(OPEN, path) > 0)
        return -1;
    if ((flags & O_CREAT) == 0)
        return NEXT(openat)(folder, path, flags, mode);
    LOGGED(path, NEXT(openat)(folder, path, flags, mode), logChange((flags & O_TRUNC) != 0 ? "truncate" : "create", path, 0, NULL, 0));
}

// The mode is there only if a file may be created; otherwise what is read in its place is not used.
#define OPEN_FUNCTION(name, folder, ...)                 \
    int name(__VA_ARGS__, int flags, ...)                \
    {                                                    \
        va_list arguments;                               \
        va_start(arguments, flags);                      \
        const mode_t mode = va_arg(arguments, mode_t);   \
        va_end(arguments);                               \
        return openAt(folder, path, flags, mode);        \
    }
OPEN_FUNCTION(open, AT_FDCWD, const char* path)
OPEN_FUNCTION(open64, AT_FDCWD, const char* path)
OPEN_FUNCTION(openat, at, int at, const char* path)
OPEN_FUNCTION(openat64, at, int at, const char* path)

FILE* fopen64(const char* path, const char* mode)
{
    return fault(OPEN, path) > 0 ? NULL : NEXT(fopen64)(path, mode);
}
FILE* ALIAS(fopen, fopen64)(const char*, const char*);

#define SYNC_FUNCTION(name)                                                                \
    int name(int file)                                                                     \
    {                                                                                      \
        char path[PATH_MAX];                                                               \
        if (faultOfFile(SYNC, file) > 0)                                                   \
            return -1;                                                                     \
        if (settings.log < 0)                                                              \
            return NEXT(name)(file);                                                       \
        LOGGED(pathOf(file, path), NEXT(name)(file), logChange("sync", path, 0, NULL, 0)); \
    }
SYNC_FUNCTION(fsync)
SYNC_FUNCTION(fdatasync)

int ftruncate64(int file, off64_t size)
{
    char path[PATH_MAX];
    if (faultOfFile(TRUNCATE, file) > 0)
        return -1;
    if (settings.log < 0)
        return NEXT(ftruncate64)(file, size);
    LOGGED(pathOf(file, path), NEXT(ftruncate64)(file, size), logChange("truncate", path, size, NULL, 0));
}
int ALIAS(ftruncate, ftruncate64)(int, off_t);

int rename(const char* from, const char* to)
{
    if (fault(RENAME, to) > 0)
        return -1;
    LOGGED(to, NEXT(rename)(from, to), logChange("rename", from, 0, to, strlen(to)));
}

#define UNLINK_FUNCTION(name)                                                     \
    int name(const char* path)                                                    \
    {                                                                             \
        if (fault(UNLINK, path) > 0)                                              \
            return -1;                                                            \
        LOGGED(path, NEXT(name)(path), logChange("unlink", path, 0, NULL, 0));    \
    }
UNLINK_FUNCTION(unlink)
UNLINK_FUNCTION(remove)  // std::filesystem::remove

void* mmap64(void* address, size_t bytes, int protection, int flags, int file, off64_t offset)
{
    if (bytes >= SMALLEST_ALLOCATION && faultOfFile(MAP, file) > 0)
        return MAP_FAILED;
    return NEXT(mmap64)(address, bytes, protection, flags, file, offset);
}
void* ALIAS(mmap, mmap64)(void*, size_t, int, int, int, off_t);

// Allocations have no path, so that a pattern never matches. These names of glibc's work before dlsym does, which allocates itself.
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* old, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);

static int refused(enum Kind kind, size_t bytes)
{
    return bytes >= SMALLEST_ALLOCATION && fault(kind, "") > 0;
}

void* malloc(size_t bytes)
{
    return refused(ALLOCATE, bytes) ? NULL : __libc_malloc(bytes);
}

void* calloc(size_t count, size_t bytes)
{
    return refused(ALLOCATE, count * bytes) ? NULL : __libc_calloc(count, bytes);
}

void* realloc(void* old, size_t bytes)
{
    return refused(ALLOCATE, bytes) ? NULL : __libc_realloc(old, bytes);
}

int posix_memalign(void** result, size_t alignment, size_t bytes)
{
    Dl_info caller = {0};
    const int found = settings.active && bytes >= SMALLEST_ALLOCATION && dladdr(__builtin_return_address(0), &caller) != 0;
    const int byOneDnn = found && caller.dli_fname != NULL && strstr(caller.dli_fname, "libtorch_cpu") != NULL;
    void* const memory = refused(byOneDnn ? ONEDNN : ALLOCATE, bytes) ? NULL : __libc_memalign(alignment, bytes);
    if (memory != NULL)
        *result = memory;
    return memory != NULL ? 0 : ENOMEM;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument)
{
    const int wanted = fault(THREAD, "");
    return wanted > 0 ? wanted : NEXT(pthread_create)(thread, attributes, run, argument);
}

int clock_gettime(clockid_t clock, struct timespec* time)
{
    const int result = NEXT(clock_gettime)(clock, time);
    // Only the clock of the day jumps; the system promises that the steady one does not.
    if (result == 0 && clock == CLOCK_REALTIME && settings.active) {
        fault(CLOCK, "");
        if (settings.seconds != 0 && atomic_load(&counts[CLOCK]) >= settings.first)
            time->tv_sec += settings.seconds;
    }
    return result;
}

int gettimeofday(struct timeval* restrict time, void* restrict zone)
{
    struct timespec now = {0};
    (void)zone;
    const int result = clock_gettime(CLOCK_REALTIME, &now);
    *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return result;
}

// --- the beginning and the end -----------------------------------------------------------------------------------------

static void writeCounts(void)
{
    const char* const name = getenv("ATTNSCOPE_FAULT_COUNTS");
    FILE* const file = name != NULL ? NEXT(fopen)(name, "w") : NULL;
    for (int i = 0; file != NULL && i < KINDS; ++i)
        fprintf(file, "%s %ld\n", kindNames[i], atomic_load(&counts[i]));
    if (file != NULL)
        fclose(file);
}

static int (*programMain)(int, char**, char**);

static int mainWithFaults(int count, char** arguments, char** environment)
{
    startFaults();
    const int result = programMain(count, arguments, environment);
    settings.active = 0;
    writeCounts();
    return result;
}

// A program's first instructions call this: faults begin with its main, so that none hits the loading of libraries.
int __libc_start_main(int (*run)(int, char**, char**), int count, char** arguments, void (*begin)(void), void (*end)(void),
                      void (*linkerEnd)(void), void* stack)
{
    __typeof__(&__libc_start_main) next = NEXT(__libc_start_main);
    programMain = run;
    return next(mainWithFaults, count, arguments, begin, end, linkerEnd, stack);
}
