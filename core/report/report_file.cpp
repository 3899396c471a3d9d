#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/report/report.h"

namespace attnscope {

namespace {

namespace fs = std::filesystem;

void writeMarkdown(const Report& report, const fs::path& out, SeriesStyles styles)
{
    const std::string folder = out.stem().string() + "-figures";
    const auto [text, figures] = reportMarkdown(report, folder, styles);
    if (!figures.empty())
        createFolders(out.parent_path() / folder);
    for (const auto& [name, svg] : figures)
        writeFileAtomically(out.parent_path() / folder / name, svg);
    writeFileAtomically(out, text);
}

}

void writeReport(const ResultStore& store, const ReportOptions& options, const fs::path& out, SeriesStyles styles)
{
    if (out.extension() == ".csv")
        writeFileAtomically(out, reportCsv(store, options));
    else if (out.extension() == ".tex")
        writeFileAtomically(out, reportLatex(makeReport(store, options)));
    else if (out.extension() == ".md")
        writeMarkdown(makeReport(store, options), out, styles);
    else
        writeFileAtomically(out, reportHtml(makeReport(store, options), styles));
}

}
