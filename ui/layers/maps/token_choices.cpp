#include "ui/layers/maps/token_choices.h"

#include "ui/style/qt_text.h"

#include "core/lab/layers/layer_maps.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

// What methods' tables say, which know no language: here the translations' tool finds it.
[[maybe_unused]] constexpr const char* namesOfTables[]{
    QT_TRANSLATE_NOOP("attnscope::TokenMapInfo", "Clusters of queries"),
    QT_TRANSLATE_NOOP("attnscope::TokenMapInfo", "queries of one landmark"),
    QT_TRANSLATE_NOOP("attnscope::TokenMapInfo", "Distance from the landmark"),
    QT_TRANSLATE_NOOP("attnscope::TokenMapInfo", "√s ‖q − landmark‖, whose square the error follows"),
    QT_TRANSLATE_NOOP("attnscope::TokenMapInfo", "Blocks kept exactly"),
    QT_TRANSLATE_NOOP("attnscope::TokenMapInfo", "the query's weight on each block whose keys it sees one by one"),
    QT_TRANSLATE_NOOP("attnscope::TokenMapInfo", "Tail"),
    QT_TRANSLATE_NOOP("attnscope::TokenMapInfo", "the query's weight on the mean of each other block"),
    QT_TRANSLATE_NOOP("attnscope::TokenMapInfo", "Weight of the tail"),
    QT_TRANSLATE_NOOP("attnscope::TokenMapInfo", "every query's weight on means of blocks"),
    QT_TRANSLATE_NOOP("attnscope::TokenMapInfo", "Keys of the coreset"),
    QT_TRANSLATE_NOOP("attnscope::TokenMapInfo", "how many keys each chosen key stands for"),
    QT_TRANSLATE_NOOP("attnscope::TokenMapInfo", "Weights of the coreset"),
    QT_TRANSLATE_NOOP("attnscope::TokenMapInfo", "the query's weight on each chosen key"),
    QT_TRANSLATE_NOOP("attnscope::TokenMapInfo", "Error of the queries"),
    QT_TRANSLATE_NOOP("attnscope::TokenMapInfo", "of every query's output, relative to the size of the outputs"),
};

QString choiceText(const std::string& text)
{
    return QCoreApplication::translate("attnscope::TokenMapInfo", text.c_str());
}

double largestFinite(const std::vector<double>& values)
{
    double largest = 0;
    for (const double value : values)
        largest = std::max(largest, std::isfinite(value) ? std::abs(value) : 0);
    return largest;
}

TokenChoice choiceOf(const LayerTokenMap& map, size_t head, int64_t frame)
{
    TokenChoice choice{
        .key = toQt(map.info.name), .title = choiceText(map.info.title), .help = choiceText(map.info.help)};
    choice.map = tokenMap(map, head, std::min(frame, map.frames - 1));
    choice.colours = choice.map.colours;
    choice.limit = largestFinite(choice.map.values);
    choice.grid = map.grid, choice.frames = map.frames;
    if (map.info.kind == TokenMapInfo::Kind::Category)
        choice.quantity = MapView::Quantity::Category;
    else
        choice.legend = choice.title;
    if (map.prefix > 0 && std::isfinite(map.values[head].front()))
        choice.ofClassToken = double(map.values[head].front());
    return choice;
}

void addKeys(const LayersSession& session, size_t head, int64_t frame, std::vector<TokenChoice>& choices)
{
    const LayerMaps* maps = session.layerMaps();
    const LayerKeys* keys = session.layerKeys();
    if (maps == nullptr || maps->seen.size() <= head || keys == nullptr || keys->massKept.size() <= head
        || maps->grid.rows <= 0 || keys->grid.rows <= 0)
        return;
    TokenChoice seen{.key = u"seen"_s, .title = tr("keys seen"), .help = tr("keys that the query sees")};
    seen.map = weightMap(*maps, head, WeightsShown::Seen, std::min(frame, maps->frames - 1));
    seen.limit = seen.map.high.value_or(1);
    seen.quantity = MapView::Quantity::Seen;
    seen.grid = maps->grid, seen.frames = maps->frames;
    TokenChoice mass{.key = u"mass-kept"_s,
                     .title = tr("mass kept"),
                     .help = tr("exact attention's weight on the keys that each query sees"),
                     .legend = tr("mass kept of exact")};
    mass.map = attnscope::massMap(*keys, session.cell().head < 0 ? std::nullopt : std::optional(head),
                                  std::min(frame, keys->frames - 1));
    mass.quantity = MapView::Quantity::Mass;
    mass.grid = keys->grid, mass.frames = keys->frames;
    choices.push_back(std::move(seen));
    choices.push_back(std::move(mass));
}

}

std::vector<TokenChoice> tokenChoices(const LayersSession& session, int64_t frame)
{
    std::vector<TokenChoice> choices;
    const LayerMaps* maps = session.layerMaps();
    const auto layer = size_t(session.cell().layer), head = size_t(std::max(0, session.cell().head));
    if (maps == nullptr || session.shown() == nullptr)
        return choices;
    const auto add = [&](const LayerTokenMap& map) {
        if (map.values.size() > head && map.grid.rows > 0)
            choices.push_back(choiceOf(map, head, frame));
    };
    std::ranges::for_each(maps->tokenMaps, add);
    const std::vector<InspectedLayer>& layers = session.shown()->teacherForced;
    const auto isError = [](const LayerTokenMap& map) { return map.info.name == queryErrorMap; };
    if (layer < layers.size())
        for (const LayerTokenMap& map : layers[layer].tokenMaps)
            if (!isError(map))
                add(map);
    addKeys(session, head, frame, choices);
    if (layer < layers.size())
        for (const LayerTokenMap& map : layers[layer].tokenMaps)
            if (isError(map))
                add(map);
    return choices;
}

}
