#pragma once

#include "ui/engine/compare_types.h"
#include "ui/style/qt_text.h"

#include "core/base/archive.h"

#include <array>
#include <string>
#include <vector>

/// What Compare keeps of its results for the next start, by the input's path and the column's specification.
namespace attnscope {

template <>
struct TextForm<QString> {
    static std::string text(const QString& text) { return ui::fromQt(text); }
    static QString parse(const std::string& text) { return ui::toQt(text); }
};

namespace ui {

struct SavedResult {
    std::string spec;  ///< canonical
    RunRecord record;
    std::array<CellState, 4> stages{};  ///< by RunStage
    RunContext context;
    RunEffort effort;
};

struct SavedInput {
    std::string path;
    InputRecord record;
    std::vector<SavedResult> results;
};

}
}
