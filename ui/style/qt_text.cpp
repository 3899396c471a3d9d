#include "ui/style/qt_text.h"

#include <QDir>
#include <QFileInfo>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

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
    static const QStringList splits{u"val"_s, u"validation"_s, u"valid"_s, u"test"_s, u"train"_s};
    const QFileInfo info(QDir::cleanPath(folder));
    const QString parent = info.dir().dirName();
    return splits.contains(info.fileName()) && !parent.isEmpty() ? parent + QLatin1Char('/') + info.fileName()
                                                                 : info.fileName();
}

}
