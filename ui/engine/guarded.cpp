#include "ui/engine/guarded.h"

#include <utility>

namespace attnscope::ui {

QString inWindow(const char* sentence)
{
    static constexpr std::pair<const char*, const char*> ways[]{
        {"give it some with --class-embeddings, or evaluate its features with `attnscope-cli evaluate`",
         "choose class embeddings in the list of weights, or evaluate its features on the Batch screen"},
        {", choose the model that belongs to this data set, or give the model's class names with --labels",
         ", or choose the model that belongs to this data set"}};
    QString text = toQt(sentence);
    for (const auto& [option, way] : ways)
        text.replace(QLatin1String(option), QLatin1String(way));
    return text;
}

bool ReportRate::isDue()
{
    const auto now = std::chrono::steady_clock::now();
    if (now - m_last < std::chrono::milliseconds(100))
        return false;
    m_last = now;
    return true;
}

}
