#include "core/base/json.h"
#include "core/data/augment/rand_augment.h"
#include "tests/support/test_class.h"

#include <fstream>
#include <set>

using namespace attnscope;

namespace {

const std::vector<std::string>& names()
{
    static const std::vector<std::string> all{"AutoContrast", "Equalise",    "Invert", "Rotate",     "Posterise",
                                              "Solarise",     "SolariseAdd", "Colour", "Contrast",   "Brightness",
                                              "Sharpness",    "ShearX",      "ShearY", "TranslateX", "TranslateY"};
    return all;
}

std::vector<uint8_t> fromHex(const std::string& text)
{
    std::vector<uint8_t> bytes;
    for (size_t i = 0; i + 1 < text.size(); i += 2)
        bytes.push_back(uint8_t(std::stoi(text.substr(i, 2), nullptr, 16)));
    return bytes;
}

bool isGeometric(Operation operation)
{
    return operation == Operation::Rotate || operation >= Operation::ShearX;
}

struct Difference {
    int largest = 0;
    int count = 0;
};

Difference difference(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b)
{
    Difference found;
    for (size_t i = 0; i < a.size(); ++i) {
        found.largest = std::max(found.largest, std::abs(a[i] - b[i]));
        found.count += a[i] != b[i];
    }
    return found;
}

}

class TestOperations : public QObject {
    Q_OBJECT

private slots:
    void everyOperationEqualsPillows()
    {
        std::ifstream stream(TEST_DATA_DIR "/augment/operations.json");
        const Json goldens = Json::parse(stream);
        std::set<std::string> seen;
        for (const Json& golden : goldens.at("cases")) {
            const std::string name = golden.at("operation");
            const auto operation = static_cast<Operation>(std::find(names().begin(), names().end(), name)
                                                          - names().begin());
            OperationSetting setting;
            setting.filter = golden.at("filter") == "bicubic" ? ResizeFilter::Bicubic : ResizeFilter::Bilinear;
            for (size_t c = 0; c < 3; ++c)
                setting.fill[c] = goldens.at("fill")[c];
            auto pixels = fromHex(goldens.at("picture"));
            applyOperation({pixels.data(), goldens.at("width"), goldens.at("height")},
                           {operation, golden.at("amount")}, setting);
            const auto expected = fromHex(golden.at("pixels"));
            QCOMPARE(pixels.size(), expected.size());
            const Difference found = difference(pixels, expected);
            const std::string which = name + " " + golden.at("amount").dump() + " "
                                      + std::string(golden.at("filter"));
            // Warps compute in float32 what Pillow computes in float64.
            const bool equal = isGeometric(operation) ? found.largest <= 1 && found.count <= 8 : found.count == 0;
            QVERIFY2(equal, (which + ": " + std::to_string(found.count) + " values differ, by "
                             + std::to_string(found.largest))
                                .c_str());
            seen.insert(name);
        }
        QCOMPARE(std::ssize(seen), ptrdiff_t{operationCount});
    }

    void nothingChangesWithoutStrength()
    {
        std::vector<uint8_t> original(40 * 30 * 3);
        for (size_t i = 0; i < original.size(); ++i)
            original[i] = uint8_t(i * i * 31 >> 3);
        for (const ResizeFilter filter : {ResizeFilter::Bicubic, ResizeFilter::Bilinear}) {
            for (const DrawnOperation& none : {DrawnOperation{Operation::Rotate, 0},
                                               {Operation::ShearX, 0},
                                               {Operation::TranslateY, 0},
                                               {Operation::Colour, 1},
                                               {Operation::Contrast, 1},
                                               {Operation::Brightness, 1},
                                               {Operation::Sharpness, 1},
                                               {Operation::Posterise, 8},
                                               {Operation::Solarise, 256},
                                               {Operation::SolariseAdd, 0}}) {
                auto pixels = original;
                applyOperation({pixels.data(), 40, 30}, none, {filter, {1, 2, 3}});
                QVERIFY2(pixels == original, names()[size_t(none.operation)].c_str());
            }
        }
    }

    void flatColoursStayFlatUnderWarps()
    {
        for (int level = 0; level < 256; ++level) {
            std::vector<uint8_t> pixels(16 * 16 * 3, static_cast<uint8_t>(level));
            const auto same = uint8_t(level);
            applyOperation({pixels.data(), 16, 16}, {Operation::Rotate, 17},
                           {ResizeFilter::Bicubic, {same, same, same}});
            QCOMPARE(std::count(pixels.begin(), pixels.end(), same), ptrdiff_t{16 * 16 * 3});
        }
    }

    void onePixelAndOneRowAreTaken()
    {
        for (int64_t width : {1, 2, 9}) {
            for (int64_t i = 0; i < operationCount; ++i) {
                std::vector<uint8_t> pixels(size_t(width * 3), 90);
                const auto operation = static_cast<Operation>(i);
                applyOperation({pixels.data(), width, 1}, {operation, operationAmount(operation, 9, true)}, {});
            }
        }
    }

    void strengthGrowsWithTheMagnitude()
    {
        QCOMPARE(operationAmount(Operation::Rotate, 9, false), 27.0);
        QCOMPARE(operationAmount(Operation::Rotate, 9, true), -27.0);
        QCOMPARE(operationAmount(Operation::Posterise, 9, false), 1.0);
        QCOMPARE(operationAmount(Operation::Solarise, 9, false), 26.0);
        QCOMPARE(operationAmount(Operation::SolariseAdd, 9, false), 99.0);
        QVERIFY(std::abs(operationAmount(Operation::Colour, 9, false) - 1.81) < 1e-12);
        QVERIFY(std::abs(operationAmount(Operation::Sharpness, 9, true) - 0.19) < 1e-12);
        QVERIFY(std::abs(operationAmount(Operation::ShearY, 9, true) + 0.27) < 1e-12);
        QVERIFY(std::abs(operationAmount(Operation::TranslateX, 9, false) - 0.405) < 1e-12);
        QCOMPARE(operationAmount(Operation::Brightness, 10, true), 0.1);
    }

    void operationsAreDrawnEvenlyAndHalfOfThemLeftOut()
    {
        std::vector<int> counts(static_cast<size_t>(operationCount));
        int left = 0, negative = 0, rotations = 0;
        constexpr int draws = 30'000;
        SampleRandom random(3, 0, 0);
        for (int i = 0; i < draws; ++i) {
            const auto drawn = drawOperation(9, random);
            left += !drawn;
            if (!drawn)
                continue;
            ++counts[size_t(drawn->operation)];
            rotations += drawn->operation == Operation::Rotate;
            negative += drawn->operation == Operation::Rotate && drawn->amount < 0;
        }
        QVERIFY(std::abs(left - draws / 2) < 5 * std::sqrt(draws / 4.0));
        for (const int count : counts)
            QVERIFY(std::abs(count - draws / 30) < 5 * std::sqrt(draws / 30.0));
        QVERIFY(std::abs(negative - rotations / 2) < 5 * std::sqrt(rotations / 4.0));
    }
};

ATTNSCOPE_TEST(TestOperations)
#include "tst_operations.moc"
