#include "ui/workspace/settings.h"

#include "ui/style/qt_text.h"

#include "core/attention/attention_spec.h"
#include "core/base/archive.h"
#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/version.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>

namespace attnscope::ui {

namespace {

constexpr QLatin1String formKey("/form");

/// A value within its bounds, or an exception that says which was wrong: hand-edited files are input like any other.
template <typename Number>
Number bounded(const QSettings& file, const char* key, Number fallback, Number low, Number high)
{
    const QString name = QString::fromLatin1(key);
    if (!file.contains(name))
        return fallback;
    bool ok = false;
    const double value = file.value(name).toDouble(&ok);
    if (!ok || value < double(low) || value > double(high))
        throw FileError(key, "is out of range");
    return static_cast<Number>(value);
}

QString chosen(const QSettings& file, const char* key, const QString& fallback, const QStringList& allowed)
{
    const QString value = file.value(QString::fromLatin1(key), fallback).toString();
    if (!allowed.contains(value))
        throw FileError(key, "has an unknown value");
    return value;
}

void readContext(const QSettings& file, RunContext& context)
{
    context.model = file.value(u"run/model"_s).toString();
    context.weights = file.value(u"run/weights"_s, context.weights).toString();
    context.heads = bounded<int>(file, "run/heads", 0, 0, 4096);
    context.imageSize = InputSize::parse(fromQt(file.value(u"run/imageSize"_s, u"0"_s).toString()));
    context.classEmbeddings = file.value(u"run/classEmbeddings"_s).toString();
    context.device = file.value(u"run/device"_s, context.device).toString();
    context.dtype = chosen(file, "run/dtype", context.dtype, {u"float32"_s, u"bfloat16"_s, u"float16"_s});
    context.seed = bounded<quint64>(file, "run/seed", 0, 0, 999'999'999);
    context.views = toQt(ViewGrid::parse(fromQt(file.value(u"run/views"_s, context.views).toString())).name());
}

Settings read(const QString& path, QStringList& unknown)
{
    QFile raw(path);
    if (raw.open(QIODevice::ReadOnly) && raw.read(1 << 20).contains('\0'))
        throw FileError("", "holds binary data");
    const QSettings file(path, QSettings::IniFormat);
    if (file.status() != QSettings::NoError)
        throw FileError("", "is not an INI file");
    Settings out;
    out.theme = chosen(file, "look/theme", out.theme, {u"light"_s, u"dark"_s, u"system"_s});
    out.language = file.value(u"look/language"_s, out.language).toString();
    out.threads = bounded(file, "run/threads", out.threads, 0, 1024);
    out.seeds = bounded(file, "run/seeds", out.seeds, 1, 100);
    out.repetitions = bounded(file, "run/repetitions", out.repetitions, 1, 10'000);
    out.seconds = bounded(file, "run/seconds", out.seconds, 0.0, 600.0);
    out.residentNetworks = bounded(file, "run/residentNetworks", out.residentNetworks, 1, maxResidentNetworks);
    out.limits.imagePixels = bounded(file, "limits/imagePixels", out.limits.imagePixels, int64_t{1},
                                     int64_t{1} << 31);
    out.limits.imageBytes = bounded(file, "limits/imageBytes", out.limits.imageBytes, int64_t{1},
                                    int64_t{1} << 40);
    out.limits.imageSide = bounded(file, "limits/imageSide", out.limits.imageSide, int64_t{1}, int64_t{1} << 20);
    out.cropGibibytes = bounded(file, "evaluate/cropGibibytes", out.cropGibibytes, 0, maxCropGibibytes);
    readContext(file, out.context);
    const QStringList further = file.value(u"run/furtherCheckpoints"_s).toStringList();
    for (qsizetype i = 0; i + 2 < further.size(); i += 3)
        out.furtherCheckpoints.push_back({further[i], further[i + 1], further[i + 2].toInt()});
    for (const QString& spec : file.value(u"run/backends"_s).toStringList()) {
        try {
            AttentionSpec::parse(fromQt(spec));
            out.specs << spec;
        } catch (const Error&) {  // of another version: the rest is as good as it was
            unknown << spec;
        }
    }
    for (const QString& screen : file.childGroups())
        if (const QString form = file.value(screen + formKey).toString(); !form.isEmpty())
            out.forms.insert(screen, form);
    out.inputs = file.value(u"session/inputs"_s).toStringList();
    out.currentInput = bounded(file, "session/currentInput", out.currentInput, 0, 1'000'000);
    out.screen = file.value(u"session/screen"_s).toString();
    out.demoBar = file.value(u"look/demoBar"_s, true).toBool();
    out.geometry = file.value(u"window/geometry"_s).toByteArray();
    out.state = file.value(u"window/state"_s).toByteArray();
    return out;
}

/// Within a sentence of ours.
QString whatIsWrong(const Error& error)
{
    const QString subject = toQt(error.subject()),
                  reason = toQt(error.reason()).remove(QRegularExpression(u"\\.$"_s));
    return subject.isEmpty() ? reason : subject + QLatin1Char(' ') + reason;
}

/// Renames a damaged file, so that nothing of it is lost: to what. Empty: it cannot be renamed.
QString setAside(const QString& path)
{
    const QString aside = path + u".damaged"_s;
    QFile::remove(aside);
    return QFile::rename(path, aside) ? aside : QString();
}

struct SavedResults {
    std::string version;  ///< of the program: another one may mean another thing by the same members
    std::map<std::string, std::string> screens;
};

QString resultsPath(const QString& settingsPath)
{
    const QFileInfo settings(settingsPath);
    return settings.path() + QLatin1Char('/') + settings.completeBaseName() + u".results"_s;
}

}

QString defaultSettingsPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/attnscope/attnscope.ini"_s;
}

QString weightsFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/attnscope/weights"_s;
}

QString cropFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + u"/attnscope/crops"_s;
}

LoadedSettings loadSettings(const QString& path)
{
    if (!QFileInfo::exists(path))
        return {};
    try {
        QStringList unknown;
        const Settings settings = read(path, unknown);
        return {settings, unknown.isEmpty()
                              ? QString()
                              : tr("The settings contain backends that this build does not support (%1); they are "
                                   "skipped.")
                                    .arg(unknown.join(u", "_s))};
    } catch (const Error& error) {
        const QString aside = setAside(path);
        return {{},
                !aside.isEmpty()
                    ? tr("The settings file was damaged (%1); defaults are used and the file was kept as %2.")
                          .arg(whatIsWrong(error), aside)
                    : tr("The settings file is damaged (%1) and cannot be moved aside; defaults are used.")
                          .arg(whatIsWrong(error))};
    }
}

QString saveSettings(const QString& path, const Settings& settings)
{
    QDir().mkpath(QFileInfo(path).absolutePath());
    QSettings file(path, QSettings::IniFormat);  // itself writes a temporary file and renames it
    file.setValue(u"look/theme"_s, settings.theme);
    file.setValue(u"look/language"_s, settings.language);
    file.setValue(u"run/threads"_s, settings.threads);
    file.setValue(u"run/seeds"_s, settings.seeds);
    file.setValue(u"run/repetitions"_s, settings.repetitions);
    file.setValue(u"run/seconds"_s, settings.seconds);
    file.setValue(u"run/residentNetworks"_s, settings.residentNetworks);
    file.setValue(u"limits/imagePixels"_s, qint64(settings.limits.imagePixels));
    file.setValue(u"limits/imageBytes"_s, qint64(settings.limits.imageBytes));
    file.setValue(u"limits/imageSide"_s, qint64(settings.limits.imageSide));
    file.setValue(u"evaluate/cropGibibytes"_s, settings.cropGibibytes);
    file.setValue(u"run/model"_s, settings.context.model);
    file.setValue(u"run/weights"_s, settings.context.weights);
    file.setValue(u"run/heads"_s, settings.context.heads);
    file.setValue(u"run/imageSize"_s, toQt(settings.context.imageSize.text()));
    file.setValue(u"run/classEmbeddings"_s, settings.context.classEmbeddings);
    file.setValue(u"run/device"_s, settings.context.device);
    file.setValue(u"run/dtype"_s, settings.context.dtype);
    file.setValue(u"run/seed"_s, settings.context.seed);
    file.setValue(u"run/views"_s, settings.context.views);
    file.setValue(u"run/backends"_s, settings.specs);
    QStringList further;  // three of each
    for (const FurtherCheckpoint& checkpoint : settings.furtherCheckpoints)
        further << checkpoint.weights << checkpoint.model << QString::number(checkpoint.heads);
    file.setValue(u"run/furtherCheckpoints"_s, further);
    for (auto form = settings.forms.begin(); form != settings.forms.end(); ++form)
        file.setValue(form.key() + formKey, form.value());
    file.setValue(u"session/inputs"_s, settings.inputs);
    file.setValue(u"session/currentInput"_s, settings.currentInput);
    file.setValue(u"session/screen"_s, settings.screen);
    file.setValue(u"look/demoBar"_s, settings.demoBar);
    file.setValue(u"window/geometry"_s, settings.geometry);
    file.setValue(u"window/state"_s, settings.state);
    file.sync();
    return file.status() == QSettings::NoError
               ? QString()
               : tr("Settings could not be saved to %1; check that the folder is writable.").arg(path);
}

QString saveResults(const QString& settingsPath, const std::map<std::string, std::string>& results)
{
    const QString path = resultsPath(settingsPath);
    if (results.empty()) {
        QFile::remove(path);
        return {};
    }
    try {
        writeFileAtomically(fromQt(path), archived(SavedResults{attnscope::version, results}));
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

LoadedResults loadResults(const QString& settingsPath)
{
    QFile file(resultsPath(settingsPath));
    if (!file.exists())
        return {};
    try {
        if (!file.open(QIODevice::ReadOnly))
            throw FileError("", "cannot be opened");
        const QByteArray bytes = file.readAll();
        auto saved = unarchived<SavedResults>({bytes.constData(), size_t(bytes.size())});
        if (saved.version != attnscope::version)
            throw FileError("", "was written by Attnscope " + saved.version);
        return {std::move(saved.screens), {}};
    } catch (const Error& error) {
        const QString aside = setAside(file.fileName());
        return {
            {},
            !aside.isEmpty()
                ? tr("The results of the last session cannot be shown (their file %1); it was kept as %2.")
                      .arg(whatIsWrong(error), aside)
                : tr("The results of the last session cannot be shown (their file %1).").arg(whatIsWrong(error))};
    }
}

}
