#include "tests/support/test_class.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/style/icons.h"
#include "ui/style/painting.h"
#include "ui/style/theme.h"

#include "core/attention/backend_info.h"

#include <QComboBox>
#include <QDirIterator>
#include <QRegularExpression>
#include <QStyleOptionComboBox>
#include <QTest>

#include <cmath>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;

namespace {

/// Relative luminance and contrast of WCAG 2.1.
double luminance(const QColor& colour)
{
    const auto channel = [](double value) {
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * channel(colour.redF()) + 0.7152 * channel(colour.greenF()) + 0.0722 * channel(colour.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}

class TestTheme : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareApplication(); }

    void everyTextTokenReaches4point5OnEveryLevel_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addRow("light") << false;
        QTest::addRow("dark") << true;
    }
    void everyTextTokenReaches4point5OnEveryLevel()
    {
        QFETCH(bool, dark);
        const Theme& theme = dark ? Theme::darkTheme() : Theme::light();
        for (const QColor& level :
             {theme.window, theme.surface, theme.raised, theme.sunken, theme.hover, theme.sel})
            for (const QColor& text : {theme.text, theme.text2, theme.text3, theme.accText})
                QVERIFY2(contrast(text, level) >= 4.5, qPrintable(text.name() + u" on "_s + level.name()));
        for (const QColor& level : {theme.window, theme.surface, theme.raised})
            for (const QColor& text : {theme.ok, theme.warn, theme.err})
                QVERIFY2(contrast(text, level) >= 4.5, qPrintable(text.name() + u" on "_s + level.name()));
    }

    void tintsAndAccentCarryTheirText_data() { everyTextTokenReaches4point5OnEveryLevel_data(); }
    void tintsAndAccentCarryTheirText()
    {
        QFETCH(bool, dark);
        const Theme& theme = dark ? Theme::darkTheme() : Theme::light();
        QVERIFY(contrast(theme.onAccent, theme.accent) >= 4.5);
        QVERIFY(contrast(theme.ok, theme.okbg) >= 4.5);
        QVERIFY(contrast(theme.warn, theme.warnbg) >= 4.5);
        QVERIFY(contrast(theme.err, theme.errbg) >= 4.5);
        QVERIFY(contrast(theme.text, theme.errbg) >= 4.5);
    }

    void marksAndControlsReach3OnEveryLevel_data() { everyTextTokenReaches4point5OnEveryLevel_data(); }
    void marksAndControlsReach3OnEveryLevel()
    {
        QFETCH(bool, dark);
        const Theme& theme = dark ? Theme::darkTheme() : Theme::light();
        for (const QColor& level : {theme.window, theme.surface, theme.raised}) {
            for (const BackendInfo& info : backends()) {
                const QColor hue = theme.backend(QString::fromStdString(info.name));
                QVERIFY2(contrast(hue, level) >= 3, qPrintable(hue.name() + u" on "_s + level.name()));
                const QColor shade = theme.backend(QString::fromStdString(variantKey(info.name, 1)));
                QVERIFY2(contrast(shade, level) >= 3, qPrintable(shade.name() + u" on "_s + level.name()));
                QVERIFY(shade != hue);
            }
            QVERIFY(contrast(theme.ctl, level) >= 3);
            QVERIFY(contrast(theme.focus, level) >= 3);
        }
    }

    void backendsAreToldApartByMarkAndDashWithoutColour()
    {
        for (const BackendInfo& a : backends())
            for (const BackendInfo& b : backends())
                if (a.name != b.name) {
                    QVERIFY(seriesStyle(a.name).mark != seriesStyle(b.name).mark);
                    QVERIFY(seriesStyle(a.name).dash != seriesStyle(b.name).dash);
                }
    }

    void noColourValueOutsideThemeCpp()
    {
        const QRegularExpression hex(u"#[0-9A-Fa-f]{6}\\b|#[0-9A-Fa-f]{3}\\b"_s);
        int files = 0;
        QDirIterator it(QStringLiteral(UI_SOURCE_DIR), {u"*.cpp"_s, u"*.h"_s}, QDir::Files,
                        QDirIterator::Subdirectories);
        while (it.hasNext()) {
            const QString path = it.next();
            if (path.endsWith("style/theme.cpp"_L1))
                continue;
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(!hex.match(QString::fromUtf8(file.readAll())).hasMatch(), qPrintable(path));
            ++files;
        }
        QVERIFY(files > 40);
        QFile sheet(u":/app.qss"_s);
        QVERIFY(sheet.open(QIODevice::ReadOnly));
        QVERIFY(!hex.match(QString::fromUtf8(sheet.readAll())).hasMatch());
    }

    void everyTokenOfTheStyleSheetIsFilledIn()
    {
        QVERIFY(!Theme::light().styleSheet().contains(QLatin1Char('@')));
        QVERIFY(!Theme::darkTheme().styleSheet().contains(QLatin1Char('@')));
    }

    void digitsOfFiguresAllTakeTheSameWidth()
    {
        const QFont font = fontFor(Type::Value);
        QCOMPARE(numberWidth(font, u"111.1"_s), numberWidth(font, u"888.8"_s));
    }

    void choicesOfTheirOwnWidthAreNotCut()
    {
        for (const BackendInfo& info : backends())
            for (const OptionInfo& option : info.options)
                for (const OptionChoice& choice : option.choices)
                    for (const double points : {9.0, 9.5, 10.0, 10.5, 11.0, 12.0}) {
                        QComboBox box;
                        QFont font = box.font();
                        font.setPointSizeF(points);
                        box.setFont(font);
                        const QString text = QString::fromStdString(choice.name);
                        box.addItem(text);
                        box.resize(box.sizeHint());
                        QStyleOptionComboBox drawn;
                        drawn.initFrom(&box);
                        const QRect field = box.style()->subControlRect(QStyle::CC_ComboBox, &drawn,
                                                                        QStyle::SC_ComboBoxEditField, &box);
                        const double needed = QFontMetricsF(font).horizontalAdvance(text),
                                     given = field.width() - 2;
                        QVERIFY2(
                            needed <= given,
                            qPrintable(u"%1 in %2 points: %3 in %4 pixels"_s.arg(text).arg(points).arg(needed).arg(
                                given)));
                    }
    }

    void everyIconOfTheSetIsDrawn()
    {
        QDirIterator it(u":/icons"_s);
        int count = 0;
        while (it.hasNext()) {
            const QString name = QFileInfo(it.next()).completeBaseName();
            QImage image(32, 32, QImage::Format_ARGB32_Premultiplied);
            image.fill(Qt::transparent);
            QPainter painter(&image);
            drawIcon(painter, name, QRectF(0, 0, 32, 32), Qt::black);
            painter.end();
            bool any = false;
            for (int y = 0; y < 32 && !any; ++y)
                for (int x = 0; x < 32 && !any; ++x)
                    any = qAlpha(image.pixel(x, y)) > 100;
            QVERIFY2(any, qPrintable(name));
            ++count;
        }
        QVERIFY(count >= 15);
    }
};

ATTNSCOPE_WINDOW_TEST(TestTheme)
#include "tst_theme.moc"
