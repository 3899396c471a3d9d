#include "ui/compare/table/run_table_model.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace attnscope::ui {

std::vector<SavedInput> RunTableModel::saved() const
{
    std::vector<SavedInput> inputs;
    for (size_t i = 0; i < m_inputs.size(); ++i) {
        SavedInput input{fromQt(m_inputs[i].path), m_states[i].record, {}};
        for (const ColumnSpec& column : m_columns)
            if (const Result* result = resultAt(int(i), column.id); result != nullptr && result->record)
                input.results.push_back(
                    {fromQt(column.spec), *result->record, result->stages, result->context, result->effort});
        if (!m_inputs[i].pasted() && !input.results.empty())
            inputs.push_back(std::move(input));
    }
    return inputs;
}

void RunTableModel::restore(const std::vector<SavedInput>& inputs)
{
    std::unordered_map<std::string_view, const SavedInput*> byPath;
    for (const SavedInput& input : inputs)
        byPath.emplace(input.path, &input);
    for (size_t i = 0; i < m_inputs.size(); ++i) {
        const auto found = byPath.find(fromQt(m_inputs[i].path));
        if (found == byPath.end())
            continue;
        const SavedInput& input = *found->second;
        InputState& state = m_states[i];
        state.record = input.record;
        for (const ColumnSpec& column : m_columns)
            if (const auto result = std::ranges::find(input.results, fromQt(column.spec), &SavedResult::spec);
                result != input.results.end())
                state.results[column.id] = {std::make_shared<const RunRecord>(result->record),
                                            result->stages,
                                            {},
                                            result->context,
                                            result->effort};
    }
    changedEverywhere();
    if (columnCount() > 0)
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

}
