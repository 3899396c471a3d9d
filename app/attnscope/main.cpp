#include "app/attnscope/screenshots.h"
#include "app/attnscope/single_window.h"
#include "app/brief_waiting.h"
#include "ui/style/attn_style.h"
#include "ui/style/language.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/window/main_window.h"
#include "ui/window/screens.h"

#include "core/archive/open_archive.h"
#include "core/attention/plugin/plugin.h"
#include "core/base/error.h"
#include "core/base/version.h"
#include "core/device/cuda/cuda_libraries.h"
#include "core/device/freed_memory.h"
#include "core/kernels/linear_timings.h"
#include "models/export/export_network.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QFontDatabase>
#include <QIcon>
#include <QPointer>
#include <QProcess>
#include <QSocketNotifier>
#include <QStandardPaths>
#include <QTextStream>

#include <algorithm>
#include <clocale>
#include <csignal>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace {

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;

struct Arguments {
    QStringList files, weights, attention, themes, sizes;
    QString screenshot, after, screen, settings, store, model, language;
    bool demo = false, run = false, newWindow = false;
};

[[noreturn]] void refuse(const QString& sentence)
{
    QTextStream(stderr) << sentence << Qt::endl;
    std::exit(2);
}

Arguments parse(const QCoreApplication& app)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QApplication::tr("Vision transformers with efficient attention, side by side."));
    parser.addHelpOption();
    parser.addVersionOption();
    const auto option = [&parser](const char* name, const QString& help, const char* value = nullptr) {
        parser.addOption(QCommandLineOption(QString::fromLatin1(name), help,
                                            value == nullptr ? QString() : QString::fromLatin1(value)));
    };
    option("demo", QApplication::tr("Compare on the demo image right away."));
    option("theme", QApplication::tr("light, dark or system; may be repeated for screenshots."), "NAME");
    option("language", QApplication::tr("en, de, zh_CN or system."), "CODE");
    option("model", QApplication::tr("Name of the model."), "NAME");
    option("weights",
           QApplication::tr("Checkpoint, or untrained; may be repeated for further networks to compare."), "FILE");
    option("attention", QApplication::tr("Backend to select; may be repeated."), "SPEC");
    option("plugin",
           QApplication::tr("Your own attention: a TorchScript module or a library, which runs with all your "
                            "rights; may be repeated."),
           "FILE");
    option("screenshot",
           QApplication::tr("Run, save a screenshot of the window once everything has been measured, and exit. "
                            "With several themes or sizes: FILE-dark-1024x640.png and so on."),
           "FILE.png");
    option("run", QApplication::tr("Run what the screen shows before the screenshot."));
    option("after", QApplication::tr("Seconds to wait at least before the screenshot."), "SECONDS");
    option(
        "screen",
        QApplication::tr("Screen to show first and to open files on: compare, live, layers, batch, scale, train, "
                         "results or neighbours."),
        "NAME");
    option("size", QApplication::tr("Window size, for example 1280x800; may be repeated for screenshots."), "WxH");
    option("new-window", QApplication::tr("Opens a window of its own even if there is one. Otherwise files go to "
                                          "that window, unless other options are given."));
    option("settings", QApplication::tr("Settings file to use instead of the default one."), "FILE");
    option("store", QApplication::tr("Results store to use instead of the default one."), "FILE");
    parser.addPositionalArgument(u"FILES"_s, QApplication::tr("Images or a checkpoint to open."), u"[FILES…]"_s);
    parser.process(app);
    const auto value = [&parser](const char* name) { return parser.value(QString::fromLatin1(name)); };
    const auto values = [&parser](const char* name) { return parser.values(QString::fromLatin1(name)); };
    // The next start, which opens them again, may be elsewhere.
    const auto absolute = [](const QString& path) {
        return QFileInfo::exists(path) ? QFileInfo(path).absoluteFilePath() : path;
    };
    QStringList files, weights;
    for (const QString& file : parser.positionalArguments())
        files << absolute(file);
    for (const QString& file : values("weights"))
        weights << absolute(file);
    return {files,
            weights,
            values("attention"),
            values("theme"),
            values("size"),
            value("screenshot"),
            value("after"),
            value("screen"),
            value("settings"),
            value("store"),
            absolute(value("model")),
            value("language"),
            parser.isSet(u"demo"_s),
            parser.isSet(u"run"_s),
            parser.isSet(u"new-window"_s)};
}

/// Takes Qt's messages while it looks for a display: where there is none, it would abort the program.
void endWithoutDisplay(QtMsgType type, const QMessageLogContext&, const QString& message)
{
    static QString first;  // the later ones are about plug-ins
    if (first.isEmpty())
        first = message.section(QLatin1Char('\n'), 0, 0).trimmed();
    if (type != QtFatalMsg)
        return;
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")
        && !first.contains(u"plugin"_s))
        first = u"neither DISPLAY nor WAYLAND_DISPLAY is set"_s;
    QTextStream(stderr) << "attnscope: no window can be opened: " << first
                        << "; start it in a desktop session, or use attnscope-cli, which needs none." << Qt::endl;
    std::_Exit(1);
}

/// Files, or nothing at all: what a window that is there already can do as well.
bool isOnlyFiles(const Arguments& arguments)
{
    return !arguments.newWindow && !arguments.demo
           && (arguments.attention + arguments.weights + arguments.themes).isEmpty() && arguments.sizes.isEmpty()
           && (arguments.screenshot + arguments.screen + arguments.store + arguments.model + arguments.language)
                  .isEmpty();
}

/// Whether the program only prints, for which no display is needed. (--help-all lists the options of Qt too, which knows them with one.)
bool textIsRequested(int argc, char** argv)
{
    static const std::set<std::string_view> texts{"-h", "--help", "-v", "--version"};
    return std::any_of(argv + 1, argv + argc, [](const char* word) { return texts.contains(word); });
}

QSize sizeOf(const QString& text)
{
    const QStringList parts = text.split(QLatin1Char('x'));
    const QSize size = parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
    if (size.width() < 320 || size.height() < 240 || size.width() > 8192 || size.height() > 8192)
        refuse(
            QApplication::tr("--size %1: invalid window size; use WIDTHxHEIGHT, for example 1280x800.").arg(text));
    return size;
}

double secondsOf(const QString& text)
{
    bool ok = text.isEmpty();
    const double seconds = ok ? 0 : text.toDouble(&ok);
    if (!ok || !(seconds >= 0 && seconds <= 3600))
        refuse(QApplication::tr("--after %1: invalid time; use seconds from 0 to 3600.").arg(text));
    return seconds;
}

void checkScreen(const QString& name, const std::vector<Screen>& screens)
{
    QStringList names;
    for (const Screen& screen : screens)
        names << screen.name;
    if (!name.isEmpty() && !names.contains(name))
        refuse(
            QApplication::tr("--screen %1: unknown screen; the screens are %2.").arg(name, names.join(u", "_s)));
}

/// A file or folder where the program is installed, else where it was built. Empty when it is in neither.
QString installedFile(const QString& name, const QString& built)
{
    for (const QString& path : {QCoreApplication::applicationDirPath() + u"/../share/attnscope/"_s + name, built})
        if (QFileInfo::exists(path))
            return QFileInfo(path).canonicalFilePath();
    return {};
}

QString demoFile(const QString& name)
{
    return installedFile(u"demo/"_s + name, QStringLiteral(ATTNSCOPE_DEMO_DIR "/") + name);
}

/// attnscope-cli next to this program, or in the folder that the build puts it in.
QString commandLineProgram()
{
    const QString here = QCoreApplication::applicationDirPath(), name = u"/attnscope-cli"_s;
    return QFileInfo::exists(here + name) ? here + name : here + u"/../cli"_s + name;
}

LoadedSettings settingsFor(const Arguments& arguments, const QString& path)
{
    LoadedSettings loaded = loadSettings(path);
    Settings& settings = loaded.settings;
    for (const QString& theme : arguments.themes) {
        if (!QStringList{u"light"_s, u"dark"_s, u"system"_s}.contains(theme))
            refuse(
                QApplication::tr("--theme %1: unknown theme; the themes are light, dark and system.").arg(theme));
        settings.theme = arguments.themes.front();
    }
    if (!arguments.language.isEmpty()) {
        if (arguments.language != "system"_L1 && languageFor(arguments.language) != arguments.language)
            refuse(QApplication::tr("--language %1: there is no such translation; give en, de, zh_CN or system.")
                       .arg(arguments.language));
        settings.language = arguments.language;
    }
    if (!arguments.model.isEmpty())
        settings.context.model = arguments.model;
    if (!arguments.weights.isEmpty()) {
        settings.context.weights = arguments.weights.front();
        settings.furtherCheckpoints.clear();
        for (const QString& further : arguments.weights.mid(1))
            settings.furtherCheckpoints.push_back({further});
    }
    // Somebody who has not chosen a model yet begins with the trained one that comes along.
    const QString checkpoint = demoFile(u"models/deit.safetensors"_s);
    const bool isChosen = !settings.context.model.isEmpty() || settings.context.weights != "untrained"_L1;
    if (arguments.model.isEmpty() && arguments.weights.isEmpty() && !isChosen && !checkpoint.isEmpty())
        settings.context.weights = checkpoint;
    if (!arguments.attention.isEmpty())
        settings.specs = arguments.attention;
    try {
        for (const QString& spec : settings.specs)
            AttentionSpec::parse(fromQt(spec));
    } catch (const Error& error) {
        refuse(QString::fromUtf8(error.what()));
    }
    return loaded;
}

/// The files of --plugin, taken out of the arguments: Qt has an option of this name for itself.
std::vector<std::string> takePlugins(int& argc, char** argv)
{
    constexpr std::string_view name = "--plugin", withValue = "--plugin=";
    std::vector<std::string> files;
    int kept = 1;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == name && i + 1 < argc)
            files.emplace_back(argv[++i]);
        else if (word.starts_with(withValue))
            files.emplace_back(word.substr(withValue.size()));
        else
            argv[kept++] = argv[i];
    }
    argc = kept;
    argv[argc] = nullptr;
    return files;
}

/// Before anything uses the table of backends.
void loadPlugins(const std::vector<std::string>& files)
{
    try {
        for (const std::string& file : files)
            loadPlugin(file);
    } catch (const Error& error) {
        refuse(QString::fromUtf8(error.what()));
    }
}

ScreenBackends screenBackends(const QString& store)
{
    const std::string photographs = fromQt(demoFile(u"photos"_s));
    ScreenBackends backends;
    backends.training = coreTraining(photographs);
    backends.evaluation = coreEvaluation(photographs);
    backends.scale = coreScale();
    backends.exits = coreExits();
    backends.neighbours = coreNeighbours(photographs);
    backends.storePath = store.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
                                               + u"/attnscope/results.sqlite"_s
                                         : QFileInfo(store).absoluteFilePath();
    return backends;
}

/// Another process of this program, with one plug-in more.
void startAgain(const QString& settings, const QString& store, const std::vector<std::string>& plugins,
                const QString& plugin)
{
    QStringList arguments{u"--settings"_s, settings};
    if (!store.isEmpty())
        arguments << u"--store"_s << store;
    for (const std::string& each : plugins)
        arguments << u"--plugin"_s << toQt(each);
    QProcess::startDetached(QCoreApplication::applicationFilePath(), arguments << u"--plugin"_s << plugin);
}

/// The program started again with the same settings hands its files over to this window.
void takeFilesOfLaterStarts(MainWindow& window, const QString& settings)
{
    auto* single = new SingleWindow(settings, &window);
    QObject::connect(single, &SingleWindow::filesHandedOver, &window, [&window](const QStringList& files) {
        window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
        window.raise();
        window.activateWindow();
        if (!files.isEmpty())
            window.takePaths(files);
    });
}

int signalPipe[2];

/// SIGTERM, SIGINT and SIGHUP close the window without a question; a second one ends the program at once.
void endOnSignals(MainWindow& window)
{
    if (::pipe2(signalPipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    struct sigaction action {
    }, before{};
    action.sa_handler = [](int) { [[maybe_unused]] const auto written = ::write(signalPipe[1], "!", 1); };
    action.sa_flags = SA_RESTART | SA_RESETHAND;
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)  // by nohup
            ::sigaction(signal, &action, nullptr);
    const auto* arrived = new QSocketNotifier(signalPipe[0], QSocketNotifier::Read, &window);
    QObject::connect(
        arrived, &QSocketNotifier::activated, &window,
        [&window] {
            window.end();
            QCoreApplication::exit();  // `quit` would ask
        },
        Qt::SingleShotConnection);
}

/// The window cannot say this itself.
void warnOfMissingFonts()
{
    if (QFontDatabase::families(QFontDatabase::Latin).isEmpty())
        QTextStream(stderr) << "No font is installed, so the window shows boxes for letters; install fonts-inter "
                               "or any other font."
                            << Qt::endl;
}

/// Files and --demo belong on the requested screen.
void openRequested(MainWindow& window, const Arguments& arguments)
{
    const QString screen = arguments.screen.isEmpty() ? window.screen() : arguments.screen;
    window.showScreen(screen);
    if (!arguments.files.isEmpty()) {
        window.takePaths(arguments.files);
    } else if (arguments.demo) {
        if (arguments.model.isEmpty() && arguments.weights.isEmpty() && arguments.attention.isEmpty())
            window.tryDemo();
        else if (!window.page()->tryDemo())
            window.takePaths({window.workspace().demoImage()});  // in that network, under those attentions
        window.showScreen(screen);
    }
}

}

int main(int argc, char** argv)
{
    attnscope::waitBriefly(argv);
    if (attnscope::prepareForCuda())
        ::execv("/proc/self/exe", argv);  // only returns when the program cannot be started again
    attnscope::restoreEnvironment();
    const std::vector<std::string> plugins = takePlugins(argc, argv);
    QCoreApplication::setApplicationName(u"attnscope"_s);
    QCoreApplication::setApplicationVersion(toQt(attnscope::version));
    if (textIsRequested(argc, argv)) {
        QCoreApplication app(argc, argv);
        parse(app);  // ends the program, unless the word was the value of an option
    }
    attnscope::keepFreedMemory();
    std::signal(SIGXFSZ,
                SIG_IGN);  // a file that reaches the limit of its size is an error of `write`, like a full disk
    QApplication::setStyle(new AttnStyle);
    qInstallMessageHandler(endWithoutDisplay);
    QApplication app(argc, argv);
    qInstallMessageHandler(nullptr);
    // Qt takes over the desktop's locale, in which the C library, and whoever reads numbers by it, may want a decimal comma.
    std::setlocale(LC_NUMERIC, "C");
    useResources();
    if (const QString cache = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation);
        !cache.isEmpty()) {
        attnscope::kernels::keepLinearTimings(fromQt(cache) + "/attnscope/linear_layers.json");
        attnscope::keepListings(fromQt(cache) + "/attnscope/listings");
    }
    QApplication::setApplicationDisplayName(u"Attnscope"_s);
    QApplication::setWindowIcon(QIcon(u":/icons/attnscope.svg"_s));
    QApplication::setDesktopFileName(u"attnscope"_s);
    const Arguments arguments = parse(app);
    const bool photographing = !arguments.screenshot.isEmpty();
    const QString path = !arguments.settings.isEmpty() ? arguments.settings
                         : photographing               ? QString()
                                                       : defaultSettingsPath();
    if (plugins.empty() && isOnlyFiles(arguments) && SingleWindow::handOver(path, arguments.files))
        return 0;
    loadPlugins(plugins);
    // Before there are threads that an exit would cut off.
    std::vector<QSize> sizes;
    for (const QString& size : arguments.sizes)
        sizes.push_back(sizeOf(size));
    const double after = secondsOf(arguments.after);
    QPointer<MainWindow> window;  // made last
    MainWindow::Options options{path, settingsFor(arguments, path), demoFile(u"photos/cat.jpg"_s),
                                installedFile(u"docs"_s, QStringLiteral(ATTNSCOPE_DOCS_DIR)),
                                commandLineProgram()};
    options.exportNetwork = exportNetwork;
    options.restartWithPlugin = [&window, &plugins, &arguments, path](const QString& file) {
        if (window->close())
            startAgain(path, arguments.store, plugins, file);
    };
    useLanguage(app, options.loaded.settings.language);
    const std::vector<Screen> all = screens(screenBackends(arguments.store));
    checkScreen(arguments.screen, all);
    if (photographing && arguments.attention.isEmpty())
        options.loaded.settings.geometry.clear();
    setBodyFont();
    warnOfMissingFonts();
    applyTheme(options.loaded.settings.theme);
    new FocusRing(&app);
    Engine engine(coreWorkbench());
    MainWindow shown(engine, options, all);
    window = &shown;
    if (photographing || !sizes.empty())
        shown.resize(sizes.empty() ? QSize(1280, 800) : sizes.front());
    shown.show();
    endOnSignals(shown);
    if (!photographing) {
        takeFilesOfLaterStarts(shown, path);
        if (arguments.files.isEmpty() && !arguments.demo)
            shown.restoreSession();
        shown.restoreResults();
    }
    openRequested(shown, arguments);
    if (photographing)
        new Screenshots(shown, {arguments.screenshot, arguments.themes, sizes, arguments.run, after});
    return QApplication::exec();
}
