#include "core/attention/fused/cpu_sparse_softmax.h"

#include "core/attention/fused/cpu_tensors.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace attnscope {

namespace {

/// What a query sees, as far as its parts are listed.
enum class Sight : uint8_t { Nothing, Some, Everything };

/// Elements of B·H with equal sets.
struct ElementsOfSet {
    int64_t set = 0;
    std::vector<int64_t> elements;
    std::vector<Sight> sight;  // of each query
};

/// Queries of a set that are computed together, for some of its elements.
struct SparseTask {
    size_t set = 0;
    int32_t first = 0, count = 0;  // in the groups of the set
    size_t firstElement = 0, endElement = 0;
};

class SparseSoftmaxOnCpu {
public:
    SparseSoftmaxOnCpu(const AttentionInput& in, const KeyPattern& pattern)
        : m_in(in)
        , m_pattern(pattern)
        , m_cpu(kernels::cpuKernels())
        , m_packed(in.q.scalar_type() == at::kBFloat16)
        , m_heads(in.q.size(1))
        , m_queries(in.q.size(2))
        , m_width(m_packed ? in.q.size(3) / 2 : in.q.size(3))
        , m_valueDim(in.v.size(3))
        , m_out(at::empty({in.q.size(0), m_queries, 1, m_heads, m_valueDim}, in.q.scalar_type()))
        , m_scratch(emptyFloats({at::get_num_threads(), kernels::sparseScratch(m_width, m_valueDim)}))
        , m_blocks(size_t(at::get_num_threads()))
    {
        for (auto& [set, elements] : elementsOfSets(pattern, in.q.size(0), m_heads))
            m_sets.push_back({set, elements, std::vector<Sight>(size_t(m_queries), Sight::Nothing)});
        if (pattern.parts() > 1) {
            m_state = emptyFloats({in.q.size(0) * m_heads, m_queries, 2});
            if (m_packed)
                m_carried = TokenMajorOutput(emptyFloats(m_out.values.sizes()));
        }
    }

    at::Tensor compute()
    {
        for (int64_t part = 0; part < m_pattern.parts(); ++part)
            computePart(part);
        computeFullRows();
        return m_out.byHead();
    }

private:
    void computePart(int64_t part)
    {
        std::vector<QueryGroups> groups;
        for (const ElementsOfSet& set : m_sets)
            groups.push_back(m_pattern.groups(set.set, part));
        forEachBlock(groups, std::min<int64_t>(m_pattern.keys(), kernels::keyTile),
                     [&](const SparseTask& task, int thread) {
                         ElementsOfSet& set = m_sets[task.set];
                         const std::span<const int32_t> queries(groups[task.set].queries.data() + task.first,
                                                                size_t(task.count));
                         KeyBlock& block = blockOf(thread);
                         block.begin(task.count);
                         m_pattern.listPart(set.set, part, queries, block);
                         const auto tiles = block.tiles();
                         if (task.firstElement == 0)
                             noteSight(block, queries, set.sight);
                         for (size_t i = task.firstElement; i < task.endElement; ++i)
                             computeBlock(set.elements[i], queries, tiles, part, thread);
                     });
    }

    static void noteSight(const KeyBlock& block, std::span<const int32_t> queries, std::vector<Sight>& sight)
    {
        for (size_t i = 0; i < queries.size(); ++i) {
            Sight& own = sight[size_t(queries[i])];
            if ((block.seesAll() >> i & 1) != 0)
                own = Sight::Everything;
            else if (own == Sight::Nothing && (block.seesSome() >> i & 1) != 0)
                own = Sight::Some;
        }
    }

    /// Queries that see everything, or nothing and therefore everything.
    void computeFullRows()
    {
        std::vector<QueryGroups> groups(m_sets.size());
        for (size_t s = 0; s < m_sets.size(); ++s) {
            for (int64_t query = 0; query < m_queries; ++query)
                if (m_sets[s].sight[size_t(query)] != Sight::Some)
                    groups[s].add(query);
            groups[s].end();
        }
        std::vector<int32_t> keys(size_t(m_pattern.keys()));
        std::iota(keys.begin(), keys.end(), 0);
        std::vector<kernels::SparseTile> tiles;
        for (int64_t begin = 0; begin < m_pattern.keys(); begin += kernels::keyTile)
            tiles.push_back(
                {.keys = keys.data() + begin, .count = std::min(kernels::keyTile, m_pattern.keys() - begin)});
        forEachBlock(groups, m_pattern.keys(), [&](const SparseTask& task, int thread) {
            const std::span<const int32_t> queries(groups[task.set].queries.data() + task.first,
                                                   size_t(task.count));
            for (size_t i = task.firstElement; i < task.endElement; ++i)
                computeBlock(m_sets[task.set].elements[i], queries, tiles, {}, thread);
        });
    }

    /// Calls work(task, thread) for all groups of all sets, in blocks of nearly equal length. Blocks are few in a short sequence: then the
    /// elements of one set are distributed as well. keys: of a block, roughly.
    template <typename Work>
    void forEachBlock(const std::vector<QueryGroups>& groups, int64_t keys, const Work& work)
    {
        std::vector<SparseTask> blocks;
        for (size_t s = 0; s < groups.size(); ++s)
            addBlocks(s, groups[s], blocks);
        const auto wanted = 8 * size_t(at::get_num_threads());
        const size_t perSet = blocks.empty() ? 1 : std::max<size_t>(1, wanted / blocks.size());
        std::vector<SparseTask> tasks;
        for (const SparseTask& block : blocks) {
            const size_t elements = m_sets[block.set].elements.size(), chunks = std::min(perSet, elements);
            for (size_t c = 0; c < chunks; ++c) {
                tasks.push_back(block);
                tasks.back().firstElement = c * elements / chunks,
                tasks.back().endElement = (c + 1) * elements / chunks;
            }
        }
        if (tasks.empty())
            return;
        const auto cost = double(m_in.q.size(0) * m_heads * m_queries * keys * (m_width + m_valueDim));
        forEachTask(int64_t(tasks.size()), cost / double(tasks.size()),
                    [&](int64_t task, int thread) { work(tasks[size_t(task)], thread); });
    }

    static void addBlocks(size_t set, const QueryGroups& groups, std::vector<SparseTask>& blocks)
    {
        constexpr int32_t unit = 16;  // queries of a vector
        int32_t begin = 0;
        for (const int32_t end : groups.ends) {
            const auto parts = int32_t((end - begin + kernels::queryBlock - 1) / kernels::queryBlock);
            const int32_t length = ((end - begin + parts - 1) / parts + unit - 1) / unit * unit;
            for (; begin < end; begin += length)
                blocks.push_back({.set = set, .first = begin, .count = std::min(length, end - begin)});
            begin = end;
        }
    }

    /// part: of the sets; empty: the tiles hold all of them.
    void computeBlock(int64_t element, std::span<const int32_t> queries,
                      std::span<const kernels::SparseTile> tiles, std::optional<int64_t> part, int thread)
    {
        const auto rows = m_packed ? &pairsOf : &rowsOf;
        const int64_t sample = element / m_heads, head = element % m_heads;
        kernels::SparseRows task{.queries = rows(m_in.q, sample, head, 0),
                                 .index = queries.data(),
                                 .rows = int64_t(queries.size()),
                                 .width = m_width,
                                 .keys = rows(m_in.k, sample, head, 0),
                                 .values = rows(m_in.v, sample, head, 0),
                                 .factor = float(m_in.scale),
                                 .valueDim = m_valueDim,
                                 .tiles = tiles.data(),
                                 .tileCount = int64_t(tiles.size()),
                                 .out = m_out.rows(sample, head, 0),
                                 .scratch = m_scratch.mutable_data_ptr<float>() + thread * m_scratch.stride(0)};
        if (part && m_state.defined()) {
            task.begins = *part == 0, task.ends = *part == m_pattern.parts() - 1;
            task.carried = (m_packed ? m_carried : m_out).rows(sample, head, 0);
            task.state = m_state.mutable_data_ptr<float>() + element * m_state.stride(0);
        }
        m_packed ? m_cpu.sparseBfloat16(task) : m_cpu.sparseRows(task);
    }

    KeyBlock& blockOf(int thread)
    {
        auto& block = m_blocks[size_t(thread)];
        if (!block)
            block = std::make_unique<KeyBlock>(m_pattern.keys());
        return *block;
    }

    const AttentionInput& m_in;
    const KeyPattern& m_pattern;
    const kernels::CpuKernels& m_cpu;
    bool m_packed;
    int64_t m_heads, m_queries, m_width, m_valueDim;
    TokenMajorOutput m_out, m_carried;
    at::Tensor m_state;  // (B·H,N,2): maxima and sums
    at::Tensor m_scratch;
    std::vector<std::unique_ptr<KeyBlock>> m_blocks;  // of each thread
    std::vector<ElementsOfSet> m_sets;
};

}

at::Tensor sparseSoftmaxOnCpu(const AttentionInput& in, const KeyPattern& pattern)
{
    return SparseSoftmaxOnCpu(in, pattern).compute();
}

}
