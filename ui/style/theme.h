#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

namespace attnscope::ui {

/// The colour tokens of one theme: the only place with colour values. Chrome is calm; backend colours are the loud part.
struct Theme {
    bool dark = false;
    QColor window, surface, raised, sunken, hover, sel, line, edge, ctl, text, text2, text3, dis, accent, accText,
        focus, ok, warn, err, okbg, warnbg, errbg, onAccent, progress;

    static const Theme& light();
    static const Theme& darkTheme();
    /// By the lightness of Window, so that every widget finds its tokens from its own palette.
    static const Theme& of(const QPalette& palette);

    QPalette palette() const;
    /// Of a backend's name, or of a `variantKey`.
    QColor backend(const QString& name) const;
    /// A backend colour over surface: bars behind names, bands of intervals.
    QColor bar(const QString& name) const;
    QColor band(const QString& name) const;
    /// −1 … 1 from blue over the surface to orange.
    QColor difference(double fraction) const;
    /// app.qss with the tokens filled in.
    QString styleSheet() const;
};

/// 0 … 1 in cividis, the same in both themes; and black or white on it, whichever contrasts more.
QColor magnitude(double fraction);
QColor onMagnitude(double fraction);
/// Of class 0, 1, …, the same in both themes.
QColor categoryColour(int number);

/// Sizes that screens share.
namespace Layout {
constexpr int gap = 12;  ///< between the parts of a screen
}

/// Makes icons, style sheet and demo image of this library known to the program. To be called first.
void useResources();

/// Roles of type; sizes are offsets from the user's body size.
enum class Type { Display, Verdict, Value, ValueLight, Body, BodyMedium, BodyStrong, Small, SmallMedium, Mono };

QFont fontFor(Type type);
/// Sets the application's font: the desktop's if it is a sans of normal width, else the first of our list that is installed. Size 0: the
/// desktop's, or 10 points where there is no desktop.
void setBodyFont(int pointSize = 0, const QString& family = {});

}
