#include "ui/style/qt_text.h"

#include "core/data/dataset/data_title.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope::ui {

QString translated(const Text& text)
{
    std::vector<std::string> arguments;
    std::string behind = text.plain;
    for (const Text& argument : text.arguments)
        behind += arguments.emplace_back(fromQt(translated(argument)));
    if (text.source == nullptr)
        return toQt(behind);
    constexpr int64_t most = std::numeric_limits<int>::max();
    const int number = text.count ? int(std::min(*text.count, most)) : -1;
    return toQt(filled(fromQt(QCoreApplication::translate("attnscope", text.source, nullptr, number)), arguments,
                       text.count));
}

QString clockText(double seconds, int decimals)
{
    const double unit = std::pow(10, decimals);
    const auto parts = qint64(std::floor(std::max(0.0, seconds) * unit + 1e-6));
    const auto scale = qint64(unit);
    const qint64 whole = parts / scale;
    QString text = whole >= 3600 ? u"%1:%2:%3"_s.arg(whole / 3600)
                                       .arg(whole / 60 % 60, 2, 10, QLatin1Char('0'))
                                       .arg(whole % 60, 2, 10, QLatin1Char('0'))
                                 : u"%1:%2"_s.arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
    if (decimals > 0)
        text += u".%1"_s.arg(parts % scale, decimals, 10, QLatin1Char('0'));
    return text;
}

QString dataTitle(const QString& folder)
{
    return toQt(attnscope::dataTitle(fromQt(folder)));
}

}
