#pragma once

#include "core/lab/layers/inspect.h"
#include "ui/layers/layers_session.h"
#include "ui/layers/maps/map_view.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

/// Maps of single tokens from which the Layers screen lets choose: what an attention chose, which keys it leaves out, where it errs.
namespace attnscope::ui {

struct TokenChoice {
    QString key;  ///< of what it shows, the same for every attention that has it
    QString title, help;
    QString legend;  ///< above its scale of colours; empty: it has none
    HeatMap map;
    HeatColours colours = HeatColours::Magnitude;
    double limit = 1;
    MapView::Quantity quantity = MapView::Quantity::Number;
    TokenGrid grid;  ///< of its tokens, among which the query lies
    int64_t frames = 1;
    std::optional<double> ofClassToken;
};

/// Those of the chosen cell, of frame `frame` of a video: first what the attention chose for the query, then what it chose for all of them.
std::vector<TokenChoice> tokenChoices(const LayersSession& session, int64_t frame);

}
