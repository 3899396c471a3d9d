#pragma once

#include "core/base/progress.h"
#include "core/data/preprocess/input_size.h"
#include "core/run/compare.h"
#include "core/run/run_record.h"
#include "ui/style/qt_text.h"

#include <QMetaType>
#include <QString>
#include <QVector>

#include <memory>
#include <optional>

/// What the cells of Compare hold: plain values between engine, models and delegates.
namespace attnscope::ui {

/// What a comparison looks at besides costs: the classes that a network predicts, or the features that it makes of an input.
enum class Subject { Classes, Features };

/// Rows of the comparison, in the order in which they are shown; features stand in the place of predictions.
enum class Row { Predictions, WholeModel, AttentionOnly, PeakMemory, RelativeError, Features };
inline constexpr int rowCount = 5;

enum class CellState {
    NotRun,     ///< nothing was asked for yet
    Waiting,    ///< in the running job, not begun
    Measuring,  ///< in the running job, begun
    Done,
    Failed,
    Absent,  ///< the run ended without this figure
};

/// What all columns of one run share. Figures under another context are kept and called stale.
struct RunContext {
    QString model;
    QString weights = u"untrained"_s;
    InputSize imageSize;      ///< of the input
    int heads = 0;            ///< with an empty `model`: what the checkpoint does not say of itself
    QString classEmbeddings;  ///< a file whose classes the network gets; empty: its own, or none
    QString device = u"auto"_s;
    QString dtype = u"float32"_s;
    quint64 seed = 0;
    QString views = u"1x1"_s;  ///< of videos: clips in time × crops in space

    bool operator==(const RunContext&) const = default;
};

/// The weights of a network behind the first, whose are RunContext's.
struct FurtherCheckpoint {
    QString weights;
    QString model;  ///< empty: as the file says
    int heads = 0;  ///< 0: as the file says

    bool operator==(const FurtherCheckpoint&) const = default;
};

/// "deit_lara" of "/home/ada/deit_lara.safetensors": a checkpoint where there is little room.
QString shortCheckpointName(const QString& weights);

/// What was spent on a run's figures, of which each depends on a part (RunTableModel::StaleRole).
struct RunEffort {
    int threads = 0;  ///< 0: one a core
    int seeds = 3;
    int repetitions = 20;  ///< at least
    double seconds = 1;    ///< at least

    bool operator==(const RunEffort&) const = default;
};

/// One column as the Backends dock wants it.
struct ColumnSpec {
    int id = 0;    ///< of the dock's entry: survives a change of its options
    QString spec;  ///< canonical
    QString backend;
    /// "49", or empty: what a heading adds to the name; with the options that tell it from others of its
    /// backend.
    QString samples;
    bool reference = false;
    QString look = {};     ///< of colour, mark and dash, where it is not the only one of its backend
    QString network = {};  ///< short name of its weights; empty: there is one network
    std::optional<FurtherCheckpoint> checkpoint = {};  ///< of a network behind the first

    QString lookKey() const { return look.isEmpty() ? backend : look; }
    /// In a sentence: the backend, as long as it is the only one of it.
    QString name() const { return look.isEmpty() && network.isEmpty() ? backend : title(); }
    /// "lara 49"
    QString attention() const { return samples.isEmpty() ? backend : backend + QLatin1Char(' ') + samples; }
    /// What follows the backend's name: "49 · deit_lara".
    QString detail() const
    {
        return network.isEmpty() ? samples : samples + (samples.isEmpty() ? u"· "_s : u" · "_s) + network;
    }
    /// "lara 49 · deit_lara"
    QString title() const { return network.isEmpty() ? attention() : backend + QLatin1Char(' ') + detail(); }
    /// What its network was opened with, where the first one's is `run`.
    RunContext context(RunContext run) const;

    bool operator==(const ColumnSpec&) const = default;
};

struct InputEntry {
    QString path;      ///< as opened; for a pasted image its name
    QString name;      ///< last part of the path
    QByteArray bytes;  ///< a pasted image; empty for files
    bool pasted() const { return !bytes.isEmpty(); }
};

}
