// Tables as data, and as the text of terminals and files.
#include "core/base/format.h"
#include "core/figure/table.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <limits>

using namespace attnscope;

namespace {

/// Every kind of cell, and a column without any.
Table example()
{
    Table table{.caption = "what | it is",
                .columns = {{ATTN_TEXT("Name")},
                            {"a", {}, true},
                            {.title = "none", .number = true},
                            {.title = "more", .number = true, .detail = true}}};
    Cell accuracy = percentCell(0.5);
    accuracy.small = attnscope::formatInterval(0.25, 0.75);
    table.add({{.text = "=x|y", .look = "softmax"}, accuracy, {}, countCell(1234)});
    table.add({{"b & c"}, errorCell(2e-5, 1e-6)});
    return table;
}

}

class TestTable : public QObject {
    Q_OBJECT
private slots:
    void textsAreFilledAndCounted()
    {
        QCOMPARE(english(ATTN_TEXT("%2 of %1 %").arg("%2", "b")), std::string("b of %2 %"));
        const Text seeds = ATTN_COUNT("%1 seed(s), %2 class(es)");
        QCOMPARE(english(seeds.of(1).arg("no")), std::string("1 seed, no class"));
        QCOMPARE(english(seeds.of(2).arg("no")), std::string("2 seeds, no classes"));
        QCOMPARE(english(joined({"a", ATTN_TEXT("from %1").arg("c")}, ", ")), std::string("a, from c"));
        QVERIFY(Text().empty() && !ATTN_TEXT("a").empty() && !joined({"a"}, ",").empty());
    }

    void cellsHoldTextAndNumber()
    {
        QCOMPARE(english(decimalCell(-0.001).text), std::string("0.00"));
        QCOMPARE(english(decimalCell(-0.126).text), std::string("−0.13"));
        QCOMPARE(english(fromCell(std::nullopt).text), std::string("nowhere"));
        QCOMPARE(errorCell(std::numeric_limits<double>::quiet_NaN()).value,
                 std::optional(std::numeric_limits<double>::infinity()));
        QVERIFY(bytesCell(std::nullopt).text.empty() && !ratioCell(std::nullopt).value);
    }

    void terminalsGetWhatFits()
    {
        QCOMPARE(textTable(example(), {.indent = 1}),
                 std::string(" what | it is\n Name                        a\n =x|y   50.00 % [25.00, 75.00]\n b & "
                             "c         2.0e−5 ± 1.0e−6\n"));
        Table wide = tableOf({"name", "words", ">x"});
        wide.addTexts({"a", "one two three four five six seven", "1"});
        QCOMPARE(textTable(wide, {.columns = 34}),
                 std::string(
                     "name  words                      x\na     one two three four five    1\n      six seven\n"));
        QCOMPARE(textTable(wide, {.columns = 10}),
                 std::string("name  words\na     one two three four five\n      six seven\n\nname  x\na     1\n"));
        QCOMPARE(textTable(tableOf({"a", "b"})), std::string());
    }

    void filesGetEverythingInTheirOwnMarkup()
    {
        QCOMPARE(csv(example()), std::string("Name,a,none,more\r\n'=x|y,0.5,,1234\r\nb & c,2e-05,,\r\n"));
        QCOMPARE(
            tsv(example()),
            std::string(
                "Name\ta\tnone\tmore\n=x|y\t50.00 % [25.00, 75.00]\t\t1\u202f234\nb & c\t2.0e−5 ± 1.0e−6\t\t\n"));
        Table named = tableOf({"", "a"});
        named.addTexts({"", "b"});
        QCOMPARE(tsv(named), std::string("\ta\n\tb\n"));
        const std::string marked = markdown(example());
        QVERIFY2(
            marked.starts_with(
                "| Name | a | none | more |\n|---|---:|---:|---:|\n| =x\\|y | 50.00 % \\[25.00, 75.00\\] |  | "),
            marked.c_str());
        QVERIFY(marked.ends_with("\n\nwhat \\| it is\n"));
        const std::string page = html(example(), plainStyle);
        QVERIFY(page.find("<td>b &amp; c</td>") != std::string::npos && page.find("<svg") != std::string::npos);
        QVERIFY(page.find("<td class=\"n\">–</td>") != std::string::npos);
        QVERIFY(latex(example()).find("b \\& c & 2.0e$-$5 $\\pm$ 1.0e$-$6 &  &  \\\\\n") != std::string::npos);
    }
};

ATTNSCOPE_EVENT_TEST(TestTable)
#include "tst_table.moc"
