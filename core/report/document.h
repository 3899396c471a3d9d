// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figure/chart.h"

#include <string>
#include <variant>
#include <vector>

/// A report as a list of blocks, before it is HTML or Markdown. Every text is as it came; the writers escape.
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

struct ReportCell {
    std::string text;
    std::string backend;  ///< its mark stands before the text; empty: none
    std::string small;    ///< after the text, smaller: an interval, a unit
};

struct ReportTable {
    struct Column {
        std::string title;
        bool number = false;  ///< to the right
    };
    std::string caption;
    std::vector<Column> columns;
    std::vector<std::vector<ReportCell>> rows;
};

/// Figures that stand side by side where there is room. `name` is a file name without suffix.
struct ReportFigure {
    std::string name;
    std::variant<Chart, BarChart, HeatMap> figure;
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
    std::vector<std::variant<Heading, Paragraph, ReportTable, Figures, Commands>> blocks;
};

}  // namespace attnscope
