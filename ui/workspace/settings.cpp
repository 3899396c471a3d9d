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
    context.model = file.value(QStringLiteral("run/model")).toString();
    context.weights = file.value(QStringLiteral("run/weights"), context.weights).toString();
    context.heads = bounded<int>(file, "run/heads", 0, 0, 4096);
    context.imageSize = InputSize::parse(
        fromQt(file.value(QStringLiteral("run/imageSize"), QStringLiteral("0")).toString()));
    context.classEmbeddings = file.value(QStringLiteral("run/classEmbeddings")).toString();
    context.device = file.value(QStringLiteral("run/device"), context.device).toString();
    context.dtype = chosen(file, "run/dtype", context.dtype,
                           {QStringLiteral("float32"), QStringLiteral("bfloat16"), QStringLiteral("float16")});
    context.seed = bounded<quint64>(file, "run/seed", 0, 0, 999'999'999);
    context.views = toQt(
        ViewGrid::parse(fromQt(file.value(QStringLiteral("run/views"), context.views).toString())).name());
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
    out.theme = chosen(file, "look/theme", out.theme,
                       {QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("system")});
    out.language = file.value(QStringLiteral("look/language"), out.language).toString();
    out.threads = bounded(file, "run/threads", out.threads, 0, 1024);
    out.seeds = bounded(file, "run/seeds", out.seeds, 1, 100);
    out.repetitions = bounded(file, "run/repetitions", out.repetitions, 1, 10'000);
    out.seconds = bounded(file, "run/seconds", out.seconds, 0.0, 600.0);
    out.limits.imagePixels = bounded(file, "limits/imagePixels", out.limits.imagePixels, std::int64_t{1},
                                     std::int64_t{1} << 31);
    out.limits.imageBytes = bounded(file, "limits/imageBytes", out.limits.imageBytes, std::int64_t{1},
                                    std::int64_t{1} << 40);
    out.limits.imageSide = bounded(file, "limits/imageSide", out.limits.imageSide, std::int64_t{1},
                                   std::int64_t{1} << 20);
    out.cropGibibytes = bounded(file, "evaluate/cropGibibytes", out.cropGibibytes, 0, mostCropGibibytes);
    readContext(file, out.context);
    for (const QString& spec : file.value(QStringLiteral("run/backends")).toStringList()) {
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
    out.inputs = file.value(QStringLiteral("session/inputs")).toStringList();
    out.currentInput = bounded(file, "session/currentInput", out.currentInput, 0, 1'000'000);
    out.screen = file.value(QStringLiteral("session/screen")).toString();
    out.demoBar = file.value(QStringLiteral("look/demoBar"), true).toBool();
    out.geometry = file.value(QStringLiteral("window/geometry")).toByteArray();
    out.state = file.value(QStringLiteral("window/state")).toByteArray();
    return out;
}

/// Within a sentence of ours.
QString whatIsWrong(const Error& error)
{
    const QString subject = toQt(error.subject()),
                  reason = toQt(error.reason()).remove(QRegularExpression(QStringLiteral("\\.$")));
    return subject.isEmpty() ? reason : subject + QLatin1Char(' ') + reason;
}

/// Renames a damaged file, so that nothing of it is lost: to what. Empty: it cannot be renamed.
QString setAside(const QString& path)
{
    const QString aside = path + QStringLiteral(".damaged");
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
    return settings.path() + QLatin1Char('/') + settings.completeBaseName() + QStringLiteral(".results");
}

}

QString defaultSettingsPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation)
           + QStringLiteral("/attnscope/attnscope.ini");
}

QString weightsFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
           + QStringLiteral("/attnscope/weights");
}

QString cropFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation)
           + QStringLiteral("/attnscope/crops");
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
                                    .arg(unknown.join(QStringLiteral(", ")))};
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
    file.setValue(QStringLiteral("look/theme"), settings.theme);
    file.setValue(QStringLiteral("look/language"), settings.language);
    file.setValue(QStringLiteral("run/threads"), settings.threads);
    file.setValue(QStringLiteral("run/seeds"), settings.seeds);
    file.setValue(QStringLiteral("run/repetitions"), settings.repetitions);
    file.setValue(QStringLiteral("run/seconds"), settings.seconds);
    file.setValue(QStringLiteral("limits/imagePixels"), qint64(settings.limits.imagePixels));
    file.setValue(QStringLiteral("limits/imageBytes"), qint64(settings.limits.imageBytes));
    file.setValue(QStringLiteral("limits/imageSide"), qint64(settings.limits.imageSide));
    file.setValue(QStringLiteral("evaluate/cropGibibytes"), settings.cropGibibytes);
    file.setValue(QStringLiteral("run/model"), settings.context.model);
    file.setValue(QStringLiteral("run/weights"), settings.context.weights);
    file.setValue(QStringLiteral("run/heads"), settings.context.heads);
    file.setValue(QStringLiteral("run/imageSize"), toQt(settings.context.imageSize.text()));
    file.setValue(QStringLiteral("run/classEmbeddings"), settings.context.classEmbeddings);
    file.setValue(QStringLiteral("run/device"), settings.context.device);
    file.setValue(QStringLiteral("run/dtype"), settings.context.dtype);
    file.setValue(QStringLiteral("run/seed"), settings.context.seed);
    file.setValue(QStringLiteral("run/views"), settings.context.views);
    file.setValue(QStringLiteral("run/backends"), settings.specs);
    for (auto form = settings.forms.begin(); form != settings.forms.end(); ++form)
        file.setValue(form.key() + formKey, form.value());
    file.setValue(QStringLiteral("session/inputs"), settings.inputs);
    file.setValue(QStringLiteral("session/currentInput"), settings.currentInput);
    file.setValue(QStringLiteral("session/screen"), settings.screen);
    file.setValue(QStringLiteral("look/demoBar"), settings.demoBar);
    file.setValue(QStringLiteral("window/geometry"), settings.geometry);
    file.setValue(QStringLiteral("window/state"), settings.state);
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
        auto saved = unarchived<SavedResults>({bytes.constData(), std::size_t(bytes.size())});
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
