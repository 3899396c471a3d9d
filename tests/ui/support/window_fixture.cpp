#include "tests/ui/support/window_fixture.h"

#include "ui/style/attn_style.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>

namespace attnscope::ui::test {

using namespace Qt::StringLiterals;

void prepareApplication()
{
    static bool done = false;
    if (done)
        return;
    done = true;
    static const QTemporaryDir data;  // what the program keeps of its own is no business of who runs tests
    qputenv("XDG_DATA_HOME", data.path().toUtf8());
    useResources();
    QApplication::setStyle(new AttnStyle);
    setBodyFont(10, qEnvironmentVariable("ATTNSCOPE_TEST_FONT"));
    applyTheme(u"light"_s);
}

namespace {

WindowOptions withTraining(const TrainingBackend& training)
{
    WindowOptions options;
    options.training = training;
    return options;
}

}

WindowFixture::WindowFixture(const QString& theme, QSize size, const TrainingBackend& training)
    : WindowFixture(theme, size, withTraining(training))
{}

WindowFixture::WindowFixture(const QString& theme, QSize size, const WindowOptions& more, int classes)
{
    behaviour->classes = classes;
    prepareApplication();
    applyTheme(theme);
    WindowOptions options = more;
    options.loaded.settings.theme = theme;
    window = std::make_unique<MainWindow>(engine, options, screens(options));
    window->resize(size);
    window->show();
    if (!QTest::qWaitForWindowExposed(window.get()))
        qFatal("the window did not appear");
}

QStringList WindowFixture::images(int count, const QString& stem)
{
    QStringList paths;
    for (int i = 0; i < count; ++i) {
        const QString path = folder.filePath(u"%1%2.png"_s.arg(stem).arg(i + 1));
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write("Picture");
        paths << path;
    }
    return paths;
}

QString WindowFixture::brokenImage()
{
    const QString path = folder.filePath(u"page.jpg"_s);
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write("<html>");
    return path;
}

bool WindowFixture::waitIdle(int milliseconds)
{
    const bool idle = QTest::qWaitFor([this] { return !window->session<CompareSession>()->isRunning(); },
                                      milliseconds);
    QTest::qWait(80);  // pages gather changes before they draw
    return idle;
}

QImage WindowFixture::shot(const QString& name)
{
    return shotOf(*window, name);
}

QImage shotOf(QWidget& widget, const QString& name)
{
    const QImage image = widget.grab().toImage();
    const QString where = qEnvironmentVariable("ATTNSCOPE_SHOTS");
    if (!where.isEmpty() && QDir().mkpath(where))
        image.save(where + QLatin1Char('/') + name + u".png"_s);
    return image;
}

}
