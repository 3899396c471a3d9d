// What test classes of every folder check with, beside Qt Test's own.
#pragma once

#include "core/base/error.h"

#include <QTest>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

namespace fs = std::filesystem;
using QTest::addRow, QTest::currentDataTag;

/// Texts of either library, and lines.
inline std::string utf8(const char* text)
{
    return text;
}
inline std::string utf8(std::string_view text)
{
    return std::string(text);
}
inline std::string utf8(const QString& text)
{
    return text.toStdString();
}
inline std::string utf8(const std::vector<std::string>& lines)
{
    std::string all;
    for (const std::string& line : lines)
        all += line + "\n";
    return all;
}

template <typename Text, typename Part>
bool contains(const Text& text, const Part& part) requires requires
{
    utf8(text), utf8(part);
}
{
    return utf8(text).find(utf8(part)) != std::string::npos;
}

/// What an error thrown by `work` says; empty if it throws none.
template <typename Thrown = Error, typename Work>
std::string refusal(const Work& work) requires requires
{
    work();
}
{
    try {
        work();
    } catch (const Thrown& error) {
        return error.what();
    }
    return {};
}

/// The columns of a data-driven test.
template <typename... Types, typename... Names>
void columns(const Names&... names)
{
    (QTest::addColumn<Types>(names), ...);
}

/// One of its rows; texts of core go into columns of QString.
template <typename Name, typename... Values>
void row(const Name& name, const Values&... values)
{
    QTestData& data = QTest::newRow(utf8(name).c_str());
    const auto add = [&](const auto& value) {
        if constexpr (std::is_same_v<decltype(value), const std::string&>)
            data << QString::fromStdString(value);
        else
            data << value;
    };
    (add(values), ...);
}

/// A column of texts, and rows that are called as they are.
template <typename Texts = std::initializer_list<const char*>>
void rows(const char* column, const Texts& texts)
{
    columns<QString>(column);
    for (const auto& text : texts)
        row(text, text);
}

}

/// The column of that name, a QString, as core's texts are.
#define FETCH_TEXT(name)                                                                                          \
    const std::string name =                                                                                      \
        static_cast<const QString*>(QTest::qData(#name, qMetaTypeId<QString>()))->toStdString()

/// The text contains `part`; a failure shows the text.
#define SAYS(text, part)                                                                                          \
    do {                                                                                                          \
        const std::string shownText = attnscope::utf8(text);                                                      \
        QVERIFY2(attnscope::contains(shownText, part), shownText.c_str());                                        \
    } while (false)

/// THROWS(UsageError, expression)
#define THROWS(...) QVERIFY_THROWS_EXCEPTION(__VA_ARGS__)

/// The expression throws an error of that type, whose sentence contains `part`.
#define REFUSES(type, expression, part) SAYS(attnscope::refusal<attnscope::type>([&] { expression; }), part)
