#include "core/run/load_report.h"

#include "core/base/json_path.h"
#include "core/base/text.h"

#include <algorithm>

namespace attnscope {

namespace {

std::string listed(const char* what, const std::vector<std::string>& names)
{
    constexpr size_t shown = 6;
    if (names.empty())
        return "";
    std::string text = std::to_string(names.size()) + " " + what + " (";
    for (size_t i = 0; i < std::min(shown, names.size()); ++i)
        text += (i > 0 ? ", " : "") + printable(names[i]);
    if (names.size() > shown)
        text += " and " + std::to_string(names.size() - shown) + " more";
    return text + ")";
}

std::string problemOf(const LoadReport& report)
{
    std::vector<std::string> problems;
    for (const std::string& text : {listed("of a different shape", report.mismatching),
                                    listed("missing", report.missing), listed("unexpected", report.unexpected)})
        if (!text.empty())
            problems.push_back(text);
    return "its tensors do not match " + report.model + ": " + joinWords(problems, "and");
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from, const std::string& prefix = {})
{
    for (const std::string& text : from)
        to.push_back(prefix + printable(text));
}

}

std::string oneLine(const LoadReport& report)
{
    std::string text =
        counted(report.used, "tensor") + " of " + printable(report.model) + " from a " + report.container
        + (report.container == "safetensors" ? " file" : "")
        + (report.nesting.empty() ? "" : ", under `" + printable(report.nesting) + "`")
        + (report.naming.empty() || report.naming == "original" ? "" : ", with names as in " + report.naming);
    std::vector<std::string> counts;
    for (const auto& [names, what] : {std::pair{&report.missing, "missing"},
                                      {&report.mismatching, "of a different shape"},
                                      {&report.unexpected, "unexpected"},
                                      {&report.resized, "resized"},
                                      {&report.ignored, "ignored"},
                                      {&report.notFinite, "not finite"}})
        if (!names->empty())
            counts.push_back(std::to_string(names->size()) + " " + what);
    return text + (counts.empty() ? "" : "; " + joinWords(counts, "and"));
}

std::vector<std::string> lines(const LoadReport& report)
{
    std::vector<std::string> all;
    append(all, report.notFinite, "not finite: ");
    if (!report.reason.empty())
        all.push_back("recognised as " + printable(report.model) + ": " + printable(report.reason));
    append(all, report.resized, "resized: ");
    append(all, report.notes);
    if (!report.ignored.empty())
        all.push_back(listed("ignored", report.ignored));
    return all;
}

Json toJson(const LoadReport& report)
{
    const auto listed = [](const std::vector<std::string>& names) {
        return jsonList(names, [&](const std::string& name) { return printable(name); });
    };
    const auto orNull = [](const std::string& text) {
        return text.empty() ? Json(nullptr) : Json(printable(text));
    };
    return {{"file", jsonPath(report.file)},
            {"summary", oneLine(report)},
            {"container", report.container},
            {"nesting", orNull(report.nesting)},
            {"alternatives", listed(report.alternatives)},
            {"naming", orNull(report.naming)},
            {"model", orNull(report.model)},
            {"reason", orNull(report.reason)},
            {"fits", report.fits()},
            {"used", report.used},
            {"missing", listed(report.missing)},
            {"mismatching", listed(report.mismatching)},
            {"unexpected", listed(report.unexpected)},
            {"resized", listed(report.resized)},
            {"ignored", listed(report.ignored)},
            {"not_finite", listed(report.notFinite)},
            {"notes", listed(report.notes)}};
}

CheckpointMismatch::CheckpointMismatch(LoadReport report, const std::string& remedy)
    : FileError(report.file, problemOf(report), remedy)
    , m_report(std::move(report))
{}

}
