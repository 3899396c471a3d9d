#include "core/train/sample_order.h"

#include "core/base/random.h"

#include <algorithm>
#include <numeric>

namespace attnscope {

std::vector<int64_t> epochOrder(int64_t count, uint64_t seed, uint64_t epoch)
{
    const auto size = size_t(count);
    std::vector<float> coarse(size),
        fine(size);  // 23 bits each: one alone would give ties among a million samples
    fillUniform({seed, 0, epoch, streamPurpose("epoch_order")}, 0, coarse);
    fillUniform({seed, 1, epoch, streamPurpose("epoch_order")}, 0, fine);
    std::vector<int64_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, [&](int64_t a, int64_t b) {
        const auto i = size_t(a), j = size_t(b);
        return coarse[i] != coarse[j] ? coarse[i] < coarse[j] : fine[i] != fine[j] ? fine[i] < fine[j] : a < b;
    });
    return order;
}

int64_t batchesOf(int64_t count, int64_t batch)
{
    return count == 0 ? 0 : std::max<int64_t>(count / batch, 1);
}

std::vector<int64_t> batchPart(const std::vector<int64_t>& order, int64_t batch, int64_t index, int64_t rank,
                               int64_t size)
{
    const int64_t begin = index * batch;
    const int64_t count = std::min(batch, int64_t(order.size()) - begin), pairs = (count + 1) / 2;
    const int64_t from = begin + 2 * (pairs * rank / size),
                  to = begin + std::min(count, 2 * (pairs * (rank + 1) / size));
    return {order.begin() + from, order.begin() + std::max(from, to)};
}

}
