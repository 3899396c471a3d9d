#pragma once

#include "ui/workspace/result_row.h"

#include <QList>

namespace attnscope::ui {

/// What a person types to find runs: words that all must occur, anywhere or in a named field, upper and lower case alike.
///
///     model:deit attention:lara folder:imagenet-val "paper setting" -weights:untrained
///
/// A word in quotation marks may have blanks, one after a minus must not occur.
class RunFilter {
public:
    /// Never fails: a field that does not exist is a `problem`, and its word is looked for anywhere.
    static RunFilter parse(const QString& text);

    bool matches(const ResultRow& row) const;
    /// One sentence, or nothing.
    const QString& problem() const { return m_problem; }
    /// The fields that can be named.
    static const QStringList& fields();

private:
    struct Word {
        QString field, text;
        bool excluded = false;
    };
    QList<Word> m_words;
    QString m_problem;
};

}
