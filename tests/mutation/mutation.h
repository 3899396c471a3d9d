// What mutants.py writes into the sources: every operator that can be changed is a call with the mutant's number, and one environment
// variable, ATTNSCOPE_MUTANT, chooses the mutant that is alive. With ATTNSCOPE_MUTANTS_REACHED=FILE the numbers that a run comes by are
// added to that file at its end.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace attnscope::mutation {

inline constexpr int most = 1 << 16;
inline unsigned char reached[most] = {};

inline void writeReached()
{
    std::FILE* file = std::fopen(std::getenv("ATTNSCOPE_MUTANTS_REACHED"), "a");
    if (file == nullptr)
        return;
    for (int i = 0; i < most; ++i) {
        if (reached[i] != 0)
            std::fprintf(file, "%d\n", i);
    }
    std::fclose(file);
}

/// The mutant that is alive; 0: none, -1: none, and those that are reached are noted.
inline int chosen()
{
    if (std::getenv("ATTNSCOPE_MUTANTS_REACHED") != nullptr) {
        std::atexit(writeReached);
        return -1;
    }
    const char* number = std::getenv("ATTNSCOPE_MUTANT");
    return number != nullptr ? std::atoi(number) : 0;
}

inline int alive = chosen();

// What is compiled for AVX-512 where the processor lacks it never runs: changed, it would only take three times as long to compile.
#if defined(__AVX512F__) && defined(ATTNSCOPE_LACKS_AVX512)
#define MUTATION_RUNS false
#else
#define MUTATION_RUNS true
#endif

// Inlined everywhere, so that code for one instruction set is not called from that for another.
#define MUTATION_INLINE [[gnu::always_inline]] constexpr inline

MUTATION_INLINE bool is(int number)
{
    if (!MUTATION_RUNS || std::is_constant_evaluated())
        return false;
    if (alive == 0) [[likely]]
        return false;
    if (alive < 0)
        reached[number] = 1;
    return alive == number;
}

#define MUTATION_OPERATOR(name, original, changed)                                                                \
    template <typename A, typename B>                                                                             \
    MUTATION_INLINE auto name(int number, A&& a, B&& b)->std::decay_t<decltype(a original b)>                     \
    {                                                                                                             \
        if (is(number))                                                                                           \
            return a changed b;                                                                                   \
        return a original b;                                                                                      \
    }
MUTATION_OPERATOR(add, +, -)
MUTATION_OPERATOR(subtract, -, +)
MUTATION_OPERATOR(multiply, *, /)
MUTATION_OPERATOR(divide, /, *)
MUTATION_OPERATOR(remainder, %, *)
MUTATION_OPERATOR(equal, ==, !=)
MUTATION_OPERATOR(unequal, !=, ==)
MUTATION_OPERATOR(less, <, <=)
MUTATION_OPERATOR(atMost, <=, <)
MUTATION_OPERATOR(greater, >, >=)
MUTATION_OPERATOR(atLeast, >=, >)
MUTATION_OPERATOR(lessReal, <, >=)
MUTATION_OPERATOR(atMostReal, <=, >)
MUTATION_OPERATOR(greaterReal, >, <=)
MUTATION_OPERATOR(atLeastReal, >=, <)
MUTATION_OPERATOR(addTo, +=, -=)
MUTATION_OPERATOR(subtractFrom, -=, +=)
MUTATION_OPERATOR(multiplyBy, *=, /=)
MUTATION_OPERATOR(divideBy, /=, *=)

template <typename A>
MUTATION_INLINE auto minus(int number, A&& a) -> std::decay_t<decltype(-a)>
{
    if (is(number))
        return a;
    return -a;
}

}
