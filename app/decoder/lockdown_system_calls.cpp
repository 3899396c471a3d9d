#include "app/decoder/lockdown.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <initializer_list>
#include <vector>

namespace attnscope::decoder {

namespace {

#if defined(__x86_64__)
constexpr uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t architecture = 0;
#endif

constexpr uint32_t low32(int argument)
{
    static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    return offsetof(seccomp_data, args) + 8 * uint32_t(argument);
}

/// A program for the kernel's packet filter, written from top to bottom.
class FilterProgram {
public:
    FilterProgram()
    {
        load(offsetof(seccomp_data, arch));
        unlessEqual(architecture, 1);
        // Any other way into the kernel (32-bit calls) has other numbers.
        jumpOver(1);
        finish(SECCOMP_RET_KILL_PROCESS);
        load(offsetof(seccomp_data, nr));
    }

    void allow(long call)
    {
        unlessEqual(uint32_t(call), 1);
        finish(SECCOMP_RET_ALLOW);
    }

    /// Only when argument & mask is `value`, else it fails like the calls that are not named.
    void allowWhen(long call, int argument, uint32_t mask, uint32_t value)
    {
        unlessEqual(uint32_t(call), 5);
        load(low32(argument));
        m_code.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask));
        unlessEqual(value, 1);
        finish(SECCOMP_RET_ALLOW);
        refuse();
    }

    void refuseWith(long call, int error)
    {
        unlessEqual(uint32_t(call), 1);
        finish(SECCOMP_RET_ERRNO | uint32_t(error));
    }

    bool install()
    {
        refuse();
        const sock_fprog program{static_cast<unsigned short>(m_code.size()), m_code.data()};
        return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
    }

private:
    void load(uint32_t offset) { m_code.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)); }
    void unlessEqual(uint32_t value, uint8_t over)
    {
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, over));
    }
    void jumpOver(uint32_t count) { m_code.push_back(BPF_STMT(BPF_JMP | BPF_JA, count)); }
    void finish(uint32_t action) { m_code.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }
    void refuse() { finish(SECCOMP_RET_ERRNO | EPERM); }

    std::vector<sock_filter> m_code;
};

/// Talking over what is open, memory without execution, threads' locks, clocks, and ending. Nothing here opens,
/// starts or connects.
constexpr std::initializer_list<long> harmless{
    __NR_recvfrom,
    __NR_sendto,
    __NR_recvmsg,
    __NR_sendmsg,
    __NR_read,
    __NR_pread64,
    __NR_write,
    __NR_close,
    __NR_lseek,
    __NR_fstat,
    __NR_newfstatat,
    __NR_brk,
    __NR_munmap,
    __NR_mremap,
    __NR_madvise,
    __NR_futex,
    __NR_sched_yield,
    __NR_sched_getaffinity,
    __NR_getpid,
    __NR_gettid,
    __NR_getrusage,
    __NR_sysinfo,
    __NR_getrandom,
    __NR_clock_gettime,
    __NR_clock_getres,
    __NR_clock_nanosleep,
    __NR_nanosleep,
    __NR_gettimeofday,
    __NR_rt_sigaction,
    __NR_rt_sigprocmask,
    __NR_rt_sigreturn,
    __NR_sigaltstack,  // asked for its state by the address sanitizer before every exception
    __NR_restart_syscall,
    __NR_exit,
    __NR_exit_group};

}

bool filterSystemCalls(bool threads)
{
    if (architecture == 0)
        return false;
    FilterProgram program;
    for (const long call : harmless)
        program.allow(call);
    program.allowWhen(__NR_mmap, 2, PROT_EXEC, 0);
    program.allowWhen(__NR_mprotect, 2, PROT_EXEC, 0);
    // abort() sends itself a signal; nobody else gets one.
    program.allowWhen(__NR_tgkill, 0, ~0u, uint32_t(::getpid()));
    // The time for the next image. The other limits are hard ones, and cannot be raised.
    program.allowWhen(__NR_prlimit64, 0, ~0u, 0);
    if (threads) {
        program.allowWhen(__NR_clone, 0, CLONE_THREAD, CLONE_THREAD);
        // Its flags are in memory, which a filter cannot read; the C library then tries clone.
        program.refuseWith(__NR_clone3, ENOSYS);
        for (const long call : {__NR_set_robust_list, __NR_rseq})
            program.allow(call);
    }
    return program.install();
}

}
