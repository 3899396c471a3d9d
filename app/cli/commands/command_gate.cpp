#include "app/cli/commands/command.h"
#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "app/cli/output/table_output.h"
#include "core/base/atomic_file.h"
#include "core/base/text.h"
#include "core/report/gate.h"

#include <fmt/format.h>

namespace attnscope::cli {

namespace {

struct GateArguments {
    GateRequest request;
    std::string junit, benchmark;
    OutputOptions output;
};

void visitOptions(GateArguments& arguments, auto& visit)
{
    GateRequest& request = arguments.request;
    visit("BASE", request.base, requiredText(""),
          "Results before the change: a store, a record of `compare --json`, or a folder of records");
    visit("NEW", request.changed, requiredText(""), "Results after it, of the same kind");
    visit("--evaluation", request.evaluations, repeatedText("N"),
          "Of stores, the evaluation with this number: given once, in both; given twice, in BASE and in NEW "
          "(default: the latest)");
    visit("--false-alarms", request.falseAlarms, within(1e-9, 0.5),
          "Largest probability that any check fails although nothing became worse");
    visit("--tolerance", request.tolerance, within(0, 10), "Fraction by which latencies may grow");
    visit("--junit", arguments.junit, anyText(), "Write the checks as JUnit XML to FILE");
    visit("--benchmark", arguments.benchmark, anyText(),
          "Write the new figures to FILE as JSON for actions that keep benchmarks");
    visitJson(arguments.output, visit);
}

std::string describe(const GateReport& report)
{
    Table table = tableOf(
        {"check", "model and attention", ">before", ">after", ">worse", ">not", ">p", ">threshold", "result"});
    for (const GateCheck& check : report.checks) {
        const bool accuracy = check.kind == GateCheck::Kind::Accuracy;
        const auto value = [&](double x) {
            return accuracy ? fmt::format("{:.2f} %", 100 * x) : fmt::format("{:.2f} ms", x);
        };
        table.addTexts({accuracy ? "top-1" : "latency", printable(check.name), value(check.base),
                        value(check.changed), std::to_string(check.worse), std::to_string(check.better),
                        fmt::format("{:.2g}", check.p), fmt::format("{:.2g}", check.threshold),
                        check.failed         ? "worse"
                        : check.note.empty() ? "passed"
                                             : check.note});
    }
    std::string text = terminalTable(table);
    for (const std::string& name : report.unmatched)
        text += "  only one of the two has " + printable(name) + "\n";
    for (const std::string& sentence : report.differences)
        text += "  " + printable(sentence) + "\n";
    return text
           + fmt::format("  probability that any of these fails without a change for the worse: at most {:.2g}\n",
                         report.falseAlarms);
}

ExitCode run(GateArguments& arguments, std::stop_token)
{
    const JsonTarget target(arguments.output.json);
    const GateReport report = gate(arguments.request);
    if (!arguments.junit.empty())
        writeFileAtomically(arguments.junit, junitXml(report));
    if (!arguments.benchmark.empty())
        writeFileAtomically(arguments.benchmark, benchmarkJson(report).dump(1) + "\n");
    target.print(describe(report), toJson(report));
    return report.failed() ? ExitCode::Failed : ExitCode::Done;
}

}

void addGateCommand(CommandList& commands)
{
    commands.add<GateArguments>(
        "gate",
        "Fails if accuracy or latency became worse from one set of results to another: for continuous integration",
        {"gate before.sqlite after.sqlite --junit gate.xml",
         "gate before/ after/ --tolerance 0.1 --benchmark benchmark.json"},
        run);
}

}
