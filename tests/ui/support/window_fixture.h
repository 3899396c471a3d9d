#pragma once

#include "tests/ui/support/fake_workbench.h"
#include "ui/compare/compare_session.h"
#include "ui/window/main_window.h"
#include "ui/window/screens.h"

#include <QTemporaryDir>
#include <QTest>

namespace attnscope::ui {

using namespace Qt::StringLiterals;

/// What a window and its screens are made with.
struct WindowOptions : MainWindow::Options, ScreenBackends {};

}

/// A whole window over the fake engine, and images to drop into it.
namespace attnscope::ui::test {

class WindowFixture {
public:
    explicit WindowFixture(const QString& theme = u"light"_s, QSize size = {1280, 800},
                           const TrainingBackend& training = {});
    /// `more` is what the window is made with besides theme and settings; `classes` those of the network, 0 for one without a head.
    WindowFixture(const QString& theme, QSize size, const WindowOptions& more, int classes = 1000);

    /// Writes `count` files that the fake engine takes for images.
    QStringList images(int count, const QString& stem = u"photo"_s);
    QString brokenImage();
    bool waitIdle(int milliseconds = 20'000);
    /// Saves an image of the window where ATTNSCOPE_SHOTS says, if it says so.
    QImage shot(const QString& name);

    QTemporaryDir folder;
    std::shared_ptr<FakeBehaviour> behaviour = std::make_shared<FakeBehaviour>();
    Engine engine{fakeWorkbench(behaviour)};
    std::unique_ptr<MainWindow> window;
};

/// Saves an image of a widget where ATTNSCOPE_SHOTS says, if it says so.
QImage shotOf(QWidget& widget, const QString& name);

/// The application of every UI test: our style, our font, light theme.
void prepareApplication();

}
