#pragma once

/// One binary for all processors: functions with this attribute are compiled for plain x86-64 and for AVX2, and the dynamic linker chooses,
/// before a sanitizer is ready.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)             \
    && !defined(__SANITIZE_THREAD__)
#define ATTNSCOPE_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define ATTNSCOPE_CLONES
#endif
