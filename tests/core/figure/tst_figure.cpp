#include "core/figure/markup.h"
#include "core/figure/palette.h"
#include "core/figure/series_keys.h"
#include "core/figure/svg.h"
#include "tests/support/comma_locale.h"
#include "tests/support/test_class.h"

#include <QRegularExpression>
#include <QXmlStreamReader>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace attnscope;
using namespace Qt::StringLiterals;

namespace {

/// As core/attention has it for its backends.
SeriesStyle seriesStyle(std::string_view key)
{
    const SeriesStyle softmax{Hue::Softmax, Mark::Disc, {}}, lara{Hue::Lara, Mark::Square, {10, 3}};
    return variantStyle(key.starts_with("lara") ? lara : softmax, key);
}

std::string drawing(const auto& figure, FigureOptions options = {})
{
    options.styles = seriesStyle;
    return svg(figure, options);
}

ChartPoint at(double x, double y)
{
    ChartPoint point;
    point.x = x;
    point.y = y;
    return point;
}

/// Every element with its attributes, in their order; fails when the text is not well-formed XML.
struct Element {
    QString name;
    QXmlStreamAttributes attributes;
    QString text;
};

std::vector<Element> elements(const std::string& markup)
{
    QXmlStreamReader reader(QByteArray::fromStdString(markup));
    std::vector<Element> all;
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.isStartElement())
            all.push_back({reader.name().toString(), reader.attributes(), {}});
        else if (reader.isCharacters() && !all.empty())
            all.back().text += reader.text();
    }
    if (reader.hasError())
        qWarning("%s", qPrintable(reader.errorString()));
    return reader.hasError() ? std::vector<Element>() : all;
}

int count(const std::vector<Element>& all, const QString& name)
{
    return int(
        std::count_if(all.begin(), all.end(), [&](const Element& element) { return element.name == name; }));
}

/// The points of the lines with a class.
std::vector<QStringList> linesOf(const std::vector<Element>& all, const QString& look)
{
    std::vector<QStringList> lines;
    for (const Element& element : all)
        if (element.name == "polyline" && element.attributes.value("class") == look)
            lines.push_back(element.attributes.value("points").toString().split(' ', Qt::SkipEmptyParts));
    return lines;
}

/// Numbers that a browser could not place.
bool hasBadNumber(const std::string& markup)
{
    return markup.find("nan") != std::string::npos || markup.find("inf") != std::string::npos;
}

Chart someChart()
{
    Chart chart;
    chart.title = "error <against> \"samples\"";
    chart.x = {"samples", AxisScale::Log, AxisNumbers::Plain, {}, {}};
    chart.y = {"relative error", AxisScale::Log, AxisNumbers::Plain, {}, {}};
    ChartSeries lara{"lara", "lara", true, false, {}};
    for (int i = 0; i < 6; ++i) {
        ChartPoint point = at(1 << i, 1.0 / (1 << i));
        point.low = point.y * 0.8;
        point.high = point.y * 1.2;
        point.title = "lara & friends";
        lara.points.push_back(point);
    }
    ChartSeries published{"published", "lara", true, true, {at(4, 0.3)}};
    chart.series = {lara, published};
    return chart;
}

}

class TestFigure : public QObject {
    Q_OBJECT

private slots:
    void frontKeepsWhatNothingBeats()
    {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const std::vector<ChartPoint> points{at(1, 5), at(2, 7), at(3, 6),    at(4, 9),
                                             at(4, 8), at(2, 7), at(nan, 10), at(0.5, 5)};
        QCOMPARE(paretoFront(points, Better::Lower, Better::Higher), (std::vector<size_t>{7, 1, 5, 3}));
        QCOMPARE(paretoFront(points, Better::Lower, Better::Lower), (std::vector<size_t>{7}));
        QVERIFY(paretoFront({}, Better::Lower, Better::Lower).empty());
    }

    void ticksAreRoundAndInside_data()
    {
        columns<double, double, int>("low", "high", "scale");
        row("share", 0.0, 1.0, 0);
        row("narrow", 0.7141, 0.7152, 0);
        row("negative", -3.2, 8.1, 0);
        row("large", 0.0, 3.2e9, 0);
        row("decades", 1e-4, 20.0, 1);
        row("one decade", 3.0, 60.0, 1);
        row("less than a decade", 61.0, 68.0, 1);
        row("many decades", 1e-30, 1e30, 1);
    }

    void ticksAreRoundAndInside()
    {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(int, scale);
        const auto ticks = axisTicks(low, high, static_cast<AxisScale>(scale));
        QVERIFY2(ticks.size() >= 2 && ticks.size() <= 12, std::to_string(ticks.size()).c_str());
        for (size_t i = 0; i < ticks.size(); ++i) {
            QVERIFY(ticks[i] >= low * (1 - 1e-9) - 1e-12 && ticks[i] <= high * (1 + 1e-9));
            QVERIFY(i == 0 || ticks[i] > ticks[i - 1]);
            const std::string text = axisNumber(ticks[i], AxisNumbers::Plain);
            QVERIFY2(text.size() <= 9, text.c_str());
        }
    }

    void largeNumbersOfAnAxisHaveExponents()
    {
        QCOMPARE(axisNumber(1e4, AxisNumbers::Plain), "10000");
        QCOMPARE(axisNumber(1e5, AxisNumbers::Plain), "1e5");
        QCOMPARE(axisNumber(2.5e5, AxisNumbers::Plain), "2.5e5");
        QCOMPARE(axisNumber(123456, AxisNumbers::Plain), "123456");
        QCOMPARE(axisNumber(1e16, AxisNumbers::Plain), "1e16");
    }

    void chartIsWellFormedAndHoldsItsTexts()
    {
        const auto all = elements(drawing(someChart()));
        QVERIFY(!all.empty());
        QCOMPARE(linesOf(all, "f-0068A6s").size(), 2U);  // the series', and its sample in the legend
        QVERIFY(std::any_of(all.begin(), all.end(),
                            [](const Element& e) { return e.text.trimmed() == "error <against> \"samples\""; }));
        QVERIFY(std::any_of(all.begin(), all.end(),
                            [](const Element& e) { return e.name == "title" && e.text == "lara & friends"; }));
        QVERIFY(std::any_of(all.begin(), all.end(), [](const Element& e) {
            return e.name == "style" && e.text.contains("prefers-color-scheme");
        }));
        FigureOptions inside;
        inside.standsAlone = false;
        QCOMPARE(count(elements(drawing(someChart(), inside)), "style"), 0);
    }

    /// On logarithmic axes, halving at equal steps is a straight line falling at equal steps.
    void pointsLieWhereTheirNumbersSay()
    {
        const auto all = elements(drawing(someChart()));
        const std::vector<QStringList> lines = linesOf(all, "f-0068A6s");
        QCOMPARE(std::ranges::count(lines, 6, &QStringList::size), 1);
        for (const QStringList& points : lines) {
            if (points.size() != 6)
                continue;
            std::vector<double> x, y;
            for (const QString& point : points) {
                x.push_back(point.split(',')[0].toDouble());
                y.push_back(point.split(',')[1].toDouble());
            }
            for (size_t i = 2; i < x.size(); ++i) {
                QVERIFY(std::abs((x[i] - x[i - 1]) - (x[1] - x[0])) < 0.03);
                QVERIFY(std::abs((y[i] - y[i - 1]) - (y[1] - y[0])) < 0.03);
            }
            QVERIFY(x[1] > x[0] + 20 && y[1] > y[0] + 10);  // y grows downwards
            QVERIFY(x[0] > 30 && x[5] < 640 && y[0] > 20 && y[5] < 380);
        }
    }

    void publishedMarksAreHollowAndNeverJoined()
    {
        int hollow = 0, filled = 0;
        for (const Element& element : elements(drawing(someChart()))) {
            if (element.name != "polygon" || element.attributes.hasAttribute("fill-opacity"))
                continue;
            const bool surface = element.attributes.value("fill") == "#FFFFFF"_L1;
            ++(surface ? hollow : filled);
            if (surface)
                QCOMPARE(element.attributes.value("stroke").toString(), u"#0068A6"_s);
        }
        QCOMPARE(hollow, 2);  // one point, one of the legend
        QCOMPARE(filled, 7);
    }

    void missingValuesAreMarkedAndNothingIsNotANumber()
    {
        Chart chart = someChart();
        chart.series[0].points[5].missing = "needs 9.1 GiB";
        chart.series[0].points[3].y = std::numeric_limits<double>::quiet_NaN();
        chart.series[0].points[2].y = 0;  // has no place on a logarithmic axis
        const std::string markup = drawing(chart);
        QVERIFY(!hasBadNumber(markup));
        SAYS(markup, "lara: needs 9.1 GiB");
        Chart empty;
        QVERIFY(!hasBadNumber(drawing(empty)) && !elements(drawing(empty)).empty());
        empty.series = {{"one", "lara", true, false, {at(3, 3)}}};
        QVERIFY(!hasBadNumber(drawing(empty)));
        QVERIFY(!hasBadNumber(drawing(chart, {.form = ChartForm::Bars})));
        HeatMap map;
        map.rows = map.columns = {"a"};
        map.values = {std::numeric_limits<double>::quiet_NaN()};
        QVERIFY(!hasBadNumber(drawing(map)));
    }

    void heatMapColoursFollowTheValues()
    {
        HeatMap map;
        map.rows = {"r0", "r1"};
        map.columns = {"c0", "c1", "c2"};
        map.values = {0.01, 0.1, 1, 0.01, std::numeric_limits<double>::quiet_NaN(), 1};
        map.scale = AxisScale::Log;
        std::vector<QString> fills;
        for (const Element& element : elements(drawing(map)))
            if (element.name == "rect" && !element.attributes.hasAttribute("class")
                && !element.attributes.hasAttribute("shape-rendering"))  // that of the scale
                fills.push_back(element.attributes.value("fill").toString());
        const QString middle = QString::fromStdString(hexColour(magnitudeColour(0.5).packed()));
        QCOMPARE(fills, (std::vector<QString>{"#00224E", middle, "#FEE838", "#00224E", "#FEE838"}));
        map.colours = HeatColours::Difference;
        map.scale = AxisScale::Linear;
        map.values = {-2, 0, 1, 0, 0, 2};
        const std::string markup = drawing(map);
        QVERIFY(markup.find("#F5F5F5") != std::string::npos && markup.find("#08407A") != std::string::npos
                && markup.find("#8A4300") != std::string::npos);
        map.colours = HeatColours::Category;
        map.values = {0, 1, 2, 15, 16, std::numeric_limits<double>::quiet_NaN()};
        const std::string classes = drawing(map);
        for (const double number : {0, 1, 2, 15})
            SAYS(classes, hexColour(categoryColour(number).packed()));
        QCOMPARE(categoryColour(16).packed(), categoryColour(0).packed());
        QCOMPARE(count(elements(classes), "rect"),
                 7);  // the ground and six cells: classes have no scale of colours
        QVERIFY(count(elements(markup), "rect") > 7);
    }

    void barsAreAsLongAsTheirValues()
    {
        Chart chart;
        for (const double value : {80.0, 20.0})
            chart.series.push_back({"softmax", "softmax", false, false, {at(0, value)}});
        chart.series[1].points[0].label = "20 ms";
        const std::string markup = drawing(chart, {.form = ChartForm::Bars});
        std::vector<double> heights;
        for (const Element& element : elements(markup))
            if (element.name == "rect" && element.attributes.hasAttribute("fill-opacity"))
                heights.push_back(element.attributes.value("height").toDouble());
        QCOMPARE(heights.size(), size_t(2));
        QVERIFY(std::abs(heights[0] / heights[1] - 4) < 0.01);
        SAYS(markup, ">20 ms<");
    }

    void textsOfOthersStayTexts()
    {
        const std::string name = "<script>alert(1)</script>\n\u202e\" onload=\"x";
        Chart chart = someChart();
        chart.series[0].name = chart.title = chart.x.title = chart.series[0].points[0].title = name;
        chart.series[0].backend = name;
        HeatMap map;
        map.rows = map.columns = map.labels = map.titles = {name};
        map.values = {1};
        map.title = name;
        for (const std::string& markup : {drawing(chart), drawing(map), drawing(chart, {.form = ChartForm::Bars}),
                                          svgMark(name, true, seriesStyle)}) {
            QVERIFY(!contains(markup, "<script"));
            QVERIFY(!contains(markup, "\u202e"));
            for (const Element& element : elements(markup))
                for (const auto& attribute : element.attributes)
                    QVERIFY(!attribute.name().startsWith("on"_L1));
            QVERIFY(!elements(markup).empty());
        }
        QCOMPARE(escapedMarkdown("a|b `c` <img>"), "a\\|b \\`c\\` &lt;img&gt;");
    }

    void formulasAreDisarmedInCsv()
    {
        QCOMPARE(csvLine({"=HYPERLINK(\"x\")", "-1.5e-3", "+cmd", "@x", "a,b", "-x"}),
                 "\"'=HYPERLINK(\"\"x\"\")\",-1.5e-3,'+cmd,'@x,\"a,b\",'-x\r\n");
        QCOMPARE(csv(someChart()).substr(0, 49), "series,published,samples,relative error,low,high,");
    }

    void tablesAreTheSameUnderADecimalComma()
    {
        const std::string withoutComma = drawing(someChart());
        const test::CommaLocale comma;
        if (!comma.isSet())
            QSKIP("this machine has no locale with a decimal comma, and localedef makes none");
        QCOMPARE(csvLine({"-1.5e-3", "2.25", "-0.5"}), "-1.5e-3,2.25,-0.5\r\n");
        QCOMPARE(withoutComma, drawing(someChart()));
    }

    void textOnHeatCellsContrasts()
    {
        const auto luminance = [](double r, double g, double b) {
            const auto linear = [](double c) {
                return c / 255 <= 0.04045 ? c / 255 / 12.92 : std::pow((c / 255 + 0.055) / 1.055, 2.4);
            };
            return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
        };
        for (int i = 0; i <= 1000; ++i) {
            const Rgb colour = magnitudeColour(i / 1000.0);
            const double background = luminance(colour.red, colour.green, colour.blue);
            const double ink = colour.textColour() == 0xFFFFFF ? 1 : 0;
            const double contrast = (std::max(background, ink) + 0.05) / (std::min(background, ink) + 0.05);
            QCOMPARE_GE(contrast, 4.58);
        }
    }

    void anAxisTurnsLogarithmicWhereAFewValuesWouldHideTheRest_data()
    {
        columns<QList<double>, bool>("values", "logarithmic");
        const double none = std::numeric_limits<double>::quiet_NaN();
        row("one outlier", QList<double>{0, 0.19, 0.5, 0.83, 9}, true);
        row("two values far apart", QList<double>{0.5, 9}, true);
        row("near each other", QList<double>{20, 22, 23, 26}, false);
        row("a spread that a line shows", QList<double>{1, 2, 4, 8, 16}, false);
        row("zero alone is no reason", QList<double>{0, 0.2, 0.3}, false);
        row("negative ones have no logarithm", QList<double>{-1, 0.1, 0.2, 100}, false);
        row("what is not finite does not count", QList<double>{none, 1, 2, INFINITY}, false);
        row("one value", QList<double>{7}, false);
        row("nothing", QList<double>{}, false);
    }

    void anAxisTurnsLogarithmicWhereAFewValuesWouldHideTheRest()
    {
        QFETCH(QList<double>, values);
        QFETCH(bool, logarithmic);
        QCOMPARE(fittingScale({values.begin(), values.end()}) == AxisScale::Log, logarithmic);
    }

    void aLogarithmicAxisSaysSoAndLosesNoPoint()
    {
        ChartAxis axis{.title = "relative error"};
        fitScale(axis, {0, 0.5, 9});  // zero has no place on it
        QVERIFY(axis.scale == AxisScale::Linear);
        fitScale(axis, {0.1, 0.5, 9});
        QVERIFY(axis.scale == AxisScale::Log);
        QCOMPARE(axis.title, "relative error, logarithmic");
    }

    void attentionsOfOneBackendHaveLooksOfTheirOwn()
    {
        const std::vector<std::string> keys = seriesKeys({"softmax", "lara:samples=16", "lara", "lara:samples=16",
                                                          "softmax:form=explicit", "0-3=lara;4=softmax",
                                                          "lara:beta=2"});
        QCOMPARE(keys, (std::vector<std::string>{"softmax", "lara", "lara#1", "lara", "softmax-explicit", "mixed",
                                                 "lara#2"}));
        const SeriesStyle first = seriesStyle("lara"), second = seriesStyle("lara#1"),
                          third = seriesStyle("lara#2");
        QVERIFY(first.mark == second.mark && first.hue == second.hue);
        QVERIFY(colourOf(first).light != colourOf(second).light && colourOf(first).dark != colourOf(second).dark);
        QVERIFY(first.dash != second.dash);
        QVERIFY(markHole(first.variant).empty() && !markHole(second.variant).empty());
        QVERIFY(markHole(second.variant).size() != markHole(third.variant).size());
        QVERIFY(!seriesStyle("softmax#1").dash.empty());
    }

    void variantsAreDrawnWithAHoleAndAnotherShade()
    {
        Chart chart;
        chart.series = {{"lara 16", "lara", true, false, {at(1, 1), at(2, 2)}},
                        {"lara 49", "lara#1", true, false, {at(1, 2), at(2, 3)}}};
        const auto all = elements(drawing(chart));
        QCOMPARE(linesOf(all, "f-0068A6s").size(), 2U);  // the series, and the legend
        QCOMPARE(linesOf(all, "f-0B486Fs").size(), 2U);
        QCOMPARE(std::ranges::count_if(all,
                                       [](const Element& element) {
                                           return element.name == "polygon"
                                                  && element.attributes.value("class") == "f-FFFFFF"_L1;
                                       }),
                 3);  // two points, and the legend
        SAYS(svgStyle(), ".f-0B486Fs{stroke:#A6D4F6}");
    }
};

ATTNSCOPE_EVENT_TEST(TestFigure)
#include "tst_figure.moc"
