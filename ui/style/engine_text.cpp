#include "ui/style/engine_text.h"

#include "ui/style/qt_text.h"

#include <QRegularExpression>
#include <QSet>
#include <QStringList>

namespace attnscope::ui {

namespace {

constexpr const char* known[]{
    QT_TRANSLATE_NOOP("attnscope::engine", "tokens"),
    QT_TRANSLATE_NOOP("attnscope::engine", "samples"),
    QT_TRANSLATE_NOOP("attnscope::engine", "layer"),
    QT_TRANSLATE_NOOP("attnscope::engine", "epoch"),
    QT_TRANSLATE_NOOP("attnscope::engine", "position"),
    QT_TRANSLATE_NOOP("attnscope::engine", "norm"),
    QT_TRANSLATE_NOOP("attnscope::engine", "latency"),
    QT_TRANSLATE_NOOP("attnscope::engine", "latency of the model"),
    QT_TRANSLATE_NOOP("attnscope::engine", "time of one token"),
    QT_TRANSLATE_NOOP("attnscope::engine", "tokens later, plus one"),
    QT_TRANSLATE_NOOP("attnscope::engine", "norm of x and y, scaled as features see them"),
    QT_TRANSLATE_NOOP("attnscope::engine", "blocks run, mean over samples"),
    QT_TRANSLATE_NOOP("attnscope::engine", "top-1 accuracy"),
    QT_TRANSLATE_NOOP("attnscope::engine", "relative difference"),
    QT_TRANSLATE_NOOP("attnscope::engine", "relative error"),
    QT_TRANSLATE_NOOP("attnscope::engine", "KL of the classes"),
    QT_TRANSLATE_NOOP("attnscope::engine", "1 − cosine of the features"),
    QT_TRANSLATE_NOOP("attnscope::engine", "λ (0: the model, 1: the neighbours)"),
    QT_TRANSLATE_NOOP("attnscope::engine", "time of attention relative to exact"),
    QT_TRANSLATE_NOOP("attnscope::engine", "peak memory of attention relative to exact"),
    QT_TRANSLATE_NOOP("attnscope::engine", "latency of one forward pass"),
    QT_TRANSLATE_NOOP("attnscope::engine", "peak memory of one forward pass"),
    QT_TRANSLATE_NOOP("attnscope::engine", "relative error of the attention output"),
    QT_TRANSLATE_NOOP("attnscope::engine", "same q, k, v"),
    QT_TRANSLATE_NOOP("attnscope::engine", "end to end"),
    QT_TRANSLATE_NOOP("attnscope::engine", "one layer at a time"),
    QT_TRANSLATE_NOOP("attnscope::engine", "maps"),
    QT_TRANSLATE_NOOP("attnscope::engine", "accuracy"),
    QT_TRANSLATE_NOOP("attnscope::engine", "checking"),
    QT_TRANSLATE_NOOP("attnscope::engine", "errors"),
    QT_TRANSLATE_NOOP("attnscope::engine", "error"),
    QT_TRANSLATE_NOOP("attnscope::engine", "time"),
    QT_TRANSLATE_NOOP("attnscope::engine", "parallel form"),
    QT_TRANSLATE_NOOP("attnscope::engine", "training features"),
    QT_TRANSLATE_NOOP("attnscope::engine", "features"),
    QT_TRANSLATE_NOOP("attnscope::engine", "index"),
    QT_TRANSLATE_NOOP("attnscope::engine", "training of the linear probe"),
    QT_TRANSLATE_NOOP("attnscope::engine", "cost of every layer"),
    QT_TRANSLATE_NOOP("attnscope::engine", "layer %1"),
    QT_TRANSLATE_NOOP("attnscope::engine", "effect of layer %1"),
    QT_TRANSLATE_NOOP("attnscope::engine", "%1 tokens"),
    QT_TRANSLATE_NOOP("attnscope::engine", "timing at %1"),
    QT_TRANSLATE_NOOP("attnscope::engine", "about %1 s"),
    QT_TRANSLATE_NOOP("attnscope::engine", "about %1 min"),
    QT_TRANSLATE_NOOP("attnscope::engine", "about %1 h %2 min"),
};

QString translated(const QString& part)
{
    static const QSet<QString> all = [] {
        QSet<QString> set;
        for (const char* each : known)
            set.insert(QString::fromUtf8(each));
        return set;
    }();
    const auto inLanguage = [](const QString& text) {
        return QCoreApplication::translate("attnscope::engine", text.toUtf8().constData());
    };
    if (all.contains(part))
        return inLanguage(part);
    static const QRegularExpression number(u"\\d+"_s);
    QString pattern;
    QStringList numbers;
    qsizetype from = 0;
    for (const QRegularExpressionMatch& found : number.globalMatch(part)) {
        numbers << found.captured();
        pattern += part.mid(from, found.capturedStart() - from) + u"%%1"_s.arg(numbers.size());
        from = found.capturedEnd();
    }
    pattern += part.mid(from);
    if (!all.contains(pattern))
        return part;
    QString text = inLanguage(pattern);
    for (const QString& each : numbers)
        text = text.arg(each);
    return text;
}

}

QString engineText(std::string_view words)
{
    const QString separator = u" · "_s;
    QStringList parts = toQt(words).split(separator);
    for (QString& part : parts)
        part = translated(part);
    return parts.join(separator);
}

}
