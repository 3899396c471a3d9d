// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/train_curves.h"

#include <cmath>
#include <utility>

namespace attnscope::ui {

void StepLosses::add(const TrainingStep& step)
{
    if (step.steps <= 0 || !std::isfinite(step.loss))
        return;
    m_sumX += static_cast<double>(step.epoch - 1)
              + static_cast<double>(step.step) / static_cast<double>(step.steps);
    m_sumY += step.loss;
    if (++m_gathered < m_fraction)
        return;
    m_points.x << std::exchange(m_sumX, 0) / m_gathered;
    m_points.y << std::exchange(m_sumY, 0) / m_gathered;
    m_gathered = 0;
    if (m_points.x.size() >= mostPoints)
        halve();
}

void StepLosses::halve()
{
    CurvePoints half;
    for (qsizetype i = 0; i + 1 < m_points.x.size(); i += 2) {
        half.x << (m_points.x[i] + m_points.x[i + 1]) / 2;
        half.y << (m_points.y[i] + m_points.y[i + 1]) / 2;
    }
    m_points = half;
    m_fraction *= 2;
}

void StepLosses::dropAfter(double epochs)
{
    while (!m_points.x.isEmpty() && m_points.x.back() > epochs) {
        m_points.x.removeLast();
        m_points.y.removeLast();
    }
    m_sumX = m_sumY = 0;
    m_gathered = 0;
}

}  // namespace attnscope::ui
