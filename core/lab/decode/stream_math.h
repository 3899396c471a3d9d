#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

/// Loops over the channels of one token.
namespace attnscope {

/// aᵀb, in sixteen partial sums: one alone would wait for itself.
template <typename Real>
Real dot(const Real* a, const Real* b, int64_t n)
{
    constexpr int64_t lanes = 16;
    std::array<Real, lanes> sums{};
    int64_t i = 0;
    for (; i + lanes <= n; i += lanes)
        for (int64_t lane = 0; lane < lanes; ++lane)
            sums[size_t(lane)] += a[i + lane] * b[i + lane];
    Real sum = 0;
    for (; i < n; ++i)
        sum += a[i] * b[i];
    for (size_t width = lanes / 2; width > 0; width /= 2)
        for (size_t lane = 0; lane < width; ++lane)
            sums[lane] += sums[lane + width];
    return sum + sums[0];
}

/// y ← y + weight·x.
template <typename Real>
void addScaled(Real weight, const Real* x, Real* y, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        y[i] += weight * x[i];
}

/// logits ← exp(logits − their maximum), and their sum.
template <typename Real>
Real exponentiate(std::vector<Real>& logits)
{
    const Real top = *std::max_element(logits.begin(), logits.end());
    Real sum = 0;
    for (Real& logit : logits) {
        logit = std::exp(logit - top);
        sum += logit;
    }
    return sum;
}

/// Rows of one width behind one another.
template <typename Real>
class Rows {
public:
    explicit Rows(int64_t width)
        : m_width(width)
    {}

    int64_t count() const { return int64_t(m_values.size()) / m_width; }
    int64_t width() const { return m_width; }
    Real* row(int64_t index) { return m_values.data() + index * m_width; }
    const Real* row(int64_t index) const { return m_values.data() + index * m_width; }
    void push(const Real* row) { m_values.insert(m_values.end(), row, row + m_width); }
    void set(int64_t index, const Real* row) { std::copy_n(row, m_width, this->row(index)); }
    /// Removes rows `first` … `last` − 1.
    void erase(int64_t first, int64_t last)
    {
        m_values.erase(m_values.begin() + first * m_width, m_values.begin() + last * m_width);
    }
    void insert(int64_t at, const Rows& rows)
    {
        m_values.insert(m_values.begin() + at * m_width, rows.m_values.begin(), rows.m_values.end());
    }
    void clear() { m_values.clear(); }

private:
    int64_t m_width;
    std::vector<Real> m_values;
};

}
