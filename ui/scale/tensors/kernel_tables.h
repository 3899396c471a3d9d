#pragma once

#include "core/lab/kernel_plot.h"
#include "ui/widgets/cell_table.h"

#include <QString>

namespace attnscope::ui {

/// exp(x·y), and the estimate of every feature map with its standard deviation: the points of a curve, or a file's own pairs.
TableContents kernelValues(const std::vector<KernelPoint>& points);
/// What the norms of the measured heads mean for every feature map.
TableContents kernelHeads(const KernelReport& report);

/// Which feature map estimates the kernel best for the measured heads, or which grows least.
QString kernelVerdict(const KernelReport& report);
QString kernelDetail(const KernelReport& report);

}
