#pragma once

#include "tests/ui/support/press_in_message_box.h"
#include "tests/ui/support/scripted_trainer.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/train/train_form.h"
#include "ui/train/train_page.h"
#include "ui/widgets/field_row.h"
#include "ui/widgets/number_fields.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

namespace attnscope::ui::test {

using namespace Qt::StringLiterals;

/// A window on the Train screen with a folder to train on.
struct TrainFixture {
    explicit TrainFixture(const QString& theme = u"light"_s, QSize size = {1280, 800})
        : fixture(theme, size, scriptedTraining(script))
    {
        window = fixture.window.get();
        window->showScreen(u"train"_s);
        page = window->page<TrainPage>();
        form = page->form();
        if (!QTest::qWaitFor([&] { return window->workspace().surroundings() != nullptr; }, 5000))
            qFatal("the engine did not answer");
    }

    QString data(const QString& name = u"scenes"_s)
    {
        QDir(fixture.folder.path()).mkpath(name);
        return fixture.folder.filePath(name);
    }
    QString file(const QString& name, const QByteArray& text = "weights")
    {
        QFile out(fixture.folder.filePath(name));
        if (out.open(QIODevice::WriteOnly))
            out.write(text);
        return out.fileName();
    }
    QString output() const { return fixture.folder.filePath(u"trained.safetensors"_s); }
    /// A form that can be started.
    void fill(int epochs = 3, const QString& teacher = {})
    {
        page->openFolder(data());
        form->output()->setPath(output());
        form->epochs()->setValue(epochs);
        form->warmup()->setValue(0);
        if (!teacher.isEmpty()) {
            form->teacher()->insertItem(1, u"teacher"_s, teacher);
            form->teacher()->setCurrentIndex(1);
            emit form->teacher()->activated(1);
        }
        QTest::qWait(20);
    }
    bool waitFor(TrainSession::State state, int milliseconds = 15'000)
    {
        return QTest::qWaitFor([&] { return session().state() == state; }, milliseconds);
    }
    TrainSession& session() { return *window->session<TrainSession>(); }
    QStringList messages() const
    {
        QStringList out;
        for (const MessageBar* bar : page->findChildren<MessageBar*>())
            out << bar->sentence();
        return out;
    }
    QString clipboard() const { return QGuiApplication::clipboard()->text(); }

    std::shared_ptr<TrainScript> script = std::make_shared<TrainScript>();
    WindowFixture fixture;
    MainWindow* window = nullptr;
    TrainPage* page = nullptr;
    TrainForm* form = nullptr;
};

/// All that stands in a row: its label, hint and problem.
inline QString hintOf(const FieldRow& row)
{
    QStringList texts;
    for (const QLabel* label : row.findChildren<QLabel*>())
        texts << label->text();
    return texts.join(QLatin1Char('|'));
}

}
