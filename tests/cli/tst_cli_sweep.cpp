// Every attention of the table at the ends of its options, on networks of every kind: figures, or one sentence.
#include "tests/cli/cli_process.h"
#include "tests/support/test_class.h"

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace attnscope::test;

namespace {

constexpr double beyond = 24;  // more than the networks have tokens: limits of the table are for larger ones

/// Smooth numbers as `input` of this shape.
QByteArray inputTensor(const std::vector<int>& shape)
{
    int count = 1;
    QByteArrayList sizes;
    for (const int size : shape) {
        count *= size;
        sizes << QByteArray::number(size);
    }
    QByteArray values;
    for (int i = 0; i < count; ++i) {
        const float x = float(std::sin(0.37 * i) + std::sin(0.011 * i));
        values.append(reinterpret_cast<const char*>(&x), 4);
    }
    return safetensors(R"({"input":{"dtype":"F32","shape":[)" + sizes.join(',') + R"(],"data_offsets":[0,)"
                           + QByteArray::number(4 * count) + "]}}",
                       values);
}

/// The ends of an option without its default.
QStringList valuesOf(const QJsonObject& option)
{
    QStringList values;
    const QString type = option["type"].toString();
    const QJsonValue usual = option["default"];
    if (type == "integer" || type == "real") {
        for (const double end : {option["minimum"].toDouble(), std::min(option["maximum"].toDouble(), beyond)})
            if (!usual.isNull() && end != usual.toDouble())
                values << QString::number(end);
    } else if (type == "choice") {
        for (const QJsonValue choice : option["choices"].toArray())
            if (const QString name = choice.toObject()["name"].toString(); name != usual.toString())
                values << name;
    } else {
        values << (usual.toBool() ? "false" : "true");
    }
    return values;
}

/// Every attention alone, and with each option at its ends; `keys`: that value of the option of that name, where there is one.
QStringList settings(const QString& keys)
{
    QStringList specs;
    for (const QJsonValue value : runCli({"backends", "--json", "-"}).json()["backends"].toArray()) {
        const QJsonObject info = value.toObject();
        const QString name = info["name"].toString();
        const QJsonArray options = info["options"].toArray();
        const auto isKeys = [](const QJsonValue option) { return option.toObject()["name"].toString() == "keys"; };
        if (!keys.isEmpty() && std::none_of(options.begin(), options.end(), isKeys))
            continue;
        const QString end = keys.isEmpty() ? QString() : "keys=" + keys;
        specs << (end.isEmpty() ? name : name + ":" + end);
        for (const QJsonValue option : options)
            if (!isKeys(option) && option.toObject()["name"].toString() != "kernel")
                for (const QString& one : valuesOf(option.toObject()))
                    specs << name + ":" + option.toObject()["name"].toString() + "=" + one
                                 + (end.isEmpty() ? "" : "," + end);
    }
    return specs;
}

bool isOneSentence(const QString& text)
{
    return text.endsWith('.') && !text.contains('\n') && text.size() < 250 && !text.contains("c10")
           && !text.contains("Expected");
}

}

class CliSweep : public QObject {
    Q_OBJECT

private slots:
    void everySettingHasAnErrorOrAReason_data()
    {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<std::vector<int>>("input");
        QTest::addColumn<QString>("keys");
        const QByteArray vit =
            R"("img_size":16,"patch_size":4,"embed_dim":16,"depth":1,"num_heads":2,"num_classes":3,"mlp_ratio":2,)"
            R"("ln_eps":1e-6})";
        const QByteArray pyramid =
            R"({"family":"pvt_v2","img_size":32,"embed_dims":[8,8,8,8],"num_heads":[1,2,2,1],)"
            R"("mlp_ratios":[2,2,2,2],"depths":[1,1,1,1],"sr_ratios":[2,2,1,1],"num_classes":3})";
        const QByteArray video =
            R"({"family":"motionformer","crop":16,"frames":4,"frame_interval":1,"tubelet":2,"patch":4,"embed_dim":24,)"
            R"("depth":1,"num_heads":2,"mlp_ratio":2,"use_mlp_head":false,"num_classes":3,"attn":)";
        const auto row = [](const char* name, const QByteArray& model, const std::vector<int>& input,
                            const char* keys = "") { QTest::newRow(name) << model << input << QString(keys); };
        const std::vector<int> image{3, 16, 16}, large{3, 32, 32}, clip{3, 4, 16, 16};
        row("no class token", R"({"family":"evit",)" + vit, image);
        row("class token", R"({"family":"deit",)" + vit, image);
        row("class and distillation token", R"({"family":"deit","distilled":true,)" + vit, image);
        row("keys of all tokens", pyramid, large, "all");
        row("reduced keys", pyramid, large, "reduced");
        row("frames one by one", video + R"("trajectory"})", clip);
        row("space attention of a frame", video + R"("divided"})", clip);
        row("all frames together", video + R"("joint"})", clip);
    }

    void everySettingHasAnErrorOrAReason()
    {
        QFETCH(QByteArray, model);
        QFETCH(std::vector<int>, input);
        QFETCH(QString, keys);
        QStringList words{"approximate",
                          put("input.safetensors", inputTensor(input)),
                          "--weights",
                          "untrained",
                          "--model",
                          put("model.json", model),
                          "--seeds",
                          "1",
                          "--quiet",
                          "--json",
                          "-"};
        const QStringList specs = settings(keys);
        for (const QString& spec : specs)
            words << "--flat" << spec;
        const Outcome outcome = runCli(words);
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonArray curves = outcome.json()["curves"].toArray();
        QCOMPARE(curves.size(), specs.size());
        int measured = 0;
        for (const QJsonValue value : curves) {
            const QString attention = value.toObject()["attention"].toString();
            const QJsonObject point = value.toObject()["points"].toArray()[0].toObject();
            if (point.contains("unavailable")) {
                const QString reason = point["unavailable"].toString();
                QVERIFY2(isOneSentence(reason), qPrintable(attention + ": " + reason));
                continue;
            }
            ++measured;
            const bool finite = point["relative"].isDouble() && point["relative"].toDouble() >= 0;
            QVERIFY2(finite || point["not_finite"].toInt() > 0, qPrintable(attention));
        }
        QVERIFY2(measured > specs.size() / 2, qPrintable(QString::number(measured)));
    }

private:
    QString put(const QString& name, const QByteArray& content)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("%s cannot be written", qPrintable(name));
        return file.fileName();
    }

    QTemporaryDir m_folder;
};

ATTNSCOPE_EVENT_TEST(CliSweep)
#include "tst_cli_sweep.moc"
