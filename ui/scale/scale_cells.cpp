#include "ui/scale/scale_cells.h"

#include "ui/style/qt_text.h"

#include "core/base/format.h"

#include <cmath>
#include <limits>

namespace attnscope::ui {

CellTable::Cell textCell(const QString& words, const QString& help)
{
    return {.text = words, .help = help};
}

CellTable::Cell numberCell(double value, const QString& words)
{
    return {.text = words, .sort = value};
}

CellTable::Cell noCell()
{
    return {.text = u"—"_s, .dim = true};
}

CellTable::Cell powerCell(const std::optional<double>& value)
{
    if (!value)
        return noCell();
    const double shown = std::abs(*value) < 0.005 ? 0 : *value;
    return numberCell(*value, QString::number(shown, 'f', 2));
}

CellTable::Cell errorCell(double value)
{
    return numberCell(std::isfinite(value) ? value : std::numeric_limits<double>::infinity(), errorText(value));
}

CellTable::Cell millisecondsCell(double value)
{
    return numberCell(value, toQt(formatMilliseconds(value).text()));
}

CellTable::Cell bytesCell(std::int64_t value)
{
    return numberCell(double(value), toQt(formatBytes(value).text()));
}

CellTable::Cell countCell(std::int64_t value)
{
    return numberCell(double(value), countText(value));
}

}
