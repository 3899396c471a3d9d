#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QSize>
#include <QStringList>

#include <vector>

class QTimer;

namespace attnscope::ui {

class MainWindow;

/// What `--screenshot` saves, and when.
struct ScreenshotRequest {
    QString path;
    QStringList themes;        ///< empty: the window's
    std::vector<QSize> sizes;  ///< empty: the window's
    bool run = false;          ///< presses Run on the screen first
    double seconds = 0;        ///< not before
};

/// Where the image of a theme and a size goes: `path` itself, or with several of them "FILE-dark-1024x640.png".
QString screenshotPath(const ScreenshotRequest& request, const QString& theme, QSize size);

/// Waits until nothing runs in the window any more, saves its images, and ends the program.
class Screenshots : public QObject {
    Q_OBJECT
public:
    Screenshots(MainWindow& window, const ScreenshotRequest& request);

private:
    void look();
    /// One sentence when an image could not be written.
    QString save();

    MainWindow& m_window;
    ScreenshotRequest m_request;
    QTimer* m_timer;
    QElapsedTimer m_clock, m_quiet;
    bool m_hasRun = false;  ///< something, without being asked by `run`
};

}
