#pragma once

#include "tests/ui/support/scripted_scale.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/scale/decode/mechanism_list.h"
#include "ui/scale/decode/mechanisms_panel.h"
#include "ui/scale/scale_page.h"
#include "ui/scale/scale_tab.h"
#include "ui/scale/tensors/tensor_source.h"
#include "ui/widgets/number_fields.h"
#include "ui/widgets/page_head.h"

#include <QCheckBox>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QLineEdit>

namespace attnscope::ui::test {

using namespace Qt::StringLiterals;

/// A tab with its fields by their English names.
struct TabFields {
    ScaleTab* tab;

    operator ScaleTab&() const { return *tab; }
    ScaleTab* operator->() const { return tab; }
    EmptyScreen* empty() const { return tab->empty(); }
    QTableView* table() const { return tab->table(); }
    const CellTable& cells() const { return tab->cells(); }
    LegendRow* legend() const { return tab->legend(); }
    ChartView* chart(size_t which) const { return tab->chartViews()[which].view; }
    template <typename Field>
    Field* named(const char* name) const
    {
        for (Field* field : tab->findChildren<Field*>())
            if (field->accessibleName() == QLatin1String(name))
                return field;
        qFatal("there is no %s", name);
    }
    CaptionSpin* spin(const char* name) const { return named<CaptionSpin>(name); }
    CaptionCombo* combo(const char* name) const { return named<CaptionCombo>(name); }
    Segments* choices(const char* name) const { return named<Segments>(name); }
    Segments* tables() const { return choices("Table"); }
    TensorSource* source() const { return tab->findChild<TensorSource*>(); }
    void takeTensors(const QString& path) const { tab->take(Content::Tensors, path); }
};

struct LengthFields : TabFields {
    QLineEdit* lengths() const { return named<QLineEdit>("Sequence lengths in tokens"); }
    CaptionCombo* pass() const { return combo("Pass"); }
    Segments* quantity() const { return choices("Quantity"); }
    Segments* values() const { return choices("Values"); }
    QCheckBox* published() const { return tab->findChild<QCheckBox*>(); }
    ChartView* whole() const { return chart(0); }
    ChartView* alone() const { return chart(1); }
};

struct DecodeFields : TabFields {
    MechanismList& mechanisms() const { return *tab->findChild<MechanismList*>(); }
    MechanismsPanel* panel() const { return tab->findChild<MechanismsPanel*>(); }
    CaptionCombo* source() const { return combo("Source of the tokens"); }
    CaptionSpin* layer() const { return spin("Layer"); }
    CaptionSpin* heads() const { return spin("Heads"); }
    QLineEdit* positions() const { return named<QLineEdit>("Positions in tokens"); }
    RealSpin* factor() const { return named<RealSpin>("Factor of the logits"); }
    Segments* quantity() const { return choices("Quantity"); }
    ChartView* cost() const { return chart(0); }
    ChartView* impulse() const { return chart(1); }
};

struct SamplesFields : TabFields {
    QLineEdit* counts() const { return named<QLineEdit>("Sample counts"); }
    Segments* part() const { return choices("Error component"); }
    ChartView* errors() const { return chart(0); }
    ChartView* parts() const { return chart(1); }
};

struct KernelFields : TabFields {
    CaptionSpin* features() const { return spin("Features"); }
    Segments* angles() const { return choices("Angle between x and y"); }
    ChartView* values() const { return chart(0); }
    ChartView* spread() const { return chart(1); }
};

struct PlanFields : TabFields {
    CaptionCombo* budget() const { return combo("Budget type"); }
    RealSpin* value() const { return named<RealSpin>("Budget"); }
    CaptionSpin* samples() const { return spin("Samples"); }
    QLabel* chartTitle() const { return tab->chartViews().front().title; }
    ActionButton* button(const char* icon) const
    {
        for (ActionButton* each : tab->findChildren<ActionButton*>())
            if (each->text().contains(QLatin1String(icon)) || each->accessibleName().contains(QLatin1String(icon)))
                return each;
        qFatal("there is no %s", icon);
    }
    ActionButton* labelledButton() const { return button("abelled folder"); }
    ActionButton* useButton() const { return button("Use this plan"); }
    void setLabelled(const QString& folder) const { tab->take(Content::Folder, folder); }
    const CellTable& layers() const
    {
        return *static_cast<const CellTable*>(named<QTableView>("Layers of the plan")->model());
    }
};

/// The window on the Scale screen, over a scripted laboratory.
struct ScaleFixture {
    explicit ScaleFixture(const QString& theme = u"light"_s, QSize size = {1280, 800})
        : fixture(theme, size, options())
    {
        window = fixture.window.get();
        window->showScreen(u"scale"_s);
        page = window->page<ScalePage>();
        if (!QTest::qWaitFor([this] { return window->workspace().model() != nullptr; }))
            qFatal("the model was not opened");
    }
    WindowOptions options()
    {
        WindowOptions made;
        made.scale = scriptedScale(script);
        made.demoImage = u"/photos/cat.jpg"_s;
        return made;
    }
    bool waitDone(int milliseconds = 10'000)
    {
        const bool done = QTest::qWaitFor([this] { return !window->session<ScaleSession>()->isRunning(); },
                                          milliseconds);
        QTest::qWait(120);  // charts gather changes before they draw
        return done;
    }
    LengthFields length() const { return {{page->tab(ScaleSession::Length)}}; }
    DecodeFields decoding() const { return {{page->tab(ScaleSession::Decode)}}; }
    SamplesFields samples() const { return {{page->tab(ScaleSession::Samples)}}; }
    KernelFields kernel() const { return {{page->tab(ScaleSession::Kernel)}}; }
    PlanFields plan() const { return {{page->tab(ScaleSession::Plans)}}; }
    void measure(const QString& lengths = u"256, 512, 1024, 2048, 4096, 8192, 16384"_s)
    {
        length().lengths()->setText(lengths);
        page->run();
        QVERIFY(waitDone());
    }
    QString clipboard() const { return QGuiApplication::clipboard()->text(); }
    QString messages() const
    {
        QStringList out;
        for (const MessageBar* bar : page->findChildren<MessageBar*>())
            out << bar->sentence();
        return out.join(QLatin1Char('|'));
    }

    std::shared_ptr<ScaleScript> script = std::make_shared<ScaleScript>();
    WindowFixture fixture;
    MainWindow* window = nullptr;
    ScalePage* page = nullptr;
};

/// The real laboratory, asked one question at a time.
struct RealLaboratory {
    RealLaboratory()
    {
        QObject::connect(&task, &TaskBase::failed, &task, [this](const QString& sentence) { problem = sentence; });
    }
    /// Null: there is a problem.
    template <typename Report>
    std::shared_ptr<const Report> measured(const ScaleQuestion& question)
    {
        problem.clear();
        task.start(question, 1);
        if (!QTest::qWaitFor([this] { return !task.isRunning(); }, 60'000))
            problem = u"it takes too long"_s;
        return task.report() ? std::shared_ptr<const Report>(task.report(), &std::get<Report>(*task.report()))
                             : nullptr;
    }

    Engine engine{coreWorkbench()};
    ScaleTask task{engine, {MeasuringGate::Work::Laboratory}, coreScale()};
    QString problem;
};

/// Of a file; empty where there is none.
inline QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}
