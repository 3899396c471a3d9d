// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>
#include <string_view>

namespace attnscope::ui {

/// Text of the engine (UTF-8) as text of the window, and back.
inline QString toQt(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }
inline std::string fromQt(const QString& text) { return text.toStdString(); }

}  // namespace attnscope::ui
