#pragma once

#include "tests/ui/support/fake_layers.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/layers/layers_page.h"
#include "ui/style/qt_text.h"

namespace attnscope::ui::test {

using namespace Qt::StringLiterals;

inline WindowOptions layersOptions(const std::shared_ptr<LayerScript>& script)
{
    WindowOptions options;
    options.layers = scriptedLayers(script);
    options.loaded.settings.specs = {u"softmax"_s, u"performer"_s, u"lara"_s};
    return options;
}

/// A window on the Layers screen with an image inspected.
struct LayersFixture {
    explicit LayersFixture(const QString& theme = u"light"_s, QSize size = {1280, 800})
        : window(theme, size, layersOptions(script))
    {}

    bool inspect(const QStringList& paths = {})
    {
        window.window->showScreen(u"layers"_s);
        window.window->takePaths(paths.isEmpty() ? window.images(1, u"cat"_s) : paths);
        return settled();
    }
    bool settled()
    {
        const bool done = QTest::qWaitFor(
            [this] {
                return session().inspection() != nullptr && !session().isRunning() && !session().asksMaps();
            },
            20'000);
        QTest::qWait(40);
        return done;
    }
    /// The one whose backend that is.
    void show(const QString& backend)
    {
        const auto& all = session().inspection()->attention;
        for (size_t i = 0; i < all.size(); ++i)
            if (toQt(all[i].backend) == backend)
                session().setAttention(int(i));
    }

    LayersSession& session() { return *window.window->session<LayersSession>(); }
    LayersPage& page() { return *window.window->page<LayersPage>(); }
    LayerDetails& details() { return *page().details(); }

    std::shared_ptr<LayerScript> script = std::make_shared<LayerScript>();
    WindowFixture window;
};

}
