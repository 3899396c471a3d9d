#pragma once

#include "ui/widgets/cell_table.h"

#include <cstdint>
#include <optional>

namespace attnscope::ui {

// Cells of the laboratory's tables.

CellTable::Cell textCell(const QString& words, const QString& help = {});
CellTable::Cell numberCell(double value, const QString& words);
/// A dash: there is none.
CellTable::Cell noCell();
/// The power of a least-squares fit, with two decimals; never −0.
CellTable::Cell powerCell(const std::optional<double>& value);
/// What is not finite says so, and is sorted as the largest.
CellTable::Cell errorCell(double value);
CellTable::Cell millisecondsCell(double value);
CellTable::Cell bytesCell(std::int64_t value);
CellTable::Cell countCell(std::int64_t value);

}
