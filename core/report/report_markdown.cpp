#include "core/base/text.h"
#include "core/figure/markup.h"
#include "core/figure/svg.h"
#include "core/report/report.h"

#include <fmt/format.h>

namespace attnscope {

namespace {

class MarkdownWriter {
public:
    MarkdownWriter(std::string folder, SeriesStyles styles)
        : m_folder(std::move(folder))
        , m_styles(styles)
    {}

    void operator()(const Heading& heading)
    {
        m_text += fmt::format("{} {}\n\n", std::string(size_t(heading.level), '#'), escapedMarkdown(heading.text));
    }
    void operator()(const Paragraph& paragraph)
    {
        const bool strong = paragraph.tone == Tone::Verdict || paragraph.tone == Tone::Warning;
        m_text += fmt::format("{0}{1}{0}\n\n", strong ? "**" : "", escapedMarkdown(paragraph.text));
    }
    void operator()(const Table& table) { m_text += markdown(table) + "\n"; }
    void operator()(const Figures& figures)
    {
        for (const ReportFigure& figure : figures.figures) {
            const std::string name = figure.name + ".svg";
            const FigureOptions options{.styles = m_styles};
            m_figures.emplace_back(
                name, std::visit([&](const auto& drawn) { return svg(drawn, options); }, figure.figure));
            m_text += fmt::format("![{}](<{}/{}>)\n\n", escapedMarkdown(figure.caption), m_folder, name);
        }
    }
    void operator()(const Commands& commands)
    {
        for (const std::string& line : commands.lines)
            m_text += "    " + printable(line) + "\n";
        m_text += "\n";
    }
    /// The text, and the figures that it links to: name and SVG.
    std::pair<std::string, std::vector<std::pair<std::string, std::string>>> written() &&
    {
        return {std::move(m_text), std::move(m_figures)};
    }

private:
    std::string m_folder, m_text;
    SeriesStyles m_styles;
    std::vector<std::pair<std::string, std::string>> m_figures;
};

}

std::pair<std::string, std::vector<std::pair<std::string, std::string>>> reportMarkdown(const Report& report,
                                                                                        const std::string& folder,
                                                                                        SeriesStyles styles)
{
    MarkdownWriter writer(folder, styles);
    writer(Heading{1, report.title});
    writer(Paragraph{report.subtitle, Tone::Plain});
    for (const auto& block : report.blocks)
        std::visit(writer, block);
    return std::move(writer).written();
}

}
