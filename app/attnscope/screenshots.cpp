#include "app/attnscope/screenshots.h"

#include "ui/window/main_window.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QFileInfo>
#include <QTextStream>
#include <QTimer>

namespace attnscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int lookEvery = 100, quietFor = 1'500, drawnAfter = 500;  // milliseconds
constexpr int patience = 120'000;                                   // for a model, and for something to run

void wait(int milliseconds)
{
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

}

QString screenshotPath(const ScreenshotRequest& request, const QString& theme, QSize size)
{
    const QFileInfo file(request.path);
    QString name = file.path() + QLatin1Char('/') + file.completeBaseName();
    if (request.themes.size() > 1)
        name += QLatin1Char('-') + theme;
    if (request.sizes.size() > 1)
        name += u"-%1x%2"_s.arg(size.width()).arg(size.height());
    return name + QLatin1Char('.') + (file.suffix().isEmpty() ? u"png"_s : file.suffix());
}

Screenshots::Screenshots(MainWindow& window, const ScreenshotRequest& request)
    : QObject(&window)
    , m_window(window)
    , m_request(request)
    , m_timer(new QTimer(this))
{
    m_clock.start();
    m_quiet.start();
    connect(m_timer, &QTimer::timeout, this, &Screenshots::look);
    m_timer->start(lookEvery);
}

void Screenshots::look()
{
    if (m_window.isRunning()) {
        m_quiet.restart();
        m_hasRun = true;
        return;
    }
    const bool patient = m_quiet.elapsed() < patience;
    if (m_quiet.elapsed() < quietFor || m_clock.elapsed() < qint64(m_request.seconds * 1000)
        || (m_window.workspace().model() == nullptr && patient))
        return;
    // What --demo has run by itself need not run again.
    const bool ran = m_hasRun && !m_window.page()->canRun();
    if (m_request.run && !ran && (m_window.page()->canRun() || patient)) {
        if (m_window.page()->canRun()) {
            m_request.run = false;
            m_window.page()->run();
            m_quiet.restart();
        }
        return;
    }
    m_timer->stop();
    const QString problem = m_request.run && !ran
                                ? tr("--run: there is nothing to run on this screen; name files or use --demo.")
                                : save();
    if (!problem.isEmpty())
        QTextStream(stderr) << problem << Qt::endl;
    QCoreApplication::exit(problem.isEmpty() ? 0 : 2);
}

QString Screenshots::save()
{
    for (const QString& theme : m_request.themes.isEmpty() ? QStringList{QString()} : m_request.themes)
        for (const QSize& size : m_request.sizes.empty() ? std::vector{m_window.size()} : m_request.sizes) {
            if (!theme.isEmpty())
                m_window.setTheme(theme);
            m_window.resize(size);
            wait(drawnAfter);
            const QString path = screenshotPath(m_request, theme, size);
            if (!m_window.grab().save(path))
                return tr("%1: cannot be written; choose a writable folder.").arg(path);
        }
    return {};
}

}
