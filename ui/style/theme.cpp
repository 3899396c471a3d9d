#include "ui/style/theme.h"

#include "ui/style/accessible_role.h"

#include "ui/style/qt_text.h"

#include "core/attention/backend_info.h"
#include "core/figure/palette.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>

#include <algorithm>
#include <array>

// The linker drops the resources of a static library unless they are asked for, which the macro does outside any namespace.
static void initialiseResources()
{
    Q_INIT_RESOURCE(attnscope);
    Q_INIT_RESOURCE(translations);
}

namespace attnscope::ui {

namespace {

QColor qtColour(const Rgb& colour)
{
    return QColor::fromRgbF(float(colour.red / 255), float(colour.green / 255), float(colour.blue / 255));
}

}

void useResources()
{
    initialiseResources();
    serveScreenReaders();
}

const Theme& Theme::light()
{
    static const Theme theme{false,     "#F4F5F7", "#FFFFFF", "#FFFFFF", "#EAECF0", "#EEF0F4", "#E5E6FB",
                             "#DDE1E7", "#C3C9D3", "#7F8795", "#1A1D24", "#4A5160", "#606877", "#9AA1AD",
                             "#4F4FC4", "#4646B8", "#5B5BD6", "#0B6B75", "#7D5200", "#B3213A", "#DFF1F2",
                             "#FBF0D9", "#FCE8EB", "#FFFFFF", "#4F4FC4"};
    return theme;
}

const Theme& Theme::darkTheme()
{
    static const Theme theme{true,      "#15171B", "#1C1F25", "#252930", "#111317", "#242830", "#2D2E5A",
                             "#2F343D", "#444B57", "#737B8A", "#E8EAEE", "#B0B7C3", "#949CAA", "#646C79",
                             "#6262DB", "#ABACFF", "#8E90FF", "#6CC5CF", "#E9B44C", "#FF8C9E", "#15323A",
                             "#352A14", "#3D1D25", "#FFFFFF", "#8E90FF"};
    return theme;
}

const Theme& Theme::of(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < 128 ? darkTheme() : light();
}

QPalette Theme::palette() const
{
    QPalette out;
    const std::pair<QPalette::ColorRole, QColor> colours[] = {{QPalette::Window, window},
                                                              {QPalette::WindowText, text},
                                                              {QPalette::Text, text},
                                                              {QPalette::ButtonText, text},
                                                              {QPalette::HighlightedText, text},
                                                              {QPalette::ToolTipText, text},
                                                              {QPalette::Base, surface},
                                                              {QPalette::AlternateBase, surface},
                                                              {QPalette::Button, raised},
                                                              {QPalette::ToolTipBase, raised},
                                                              {QPalette::Light, raised},
                                                              {QPalette::Midlight, hover},
                                                              {QPalette::Mid, edge},
                                                              {QPalette::Dark, ctl},
                                                              {QPalette::Shadow, line},
                                                              {QPalette::Highlight, sel},
                                                              {QPalette::Link, accText},
                                                              {QPalette::LinkVisited, accText},
                                                              {QPalette::PlaceholderText, text3},
                                                              {QPalette::BrightText, err}};
    for (const auto& [role, colour] : colours)
        out.setColor(QPalette::All, role, colour);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        out.setColor(QPalette::Disabled, role, dis);
    out.setColor(QPalette::Disabled, QPalette::Highlight, hover);
    return out;
}

QColor Theme::backend(const QString& name) const
{
    const ColourPair colour = colourOf(seriesStyle(fromQt(name)));
    return QColor::fromRgb(static_cast<QRgb>(dark ? colour.dark : colour.light));
}

QColor Theme::bar(const QString& name) const
{
    QColor colour = backend(name);
    const bool neutral = seriesStyle(fromQt(name)).hue == Hue::Softmax;
    colour.setAlphaF(neutral ? (dark ? 0.18f : 0.12f) : (dark ? 0.28f : 0.18f));
    return colour;
}

QColor Theme::band(const QString& name) const
{
    QColor colour = backend(name);
    colour.setAlphaF(dark ? 0.51f : 0.43f);
    return colour;
}

QColor Theme::difference(double fraction) const
{
    if (!dark)
        return qtColour(differenceColour(fraction));
    static const std::array<QColor, 7> stops{"#8CCBFF", "#3F93D6", "#1F4A73", "#23272E",
                                             "#704312", "#D0812B", "#FFC27A"};
    const double position = (std::clamp(fraction, -1.0, 1.0) + 1) / 2 * double(stops.size() - 1);
    const auto below = std::min(size_t(position), stops.size() - 2);
    const auto part = float(position - double(below));
    const QColor &a = stops[below], &b = stops[below + 1];
    return QColor::fromRgbF(a.redF() + part * (b.redF() - a.redF()), a.greenF() + part * (b.greenF() - a.greenF()),
                            a.blueF() + part * (b.blueF() - a.blueF()));
}

QColor magnitude(double fraction)
{
    return qtColour(magnitudeColour(fraction));
}

QColor categoryColour(int number)
{
    return qtColour(attnscope::categoryColour(number));
}

QColor onMagnitude(double fraction)
{
    return QColor::fromRgb(static_cast<QRgb>(magnitudeColour(fraction).textColour()));
}

QString Theme::styleSheet() const
{
    QFile file(u":/app.qss"_s);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("app.qss is not in the resources of this program");
    QString text = QString::fromUtf8(file.readAll());
    const std::pair<const char*, QColor> tokens[] = {
        {"@surface", surface}, {"@raised", raised},   {"@sunken", sunken}, {"@hover", hover},
        {"@line", line},       {"@edge", edge},       {"@ctl", ctl},       {"@text2", text2},
        {"@text3", text3},     {"@text", this->text}, {"@dis", dis},       {"@sel", sel},
        {"@accText", accText}, {"@window", window}};
    for (const auto& [name, colour] : tokens)
        text.replace(QLatin1String(name), colour.name());
    return text;
}

namespace {

QFont sized(double offset, QFont::Weight weight)
{
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() + offset);
    font.setWeight(weight);
    return font;
}

}

QFont fontFor(Type type)
{
    switch (type) {
    case Type::Display:
        return sized(6, QFont::DemiBold);
    case Type::Verdict:
        return sized(3, QFont::DemiBold);
    case Type::Value:
        return sized(1, QFont::DemiBold);
    case Type::ValueLight:
        return sized(1, QFont::Normal);
    case Type::Body:
        return sized(0, QFont::Normal);
    case Type::BodyMedium:
        return sized(0, QFont::Medium);
    case Type::BodyStrong:
        return sized(0, QFont::DemiBold);
    case Type::Small:
        return sized(-1, QFont::Normal);
    case Type::SmallMedium:
        return sized(-1, QFont::Medium);
    case Type::Mono:
        break;
    }
    QFont mono = sized(-1, QFont::Normal);
    mono.setFamilies({u"JetBrains Mono"_s, u"Noto Sans Mono"_s, u"DejaVu Sans Mono"_s});
    mono.setStyleHint(QFont::Monospace);
    return mono;
}

void setBodyFont(int pointSize, const QString& family)
{
    QFont font = QApplication::font();
    const QStringList ours{u"Inter"_s, u"Noto Sans"_s, u"Cantarell"_s, u"Ubuntu"_s, u"DejaVu Sans"_s};
    const bool desktop = qEnvironmentVariableIsSet("XDG_CURRENT_DESKTOP")
                         && !QFontDatabase::isFixedPitch(font.family());
    if (!family.isEmpty())
        font.setFamilies({family});
    else if (!desktop)
        font.setFamilies(ours);
    if (pointSize == 0)
        pointSize = desktop && font.pointSize() > 0 ? font.pointSize() : 10;
    font.setPointSize(qBound(9, pointSize, 20));
    QApplication::setFont(font);
}

}
