#pragma once

#include "core/lab/lab_charts.h"

#include <QString>

namespace attnscope::ui {

struct LayerWords {
    QString headline, detail;
};

/// `nameOf` and `titleOf` in the language of the window.
QString metricText(HeadMetric metric);
QString layerText(const InspectedLayer& layer);

/// What an inspection comes to: where the error is largest; end to end, which layers change the prediction. `name`: "lara 49".
LayerWords layerWords(const InspectedAttention& attention, InspectionMode mode, HeadMetric figure,
                      const QString& name, const QString& input);

}
