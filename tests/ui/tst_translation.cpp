// The window in a language that nobody speaks: every text that can be translated stands in brackets and is longer by 40 %. What shows
// without brackets is not translatable; what is cut does not fit.
#include "tests/support/test_class.h"
#include "tests/ui/support/cut_text.h"
#include "tests/ui/support/layers_fixture.h"
#include "tests/ui/support/scripted_neighbours.h"
#include "tests/ui/support/scripted_scale.h"
#include "tests/ui/support/scripted_trainer.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/layers/layer_details.h"
#include "ui/neighbours/neighbours_page.h"
#include "ui/neighbours/search_form.h"
#include "ui/scale/scale_page.h"
#include "ui/scale/scale_tab.h"
#include "ui/style/language.h"
#include "ui/style/qt_text.h"

#include "core/attention/attention_spec.h"
#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "core/lab/decode/stream_spec.h"
#include "core/lab/kernel_plot.h"

#include <QAction>
#include <QComboBox>
#include <QMenu>
#include <QRegularExpression>
#include <QTranslator>
#include <QXmlStreamReader>

using namespace attnscope::ui;
using namespace Qt::StringLiterals;
using attnscope::ui::test::WindowFixture;

namespace {

struct Asked {
    QByteArray context, text;
    int count = -1;
};

/// "Run" → "⟦Run~~⟧". Placeholders and mnemonics stay. Keeps in mind what it was asked for.
class LongerTranslator : public QTranslator {
public:
    using QTranslator::QTranslator;
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* text, const char*, int count) const override
    {
        const QString source = QString::fromUtf8(text);
        const bool ours = !QByteArrayView(context).startsWith("Q");
        if (ours)
            asked.insert(QByteArray(context) + '\0' + text, {context, text, count});
        return !ours ? QString() : u"⟦"_s + source + QString(source.size() * 2 / 5, QLatin1Char('~')) + u"⟧"_s;
    }
    mutable QHash<QByteArray, Asked> asked;
};

bool isSpecification(const QString& text)
{
    try {
        for (const QString& line : text.split(QLatin1Char('\n')))
            attnscope::AttentionSpec::parse(fromQt(line));
        return true;
    } catch (const attnscope::Error&) {
        return false;
    }
}

/// "rfa · gate=0.99, gate_form=sum"
bool isMechanism(QString text)
{
    text.replace(u" · "_s, u":"_s).replace(u", "_s, u","_s);
    try {
        attnscope::StreamSpec::parse(fromQt(text));
        return true;
    } catch (const attnscope::Error&) {
        return false;
    }
}

/// "7.6e−3", "±"
bool isNumber(QString word)
{
    bool is = false;
    word.replace(QString::fromUtf8("−"), u"-"_s).toDouble(&is);
    return is;
}

/// "cat.png", "/scenes/val", or "imagenet-tra…-224" where there is little room
bool isFileName(const QString& word)
{
    return word.startsWith(QLatin1Char('/')) || word.endsWith(".png"_L1) || word.endsWith(".safetensors"_L1)
           || word.contains(u"…"_s);
}

/// Names, numbers, units and specifications are the same in every language.
bool isSameEverywhere(const QString& text)
{
    static const QStringList names = [] {
        QStringList all{u"float32"_s, u"Ctrl+K"_s, u"attnscope"_s};
        for (const attnscope::BackendInfo& info : attnscope::backends()) {
            all << toQt(info.name);
            for (const attnscope::OptionInfo& option : info.options)
                all << toQt(option.name) << toQt(option.name).split(QLatin1Char('_'));
        }
        for (const attnscope::StreamInfo& info : attnscope::streamInfos())
            for (const attnscope::OptionInfo& option : info.options)
                all << toQt(info.name) << toQt(option.name) << toQt(option.name).split(QLatin1Char('_'));
        for (const attnscope::KernelFeatures features : attnscope::kernelFeatures)
            all << toQt(toText(features));
        all << u"x"_s << u"y"_s << QString::fromUtf8("−x");
        return all;
    }();
    const QStringList words = text.split(QLatin1Char(' '));
    return isSpecification(text) || isMechanism(text)
           || std::all_of(words.begin(), words.end(), [](const QString& word) {
                  return names.contains(word) || isNumber(word) || isFileName(word)
                         || std::none_of(word.begin(), word.end(), [](QChar c) { return c.isLetter(); });
              });
}

/// The first visible text that no translator was asked about; empty: there is none.
QString untranslated(const QWidget& window)
{
    const auto wrong = [](const QString& text) { return !isSameEverywhere(text) && !text.contains(u"⟦"_s); };
    for (const QLabel* label : window.findChildren<QLabel*>())
        if (label->isVisible() && wrong(label->text()))
            return u"label: "_s + label->text();
    for (const QAbstractButton* button : window.findChildren<QAbstractButton*>())
        if (button->isVisible() && (wrong(button->text()) || wrong(button->toolTip())))
            return u"button: %1 (%2)"_s.arg(button->text(), button->toolTip());
    for (const QAction* action : window.findChildren<QAction*>())
        if (!action->objectName().isEmpty() && wrong(action->text()))
            return u"action: "_s + action->text();
    for (const QMenu* menu : window.findChildren<QMenu*>())
        if (wrong(menu->title()))
            return u"menu: "_s + menu->title();
    for (const QWidget* widget : window.findChildren<QWidget*>())
        if (widget->isVisible() && wrong(widget->accessibleName()))
            return u"accessible name: "_s + widget->accessibleName();
    return {};
}

}

class TestTranslation : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(QCoreApplication::installTranslator(&m_translator)); }
    void cleanupTestCase() { QCoreApplication::removeTranslator(&m_translator); }

    void everyTextCanBeTranslated_data() { addScreens(); }
    void everyTextCanBeTranslated()
    {
        WindowFixture fixture(u"light"_s, {1280, 800}, options());
        show(*fixture.window);
        QCOMPARE(untranslated(*fixture.window), QString());
    }

    void aComparisonCanBeTranslated()
    {
        WindowFixture fixture;
        fixture.window->openPaths({fixture.images(1).front(), fixture.brokenImage()});
        QVERIFY(fixture.waitIdle());
        QTest::qWait(120);
        QCOMPARE(untranslated(*fixture.window), QString());
        QCOMPARE(attnscope::ui::test::cutText(*fixture.window->page()), QString());
    }

    void featuresCanBeTranslated()
    {
        WindowFixture fixture(u"light"_s, {1280, 800}, {}, 0);
        fixture.window->openPaths(fixture.images(4));
        QVERIFY(fixture.waitIdle());
        checkPage(fixture, u"translated-features"_s);
    }

    void anInspectionCanBeTranslated_data()
    {
        QTest::addColumn<LayerDetails::Part>("part");
        QTest::newRow("maps") << LayerDetails::Part::Maps;
        QTest::newRow("tokens") << LayerDetails::Part::Tokens;
        QTest::newRow("rollout") << LayerDetails::Part::Rollout;
        QTest::newRow("terms") << LayerDetails::Part::Terms;
        QTest::newRow("depth") << LayerDetails::Part::Depth;
    }
    void anInspectionCanBeTranslated()
    {
        QFETCH(LayerDetails::Part, part);
        attnscope::ui::test::LayersFixture fixture;
        fixture.script->sparse = true;
        fixture.script->chooses = part == LayerDetails::Part::Tokens;
        QVERIFY(fixture.inspect());
        fixture.details().setPart(part);
        QVERIFY(fixture.settled());
        QTest::qWait(120);
        fixture.window.shot(u"translated-layers-"_s + QString::fromLatin1(QTest::currentDataTag()));
        QCOMPARE(untranslated(*fixture.window.window), QString());
        QCOMPARE(attnscope::ui::test::cutText(fixture.page()), QString());
    }

    void longerTextsFit_data() { addScreens(); }
    void longerTextsFit()
    {
        WindowFixture fixture(u"light"_s, {1280, 800}, options());
        show(*fixture.window);
        fixture.shot(u"translated-"_s + QString::fromLatin1(QTest::currentDataTag()));
        QCOMPARE(attnscope::ui::test::cutText(*fixture.window->page()), QString());
    }

    void tabsOfScaleCanBeTranslated_data()
    {
        QTest::addColumn<int>("tab");
        for (int tab = 0; tab < ScaleSession::kindCount; ++tab)
            QTest::addRow("tab %d", tab) << tab;
    }
    void tabsOfScaleCanBeTranslated()
    {
        QFETCH(int, tab);
        WindowOptions made = options();
        made.demoImage = u"/photos/cat.png"_s;
        WindowFixture fixture(u"light"_s, {1280, 800}, made);
        QVERIFY(fixture.window->showScreen(u"scale"_s));
        auto* page = fixture.window->page<ScalePage>();
        page->showTab(static_cast<ScaleSession::Kind>(tab));
        checkPage(fixture, u"translated-scale-%1"_s.arg(tab));
        QVERIFY(QTest::qWaitFor([&] { return fixture.window->workspace().model() != nullptr; }));
        page->run();
        QVERIFY(QTest::qWaitFor(
            [&] { return page->tab()->hasResults() && !fixture.window->session<ScaleSession>()->isRunning(); }));
        checkPage(fixture, u"translated-scale-results-%1"_s.arg(tab));
    }

    void aSearchForNeighboursCanBeTranslated()
    {
        WindowFixture fixture(u"light"_s, {1280, 800}, options());
        QVERIFY(fixture.window->showScreen(u"neighbours"_s));
        auto* page = fixture.window->page<NeighboursPage>();
        page->form()->setBuild(u"/scenes/train"_s);
        checkPage(fixture, u"translated-neighbours-form"_s);
        page->form()->setEvaluate(u"/scenes/val"_s);
        page->run();
        QVERIFY(QTest::qWaitFor(
            [&] { return page->hasResults() && !fixture.window->session<NeighboursSession>()->isRunning(); }));
        checkPage(fixture, u"translated-neighbours-results"_s);
    }

    /// After all others: each text that a screen has asked for is in the translations, under the name that it asks by.
    void translationsKnowEveryText_data() { addLanguages(); }
    void translationsKnowEveryText()
    {
        QFETCH(QString, language);
        QVERIFY(m_translator.asked.size() > 700);
        QTranslator translator;
        QVERIFY(translator.load(u"attnscope_"_s + language, u":/translations"_s));
        QStringList missing;
        for (const Asked& each : m_translator.asked)
            if (translator.translate(each.context, each.text, nullptr, each.count).isEmpty()
                && each.text != "a number of every token")  // of the test's own method
                missing << QString::fromUtf8(each.context + ": " + each.text);
        for (const QString& each : missing)
            qWarning("missing: %s", qPrintable(each));
        QVERIFY(missing.isEmpty());
    }

    /// In the files of the translators nothing is left to do, and no place for a value is lost.
    void translationsAreWhole_data() { addLanguages(); }
    void translationsAreWhole()
    {
        QFETCH(QString, language);
        QFile file(QStringLiteral(RESOURCE_DIR "/translations/attnscope_%1.ts").arg(language));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&file);
        QString source;
        int count = 0;
        bool plural = false;
        while (!xml.atEnd()) {
            xml.readNext();
            if (!xml.isStartElement())
                continue;
            if (xml.name() == "message"_L1) {
                plural = xml.attributes().hasAttribute(u"numerus"_s);
            } else if (xml.name() == "source"_L1) {
                source = xml.readElementText();
            } else if (xml.name() == "translation"_L1 || xml.name() == "numerusform"_L1) {
                QVERIFY2(!xml.attributes().hasAttribute(u"type"_s), qPrintable(source));
                if (plural && xml.name() == "translation"_L1)
                    continue;  // its forms follow
                const QString text = xml.readElementText();
                QVERIFY2(!text.isEmpty(), qPrintable(source));
                QCOMPARE(places(text), places(source));
                ++count;
            }
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(count > 2000);
    }

    void screensFitInEveryLanguage_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("screen");
        for (const char* language : {"de", "zh_CN"})
            for (const Screen& screen : screens(options()))
                QTest::addRow("%s %s", language, qPrintable(screen.name))
                    << QString::fromLatin1(language) << screen.name;
    }
    void screensFitInEveryLanguage()
    {
        QFETCH(QString, language);
        QCoreApplication::removeTranslator(&m_translator);
        QTranslator translator;
        QVERIFY(translator.load(u"attnscope_"_s + language, u":/translations"_s));
        QCoreApplication::installTranslator(&translator);
        for (const QSize size : {QSize(1280, 800), QSize(1024, 640)}) {
            WindowFixture fixture(u"light"_s, size, options());
            show(*fixture.window);
            fixture.shot(
                u"%1-%2"_s
                    .arg(QString::fromLatin1(QTest::currentDataTag()).replace(QLatin1Char(' '), QLatin1Char('-')))
                    .arg(size.width()));
            QCOMPARE(attnscope::ui::test::cutText(*fixture.window->page()), QString());
        }
        QCoreApplication::removeTranslator(&translator);
        QCoreApplication::installTranslator(&m_translator);
    }

    void theLanguageIsTheDesktopsOrTheOneChosen()
    {
        QStringList codes;
        for (const attnscope::ui::Language& each : attnscope::ui::languages())
            codes << each.code;
        QCOMPARE(codes, QStringList({u"en"_s, u"de"_s, u"zh_CN"_s}));
        QCOMPARE(attnscope::ui::languageFor(u"de"_s), u"de"_s);
        QCOMPARE(attnscope::ui::languageFor(u"tlh"_s), u"en"_s);
        const QByteArray before = qgetenv("LANGUAGE"), all = qgetenv("LC_ALL");
        for (const auto& [desktop, shown] :
             {std::pair("de_AT.UTF-8", "de"), std::pair("zh_CN.UTF-8", "zh_CN"), std::pair("zh_TW.UTF-8", "en"),
              std::pair("fr_FR.UTF-8", "en"), std::pair("C", "en")}) {
            qputenv("LC_ALL", desktop);
            qunsetenv("LANGUAGE");
            QCOMPARE(attnscope::ui::languageFor(u"system"_s), QString::fromLatin1(shown));
        }
        qputenv("LANGUAGE", before);
        qputenv("LC_ALL", all);
    }

private:
    static void addLanguages()
    {
        QTest::addColumn<QString>("language");
        for (const char* language : {"de", "zh_CN"})
            QTest::newRow(language) << QString::fromLatin1(language);
    }
    /// "%1", "%2", …, and whether there is a letter to reach it by.
    static QStringList places(const QString& text)
    {
        QStringList found;
        for (auto each = QRegularExpression(u"%L?[0-9]|&(?=[^& ])"_s).globalMatch(text); each.hasNext();)
            found << each.next().captured();
        found.sort();
        return found;
    }
    static void checkPage(WindowFixture& fixture, const QString& name)
    {
        QTest::qWait(120);
        fixture.shot(name);
        QCOMPARE(untranslated(*fixture.window), QString());
        QCOMPARE(attnscope::ui::test::cutText(*fixture.window->page()), QString());
    }

    static WindowOptions options()
    {
        WindowOptions made;
        made.scale = attnscope::ui::test::scriptedScale(std::make_shared<attnscope::ui::test::ScaleScript>());
        made.neighbours = attnscope::ui::test::scriptedNeighbours(
            std::make_shared<attnscope::ui::test::NeighboursScript>());
        made.training = attnscope::ui::test::scriptedTraining(
            std::make_shared<attnscope::ui::test::TrainScript>());
        return made;
    }
    static void addScreens()
    {
        QTest::addColumn<QString>("screen");
        for (const Screen& screen : screens(options()))
            QTest::newRow(qPrintable(screen.name)) << screen.name;
    }
    static void show(MainWindow& window)
    {
        QFETCH(QString, screen);
        QVERIFY(window.showScreen(screen));
        QTest::qWait(60);
    }

    LongerTranslator m_translator;
};

ATTNSCOPE_WINDOW_TEST(TestTranslation)
#include "tst_translation.moc"
