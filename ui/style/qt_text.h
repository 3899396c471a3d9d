#pragma once

#include "core/base/format.h"
#include "core/figure/table.h"

#include <QCoreApplication>
#include <QString>

#include <string>
#include <string_view>

namespace attnscope::ui {

using namespace Qt::StringLiterals;

/// Text of the engine (UTF-8) as text of the window, and back.
inline QString toQt(std::string_view text)
{
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}
inline std::string fromQt(const QString& text)
{
    return text.toStdString();
}

/// In the language of the window.
QString translated(const Text& text);

/// For what is no QObject.
inline QString tr(const char* text, const char* meaning = nullptr, int n = -1)
{
    return QCoreApplication::translate("attnscope::ui", text, meaning, n);
}
inline QString countText(int64_t count)
{
    return toQt(formatCount(count));
}
inline QString errorText(double value)
{
    return toQt(formatError(value));
}

/// Minutes and seconds: "0:07.4", "1:02:03.4".
QString clockText(double seconds, int decimals = 1);
/// The folder's last part, with the one before it where it only says the split.
QString dataTitle(const QString& folder);

}
