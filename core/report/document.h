#pragma once

#include "core/figure/chart.h"
#include "core/figure/table.h"

#include <string>
#include <variant>
#include <vector>

/// A report as a list of blocks, before it becomes HTML or Markdown. All text is unescaped; the writers escape it.
namespace attnscope {

struct Heading {
    int level = 2;
    std::string text;
};

enum class Tone { Plain, Verdict, Warning, Caption };

struct Paragraph {
    std::string text;
    Tone tone = Tone::Plain;
};

/// Figures shown next to each other if there is room. `name` is a file name without suffix.
struct ReportFigure {
    std::string name;
    std::variant<Chart, HeatMap> figure;
    std::string caption;
};

struct Figures {
    std::vector<ReportFigure> figures;
};

struct Commands {
    std::vector<std::string> lines;
};

struct Report {
    std::string title, subtitle;
    std::vector<std::variant<Heading, Paragraph, Table, Figures, Commands>> blocks;
};

}
