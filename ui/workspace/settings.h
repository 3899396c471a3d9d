#pragma once

#include "ui/engine/compare_types.h"

#include "core/base/limits.h"
#include "ui/style/qt_text.h"

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

#include <map>
#include <string>

namespace attnscope::ui {

inline constexpr int maxCropGibibytes = 100'000, maxResidentNetworks = 64;

/// What is remembered between starts. Defaults are those of a first start.
struct Settings {
    QString theme = u"system"_s;     ///< light | dark | system
    QString language = u"system"_s;  ///< or the code of one (ui/style/language.h)
    int threads = 0;                 ///< 0: one a core
    int seeds = 3;                   ///< draws over which errors are averaged
    int repetitions = 20;            ///< at least, a backend
    double seconds = 1;              ///< at least, a backend
    int residentNetworks = 2;        ///< at most, of those that nobody works with
    Limits limits;
    int cropGibibytes = 0;  ///< of images that evaluations keep for the next one; 0: none
    RunContext context;
    std::vector<FurtherCheckpoint> furtherCheckpoints;
    QStringList specs;             ///< ticked backends; empty: the first start's
    QMap<QString, QString> forms;  ///< what the forms of screens hold, by the screen's name
    QStringList inputs;            ///< files that were open in Compare
    int currentInput = 0;
    QString screen;       ///< that was shown; empty: the first
    bool demoBar = true;  ///< says above the screens what the demo models are
    QByteArray geometry, state;

    bool operator==(const Settings&) const = default;
};

/// Where settings live: `attnscope/attnscope.ini` in the XDG configuration folder.
QString defaultSettingsPath();

/// Where trained weights go unless another place is named: `attnscope/weights` in the XDG data folder.
QString weightsFolder();

/// Where evaluations keep images' crops: `attnscope/crops` in the XDG cache folder.
QString cropFolder();

struct LoadedSettings {
    Settings settings;
    QString problem;  ///< one sentence when the file was damaged and set aside, or what in it was left out
};

/// Never fails: a damaged file is renamed to `….damaged` and the defaults are used. Attentions that this build does not know are left out.
LoadedSettings loadSettings(const QString& path);
/// Written to a temporary file and renamed. Returns a sentence when that failed.
QString saveSettings(const QString& path, const Settings& settings);

/// What screens showed (Session::savedResults) by their names, for the next start: a file next to the settings. Returns a sentence when
/// writing failed.
QString saveResults(const QString& settingsPath, const std::map<std::string, std::string>& results);

struct LoadedResults {
    std::map<std::string, std::string> screens;
    QString problem;  ///< one sentence when the file was set aside
};

/// Never fails: a file that this version of the program cannot read is renamed to `….damaged`.
LoadedResults loadResults(const QString& settingsPath);

}
