#include "tests/support/test_class.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/workspace/backends_panel.h"
#include "ui/workspace/option_form.h"

#include "core/attention/backend_info.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include <algorithm>
#include <functional>
#include <map>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;

namespace {

QString qt(const std::string& text)
{
    return QString::fromStdString(text);
}

}

class TestOptionForm : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareApplication(); }

    void everyOptionOfEveryBackendHasTheControlOfItsType_data()
    {
        QTest::addColumn<int>("backend");
        for (size_t i = 0; i < backends().size(); ++i)
            QTest::addRow("%s", backends()[i].name.c_str()) << int(i);
    }
    void everyOptionOfEveryBackendHasTheControlOfItsType()
    {
        QFETCH(int, backend);
        const BackendInfo& info = backends()[size_t(backend)];
        const AttentionSpec spec = AttentionSpec::parse(info.name);
        OptionForm shown(spec, OptionForm::Part::Main), more(spec, OptionForm::Part::Advanced);
        QCOMPARE(shown.rows() + more.rows(), int(info.options.size()));
        for (const OptionInfo& option : info.options) {
            QWidget* control = (option.advanced ? more : shown).control(qt(option.name));
            QVERIFY2(control != nullptr, option.name.c_str());
            QVERIFY(!control->accessibleName().isEmpty());
            QVERIFY(control->toolTip().startsWith(qt(option.help)));
            switch (option.type) {
            case OptionType::Integer: {
                auto* spin = qobject_cast<QSpinBox*>(control);
                QVERIFY(spin != nullptr);
                QCOMPARE(double(spin->maximum()), std::min(option.maximum, double(INT_MAX)));
                if (option.defaultValue) {
                    QCOMPARE(spin->value(), int(std::get<int64_t>(*option.defaultValue)));
                    QCOMPARE(double(spin->minimum()), option.minimum);
                } else {
                    QVERIFY(!spin->specialValueText().isEmpty());
                }
                break;
            }
            case OptionType::Real: {
                auto* spin = qobject_cast<QDoubleSpinBox*>(control);
                QVERIFY(spin != nullptr);
                QCOMPARE(spin->minimum(), option.minimum);
                QCOMPARE(spin->maximum(), option.maximum);
                QCOMPARE(spin->value(), std::get<double>(*option.defaultValue));
                break;
            }
            case OptionType::Choice: {
                auto* combo = qobject_cast<QComboBox*>(control);
                QVERIFY(combo != nullptr);
                QCOMPARE(combo->count(), int(option.choices.size()));
                for (int i = 0; i < combo->count(); ++i)
                    QCOMPARE(combo->itemText(i), qt(option.choices[size_t(i)].name));
                QCOMPARE(combo->currentText(), qt(std::get<std::string>(*option.defaultValue)));
                break;
            }
            case OptionType::Flag: {
                auto* box = qobject_cast<QCheckBox*>(control);
                QVERIFY(box != nullptr);
                QCOMPARE(box->isChecked(), std::get<bool>(*option.defaultValue));
                break;
            }
            }
        }
    }

    void controlsAndTextStayInStep()
    {
        BackendList list;
        BackendsPanel panel(list);
        panel.show();
        const auto found = std::find_if(list.entries().begin(), list.entries().end(),
                                        [](const auto& e) { return e.spec.backend() == "lara"; });
        QVERIFY(found != list.entries().end());
        const int id = found->id;
        BackendRow* row = panel.row(id);
        auto* samples = qobject_cast<QSpinBox*>(row->mainOptions()->control(u"samples"_s));
        QVERIFY(samples != nullptr);
        samples->setValue(64);
        QCOMPARE(row->specField()->text(), u"lara:samples=64"_s);
        row->specField()->setText(u"lara:samples=16,beta=2"_s);
        emit row->specField()->editingFinished();
        QCOMPARE(samples->value(), 16);
        QCOMPARE(qobject_cast<QDoubleSpinBox*>(row->mainOptions()->control(u"beta"_s))->value(), 2.0);
    }

    void tokensMergeWithAnyAttention_data()
    {
        QTest::addColumn<QString>("theme");
        QTest::newRow("light") << u"light"_s;
        QTest::newRow("dark") << u"dark"_s;
    }
    void tokensMergeWithAnyAttention()
    {
        QFETCH(QString, theme);
        test::WindowFixture fixture(theme, {1280, 800});
        BackendList& list = fixture.window->workspace().backends();
        const int id = list.entries().front().id;
        list.setChecked(id, true);
        auto* panel = fixture.window->findChild<BackendsPanel*>();
        QVERIFY(panel != nullptr);
        BackendRow* row = panel->row(id);
        QVERIFY(!row->tokenOptions()->isVisible());
        row->setCurrent(true);
        QVERIFY(row->tokenChoice()->isVisible());
        row->tokenChoice()->setCurrentIndex(1);
        QCOMPARE(qt(list.entry(id)->spec.canonical()), u"softmax;tokens=tome:r=13"_s);
        QVERIFY(row->tokenOptions()->isVisible());
        auto* count = qobject_cast<QSpinBox*>(row->tokenOptions()->control(u"r"_s));
        auto* schedule = qobject_cast<QComboBox*>(row->tokenOptions()->control(u"schedule"_s));
        QVERIFY(count != nullptr && schedule != nullptr && row->tokenOptions()->rows() == 2);
        count->setValue(8);
        schedule->setCurrentText(u"decreasing"_s);
        QCOMPARE(row->specField()->text(), u"softmax;tokens=tome:r=8,schedule=decreasing"_s);
        QVERIFY(list.columns().front().samples.contains(u"tome:r=8"_s));
        QTest::qWait(80);
        fixture.shot(u"tokens-"_s + theme);
        row->specField()->setText(u"softmax:form=explicit;tokens=tome:r=4,order=concatenate"_s);
        emit row->specField()->editingFinished();
        QCOMPARE(count->value(), 4);
        QCOMPARE(schedule->currentText(), u"constant"_s);
        count->setValue(5);  // what the form does not show stays
        QCOMPARE(qt(list.entry(id)->spec.canonical()),
                 u"softmax:form=explicit;tokens=tome:r=5,order=concatenate"_s);
        row->setCurrent(false);
        QVERIFY(row->tokenChoice()->isVisible());  // merging is seen in a row that is not being edited, too
        row->tokenChoice()->setCurrentIndex(0);
        QCOMPARE(qt(list.entry(id)->spec.canonical()), u"softmax:form=explicit"_s);
        QVERIFY(row->tokenChoice()->isVisible());  // the row that was touched is the current one
        row->setCurrent(false);
        QVERIFY(!row->tokenChoice()->isVisible());
        QVERIFY(!row->weightChoice()->isVisible());
        row->setCurrent(true);
        row->weightChoice()->setCurrentIndex(1);
        QCOMPARE(row->specField()->text(), u"softmax:form=explicit;weights=int8"_s);
        QVERIFY(list.columns().front().samples.contains(u"int8 weights"_s));
        QTest::qWait(80);
        fixture.shot(u"weights-"_s + theme);
        row->setCurrent(false);
        QVERIFY(row->weightChoice()->isVisible());
        row->specField()->setText(u"softmax:form=explicit"_s);
        emit row->specField()->editingFinished();
        QCOMPARE(row->weightChoice()->currentIndex(), 0);
    }

    void aSeedGoesBackToTheRuns()
    {
        BackendList list;
        BackendsPanel panel(list);
        panel.show();
        const auto found = std::find_if(list.entries().begin(), list.entries().end(),
                                        [](const auto& e) { return e.spec.backend() == "lara"; });
        QVERIFY(found != list.entries().end());
        const int id = found->id;
        BackendRow* row = panel.row(id);
        QWidget* control = row->mainOptions()->control(u"seed"_s);
        if (control == nullptr)
            control = row->findChild<QSpinBox*>(u"option-seed"_s);
        auto* seed = qobject_cast<QSpinBox*>(control);
        QVERIFY(seed != nullptr);
        list.setSpec(id, u"lara:samples=16,seed=7"_s);
        QCOMPARE(seed->value(), 7);
        seed->setValue(seed->minimum());
        QCOMPARE(qt(list.entry(id)->spec.canonical()), u"lara:samples=16"_s);
        seed->setValue(9);
        QCOMPARE(qt(list.entry(id)->spec.canonical()), u"lara:samples=16,seed=9"_s);
    }

    void rowsOfEntriesThatStayAreKept()
    {
        BackendList list;
        BackendsPanel panel(list);
        panel.show();
        std::map<int, BackendRow*> before;
        for (const BackendList::Entry& entry : list.entries())
            before[entry.id] = panel.row(entry.id);
        const int removed = list.entries().back().id, changed = list.entries().front().id;
        const int added = list.add(AttentionSpec::parse("lara:samples=16"));
        list.remove(removed);
        QVERIFY(list.setSpec(changed, u"rfa"_s).isEmpty());  // its options are others
        QTRY_VERIFY(panel.row(added) != nullptr && panel.row(removed) == nullptr);
        for (const BackendList::Entry& entry : list.entries()) {
            QCOMPARE(panel.row(entry.id) == before[entry.id], entry.id != added && entry.id != changed);
            QCOMPARE(panel.row(entry.id)->name(), qt(entry.spec.backend()));
        }
        const auto placeOf = [&](const BackendList::Entry& entry) { return panel.row(entry.id)->y(); };
        QTRY_VERIFY(std::ranges::adjacent_find(list.entries(), std::ranges::greater_equal(), placeOf)
                    == list.entries().end());
    }

    void wrongSpecificationIsExplainedUnderItsField()
    {
        BackendList list;
        BackendsPanel panel(list);
        panel.show();
        const auto found = std::find_if(list.entries().begin(), list.entries().end(),
                                        [](const auto& e) { return e.spec.backend() == "lara"; });
        QVERIFY(found != list.entries().end());
        const int id = found->id;
        BackendRow* row = panel.row(id);
        list.setChecked(id, true);
        row->setCurrent(true);
        row->specField()->setText(u"lara:sample=3"_s);
        emit row->specField()->editingFinished();
        QVERIFY(row->problem()->isVisible());
        QVERIFY2(row->problem()->text().contains("samples"_L1), qPrintable(row->problem()->text()));
        QCOMPARE(row->specField()->text(),
                 u"lara:sample=3"_s);  // what was typed stays to be corrected
        QCOMPARE(qt(list.entry(id)->spec.canonical()), u"lara"_s);
    }
};

ATTNSCOPE_WINDOW_TEST(TestOptionForm)
#include "tst_option_form.moc"
