#pragma once

#include "cli_process.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <random>

/// Folders of tiny images, a tiny network, and what two evaluations of them must share.
namespace attnscope::test {

const QByteArray tinyNetwork =
    R"({"family":"deit","img_size":16,"patch_size":4,"embed_dim":12,"depth":2,"num_heads":3,"num_classes":12,
"mlp_ratio":2,"qkv_bias":true,"ln_eps":1e-6,"act":"gelu_erf","attention":"softmax"})";

inline void put(const QString& path, const QByteArray& content)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("%s cannot be written", qPrintable(path));
}

/// 20 × 18 random pixels as PNM.
inline QByteArray tinyImage(unsigned seed)
{
    std::minstd_rand random(seed + 1);
    QByteArray image = "P6\n20 18\n255\n";
    for (int i = 0; i < 20 * 18 * 3; ++i)
        image += char(random() >> 8 & 255);
    return image;
}

/// `count` images in six class folders; returns their paths in the order in which they are evaluated.
inline QStringList putImages(const QString& folder, int count)
{
    QStringList paths;
    for (int i = 0; i < count; ++i) {
        paths << QString("%1/c%2/%3.ppm").arg(folder).arg(i * 6 / count).arg(i, 6, 10, QChar('0'));
        put(paths.last(), tinyImage(unsigned(i)));
    }
    return paths;
}

/// Without what depends on time, place and how often it was begun.
inline QJsonObject withoutTimings(QJsonObject json)
{
    QJsonObject evaluation = json["evaluation"].toObject();
    for (const char* key : {"id", "seconds", "samples_per_second", "data", "threads", "device", "notes", "shard"})
        evaluation.remove(key);
    json["evaluation"] = evaluation;
    QJsonArray runs;
    for (QJsonValue value : json["runs"].toArray()) {
        QJsonObject run = value.toObject();
        for (const char* key : {"images_per_second", "latency_ms", "memory_bytes"})
            run.remove(key);
        runs << run;
    }
    json["runs"] = runs;
    return json;
}

inline QByteArray comparable(const QString& jsonFile)
{
    QFile file(jsonFile);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument(withoutTimings(QJsonDocument::fromJson(file.readAll()).object())).toJson();
}

/// Every kind of randomness.
inline QStringList someAttentions()
{
    QStringList arguments;
    for (const char* spec : {"softmax", "performer:samples=8", "ra", "lara:samples=4"})
        arguments << "--attention" << spec;
    return arguments;
}

}
