#include "core/base/error.h"
#include "core/base/json.h"
#include "core/data/preprocess/transform.h"
#include "core/media/image/image_reader.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

using namespace attnscope;

namespace {

const fs::path folder = fs::path(TEST_DATA_DIR) / "preprocess";

Json goldens()
{
    std::ifstream file(folder / "images.json");
    return Json::parse(file);
}

Transform pipeline(const Json& all, const std::string& name)
{
    const Json& from = all.at("pipelines").at(name);
    Transform transform;
    transform.resize = from.at("resize_short_side");
    transform.cropHeight = transform.cropWidth = from.at("center_crop");
    transform.filter = from.at("filter") == "bicubic" ? ResizeFilter::Bicubic : ResizeFilter::Bilinear;
    return transform;
}

/// Decoders for lossy formats may round differently from the one that made the goldens. Measured here: 0.
int allowedLevels(const std::string& file)
{
    return file.ends_with("jpg") || file.ends_with("webp") ? 1 : 0;
}

int largestDifference(const Clip& a, const Clip& b)
{
    int largest = 0;
    for (size_t i = 0; i < a.pixels.size(); ++i)
        largest = std::max(largest, std::abs(int(a.pixels[i]) - int(b.pixels[i])));
    return largest;
}

struct Statistics {
    double mean, stddev;
};

Statistics statistics(const float* values, int64_t count)
{
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < count; ++i) {
        sum += values[i];
        squares += double(values[i]) * values[i];
    }
    const double mean = sum / double(count);
    return {mean, std::sqrt(std::max(0.0, squares / double(count) - mean * mean))};
}

}

class TestImageGoldens : public QObject {
    Q_OBJECT

private slots:
    void cropEqualsPillows_data()
    {
        columns<QString, QString, QString, bool>("file", "pipeline", "expected", "apply");
        int count = 0;
        for (const auto& [file, golden] : m_all.at("files").items()) {
            if (!golden.contains("expected"))
                continue;
            for (const auto& [name, expected] : golden.at("expected").items()) {
                if (!expected.contains("file"))
                    continue;
                const std::string path = expected.at("file");
                row(path, file, name.substr(0, name.find("_with")), path,
                    (path.find(".exif.") != std::string::npos));
                ++count;
            }
        }
        QVERIFY(count >= 37);
    }

    void cropEqualsPillows()
    {
        FETCH_TEXT(file);
        QFETCH(QString, pipeline);
        FETCH_TEXT(expected);
        QFETCH(bool, apply);
        ImageReadOptions options;
        options.orientation = apply ? Orientation::Apply : Orientation::Ignore;
        const Clip clip = readImage(folder / "images" / file, options);
        const Clip result = resizeAndCrop(clip, ::pipeline(m_all, pipeline.toStdString()));
        const Clip golden = readImage(folder / expected);
        QCOMPARE(result.width, golden.width);
        QCOMPARE(result.height, golden.height);
        const int largest = largestDifference(result, golden);
        if (largest > 0)
            qInfo("%s: up to %d levels", expected.c_str(), largest);
        QVERIFY2(largest <= allowedLevels(file), qPrintable(QString("%1 levels").arg(largest)));
    }

    void normalisedValuesEqualTorchvisions_data()
    {
        columns<QString, QString>("file", "pipeline");
        for (const auto& [file, golden] : m_all.at("files").items()) {
            if (!golden.contains("expected"))
                continue;
            for (const auto& [name, expected] : golden.at("expected").items()) {
                if (expected.contains("mean"))
                    addRow("%s %s", file.c_str(), name.c_str())
                        << QString::fromStdString(file) << QString::fromStdString(name);
            }
        }
    }

    void normalisedValuesEqualTorchvisions()
    {
        FETCH_TEXT(file);
        QFETCH(QString, pipeline);
        const Json& golden = m_all["files"][file]["expected"][pipeline.toStdString()];
        const Transform transform = ::pipeline(m_all, pipeline.toStdString());
        const FloatArray result = applyTransform(readImage(folder / "images" / file), transform);
        const int64_t side = transform.cropWidth;
        for (int64_t c = 0; c < 3; ++c) {
            const float* plane = result.values.data() + c * side * side;
            // A level is 1/255/0.225 = 0.0175 and a bit; the goldens are printed with six digits.
            const double tolerance = 1e-6 + allowedLevels(file) * 0.0176;
            QVERIFY(std::abs(plane[0] - double(golden["probe_0_0"][c])) < tolerance);
            QVERIFY(std::abs(plane[100 * side + 37] - double(golden["probe_100_37"][c])) < tolerance);
            QVERIFY(std::abs(plane[side * side - 1] - double(golden["probe_last"][c])) < tolerance);
            // Their sums ran in float32.
            const Statistics found = statistics(plane, side * side);
            QVERIFY(std::abs(found.mean - double(golden["mean"][c])) < tolerance + 1e-5);
            QVERIFY(std::abs(found.stddev - double(golden["std"][c])) < tolerance + 5e-5);
        }
    }

    void brokenFilesAreRefused_data()
    {
        columns<QString, QString>("file", "says");
        row("empty", "broken_empty.png", "the file is empty");
        row("huge", "broken_huge_header.png", "the limit is 100 megapixels");
        row("no image", "broken_not_an_image.jpg", "this is not a JPEG, PNG, WebP, BMP, PNM or TIFF file");
        row("truncated", "broken_truncated.jpg", "is truncated");
    }

    void brokenFilesAreRefused()
    {
        FETCH_TEXT(file);
        FETCH_TEXT(says);
        try {
            readImage(folder / "images" / file);
            QFAIL("it was read");
        } catch (const FileError& error) {
            qInfo("%s", error.what());
            SAYS(error.what(), file);
            SAYS(error.what(), says);
        }
    }

private:
    Json m_all = goldens();
};

ATTNSCOPE_TEST(TestImageGoldens)
#include "tst_image_goldens.moc"
