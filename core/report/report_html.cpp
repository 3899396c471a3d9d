#include "core/figure/markup.h"
#include "core/figure/palette.h"
#include "core/figure/svg.h"
#include "core/report/report.h"

#include <fmt/format.h>

namespace attnscope {

namespace {

/// Nothing may be executed or fetched, whatever a name in the store contains; styles are the page's own.
constexpr const char* policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

std::string variables(bool dark)
{
    const auto pick = [&](ColourPair colour) { return hexColour(dark ? colour.dark : colour.light); };
    return fmt::format(
        "--window:{};--surface:{};--sunken:{};--text:{};--text2:{};--text3:{};--line:{};--warn:{};--warnbg:{}",
        pick(paper::window), pick(paper::surface), pick(paper::sunken), pick(paper::text), pick(paper::text2),
        pick(paper::text3), pick(paper::line), dark ? "#E9B44C" : "#7D5200", dark ? "#352A14" : "#FBF0D9");
}

constexpr const char* sheet = R"css(
*{box-sizing:border-box}
body{margin:0;background:var(--window);color:var(--text);font:15px/1.5 Inter,"Noto Sans",Cantarell,Ubuntu,"DejaVu Sans",sans-serif}
main{max-width:1320px;margin:0 auto;padding:32px 24px 64px}
h1{font-size:26px;line-height:1.25;margin:0 0 4px}
h2{font-size:20px;margin:40px 0 12px;overflow-wrap:anywhere}
h3{font-size:16px;margin:28px 0 8px}
p{margin:0 0 12px;max-width:80ch}
.sub,.caption,caption,.small{color:var(--text3)}
.verdict{font-size:17px;font-weight:600}
.warning{color:var(--warn);background:var(--warnbg);padding:8px 12px;border-radius:6px}
.card{background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:12px 14px;margin:0 0 16px;overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
caption{caption-side:bottom;text-align:left;font-size:13px;padding-top:8px}
th{font-size:13px;font-weight:500;color:var(--text3);text-align:left;border-bottom:1px solid var(--line);padding:4px 12px 6px 0;vertical-align:bottom}
td{padding:5px 12px 5px 0;border-bottom:1px solid var(--line);vertical-align:baseline;overflow-wrap:anywhere}
tr:last-child td{border-bottom:0}
td.n,th.n{text-align:right;white-space:nowrap;overflow-wrap:normal}
.small{font-size:12.5px;white-space:nowrap}
td svg{vertical-align:-1px;margin-right:7px}
.run{font-weight:600}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:12px;margin:0 0 16px}
figure{margin:0;background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:14px}
figure svg{width:100%;height:auto;display:block}
figcaption{font-size:13px;color:var(--text3);margin-top:8px}
pre{background:var(--sunken);border-radius:6px;padding:10px 12px;overflow-x:auto;font:13px/1.5 "JetBrains Mono","Noto Sans Mono","DejaVu Sans Mono",monospace}
@media print{body{background:#fff}.card,figure{break-inside:avoid}}
)css";

class HtmlWriter {
public:
    explicit HtmlWriter(SeriesStyles styles)
        : m_styles(styles)
    {}

    void operator()(const Heading& heading)
    {
        m_html += fmt::format("<h{0}>{1}</h{0}>\n", heading.level, escapedMarkup(heading.text));
    }
    void operator()(const Paragraph& paragraph)
    {
        constexpr std::array<const char*, 4> classes{"", "verdict", "warning", "caption"};
        m_html += fmt::format("<p class=\"{}\">{}</p>\n", classes[size_t(paragraph.tone)],
                              escapedMarkup(paragraph.text));
    }
    void operator()(const Table& table)
    {
        m_html += "<div class=\"card\">" + attnscope::html(table, m_styles) + "</div>\n";
    }
    void operator()(const Figures& figures)
    {
        FigureOptions options{.width = 480, .height = 340, .standsAlone = false, .styles = m_styles};
        m_html += "<div class=\"figures\">\n";
        for (const ReportFigure& figure : figures.figures) {
            if (figures.figures.size() == 1)
                options.width = 960;
            m_html += "<figure>"
                      + std::visit([&](const auto& drawn) { return svg(drawn, options); }, figure.figure);
            m_html += "<figcaption>" + escapedMarkup(figure.caption) + "</figcaption></figure>\n";
        }
        m_html += "</div>\n";
    }
    void operator()(const Commands& commands)
    {
        m_html += "<pre>";
        for (const std::string& line : commands.lines)
            m_html += escapedMarkup(line) + "\n";
        m_html += "</pre>\n";
    }
    const std::string& html() const { return m_html; }

private:
    SeriesStyles m_styles;
    std::string m_html;
};

}

std::string reportHtml(const Report& report, SeriesStyles styles)
{
    HtmlWriter writer(styles);
    for (const auto& block : report.blocks)
        std::visit(writer, block);
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" "
        "content=\"light dark\">\n"
        "<meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n"
        "<style>:root{{{}}}@media (prefers-color-scheme:dark){{:root{{{}}}}}{}{}</style>\n</head>\n<body><main>\n"
        "<h1>{}</h1>\n<p class=\"sub\">{}</p>\n{}</main></body>\n</html>\n",
        policy, escapedMarkup(report.title), variables(false), variables(true), sheet, svgStyle(),
        escapedMarkup(report.title), escapedMarkup(report.subtitle), writer.html());
}

}
