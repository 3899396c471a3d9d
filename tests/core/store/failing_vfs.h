#pragma once

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

/// The default VFS with a disk that is full from the n-th write on, until it is given space again; and without syncing, for speed.
namespace attnscope::testing {

class FailingVfs {
public:
    FailingVfs()
    {
        s_real = sqlite3_vfs_find(nullptr);
        m_vfs = *s_real;
        m_vfs.zName = "failing";
        m_vfs.szOsFile = int(sizeof(File)) + s_real->szOsFile;
        m_vfs.xOpen = &open;
        sqlite3_vfs_register(&m_vfs, 1);
    }
    ~FailingVfs()
    {
        sqlite3_vfs_unregister(&m_vfs);
        sqlite3_vfs_register(s_real, 1);
    }
    FailingVfs(const FailingVfs&) = delete;
    FailingVfs& operator=(const FailingVfs&) = delete;

    /// Writes are counted from here; from number `first` on (1: the next) they fail with `code`, 0 failing none.
    static void failFrom(int first, int code = SQLITE_FULL)
    {
        s_first = first;
        s_code = code;
        s_writes = 0;
    }
    static int writes() { return s_writes; }
    static bool failed() { return s_first > 0 && s_writes >= s_first; }

private:
    struct File {
        sqlite3_file base;
        sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
    };
    static File* mine(sqlite3_file* file) { return reinterpret_cast<File*>(file); }
    static bool fails() { return ++s_writes >= s_first && s_first > 0; }

    template <auto Method, class... Arguments>
    static int forward(sqlite3_file* file, Arguments... arguments)
    {
        sqlite3_file* real = mine(file)->real();
        return (real->pMethods->*Method)(real, arguments...);
    }
    static int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset)
    {
        sqlite3_file* real = mine(file)->real();
        return fails() ? s_code : real->pMethods->xWrite(real, bytes, size, offset);
    }
    static int truncate(sqlite3_file* file, sqlite3_int64 size)
    {
        sqlite3_file* real = mine(file)->real();
        return fails() ? SQLITE_IOERR_TRUNCATE : real->pMethods->xTruncate(real, size);
    }
    static int sync(sqlite3_file*, int) { return SQLITE_OK; }
    static void barrier(sqlite3_file* file) { mine(file)->real()->pMethods->xShmBarrier(mine(file)->real()); }

    static const sqlite3_io_methods* methods()
    {
        using M = sqlite3_io_methods;
        static const M all{2,
                           &forward<&M::xClose>,
                           &forward<&M::xRead, void*, int, sqlite3_int64>,
                           &write,
                           &truncate,
                           &sync,
                           &forward<&M::xFileSize, sqlite3_int64*>,
                           &forward<&M::xLock, int>,
                           &forward<&M::xUnlock, int>,
                           &forward<&M::xCheckReservedLock, int*>,
                           &forward<&M::xFileControl, int, void*>,
                           &forward<&M::xSectorSize>,
                           &forward<&M::xDeviceCharacteristics>,
                           &forward<&M::xShmMap, int, int, int, void volatile**>,
                           &forward<&M::xShmLock, int, int, int>,
                           &barrier,
                           &forward<&M::xShmUnmap, int>,
                           nullptr,
                           nullptr};
        return &all;
    }
    static int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* outFlags)
    {
        File* self = mine(file);
        self->base.pMethods = nullptr;
        std::memset(self->real(), 0, size_t(s_real->szOsFile));
        const int code = s_real->xOpen(s_real, name, self->real(), flags, outFlags);
        if (self->real()->pMethods != nullptr)
            self->base.pMethods = methods();
        return code;
    }

    static inline sqlite3_vfs* s_real = nullptr;
    static inline int s_first = 0, s_code = 0, s_writes = 0;
    sqlite3_vfs m_vfs{};
};

}
