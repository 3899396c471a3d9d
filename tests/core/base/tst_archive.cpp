#include "core/base/archive.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <limits>

namespace {

using namespace attnscope;

enum class Colour { Red, Green };

/// Of the classes whose text is their form.
class Word {
public:
    Word() = default;
    static Word parse(const std::string& text)
    {
        if (text.find(' ') != std::string::npos)
            throw UsageError(text, "has a space");
        Word word;
        word.m_text = text;
        return word;
    }
    const std::string& canonical() const { return m_text; }

private:
    std::string m_text;
};

struct Part {
    double value = 0;
    std::optional<float> maybe;
    std::array<int64_t, 3> three{};
    bool operator==(const Part&) const = default;
};

struct Whole {
    std::string text;
    Colour colour = Colour::Red;
    bool flag = false;
    std::vector<Part> parts;
    std::vector<float> numbers;
    std::map<std::string, std::vector<int32_t>> lists;
    std::optional<Part> part;
    fs::path path;
    std::array<std::string, 2> pair;
    std::array<bool, 3> flags{};
    bool operator==(const Whole&) const = default;
};

struct Narrow {
    float value = 0;
};
struct Wide {
    double value = 0;
};
struct Words {
    Word first;
    std::vector<Word> others;
};

Whole example()
{
    Whole whole{.text = std::string("a\0b", 3), .colour = Colour::Green, .flag = true};
    whole.parts = {{1.5, 2.5F, {1, 2, 3}}, {-0.0, std::nullopt, {}}};
    whole.numbers = {1, std::numeric_limits<float>::infinity()};
    whole.lists = {{"x", {1, 2}}, {"", {}}};
    whole.part = Part{7, 8.F, {9, 9, 9}};
    whole.path = "/tmp/ä";
    whole.pair = {"left", ""};
    whole.flags = {true, false, true};
    return whole;
}

}

class TestArchive : public QObject {
    Q_OBJECT
private slots:
    void comesBackAsItWas()
    {
        const Whole whole = example();
        QVERIFY(unarchived<Whole>(archived(whole)) == whole);
        QVERIFY(unarchived<Whole>(archived(Whole{})) == Whole{});
        QVERIFY(std::isnan(unarchived<Part>(archived(Part{.value = std::nan("")})).value));
        QVERIFY(std::signbit(unarchived<Part>(archived(Part{.value = -0.0})).value));
    }

    void classesAreKeptByTheirText()
    {
        const Words words{Word::parse("one"), {Word::parse("two"), Word::parse("three")}};
        const auto again = unarchived<Words>(archived(words));
        QCOMPARE(again.first.canonical(), "one");
        QCOMPARE(again.others.size(), 2);
        QCOMPARE(again.others[1].canonical(), "three");
    }

    void anotherLayoutIsRefused()
    {
        THROWS(FileError, unarchived<Wide>(archived(Narrow{1})));
        THROWS(FileError, unarchived<Whole>(archived(Part{})));
    }

    void everyDamageIsNoticed()
    {
        const std::string bytes = archived(example());
        for (size_t size = 0; size < bytes.size(); ++size)
            THROWS(FileError, unarchived<Whole>(bytes.substr(0, size)));
        for (size_t at = 0; at < bytes.size(); ++at) {
            std::string damaged = bytes;
            damaged[at] = char(damaged[at] ^ 0x10);
            THROWS(FileError, unarchived<Whole>(damaged));
        }
        THROWS(FileError, unarchived<Whole>(bytes + '\0'));
    }

    /// Behind a checksum that is right: sizes are never believed.
    void wrongSizesAreNoticed()
    {
        archive::Writer huge;
        huge(std::numeric_limits<size_t>::max());
        const std::string bytes = huge.take();
        THROWS(FileError, archive::Reader(bytes).read<std::vector<double>>());
        THROWS(FileError, archive::Reader(bytes).read<std::vector<Part>>());
        THROWS(FileError, archive::Reader(bytes).read<std::string>());
        THROWS(FileError, (archive::Reader(bytes).read<std::map<std::string, Part>>()));
        THROWS(FileError, (archive::Reader(bytes).read<std::array<double, 2>>()));
    }
};

ATTNSCOPE_TEST(TestArchive)
#include "tst_archive.moc"
