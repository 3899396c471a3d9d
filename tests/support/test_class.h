// Several Qt Test classes make one program: linking, and LibTorch's headers, are paid for once. Each file of tests ends with one
// of these lines in the place of Qt's QTEST_…MAIN, and is run by `PROGRAM tst_file [option of Qt Test]…`.
#pragma once

#include "tests/support/checks.h"

#include <QTest>
#ifdef QT_WIDGETS_LIB
#include <QApplication>
#endif

namespace attnscope::testing {

struct TestClass {
    using Run = int (*)(int count, char** words);

    /// `file`: the source; the class is called by its name without folder and suffix.
    TestClass(const char* file, Run run);
};

}

#define ATTNSCOPE_TEST_WITHIN(Class, ...)                                                                         \
    static const attnscope::testing::TestClass registered##Class(__FILE__, [](int count, char** words) {          \
        __VA_ARGS__;                                                                                              \
        Class tests;                                                                                              \
        QTest::setMainSourcePath(__FILE__, QT_TESTCASE_BUILDDIR);                                                 \
        return QTest::qExec(&tests, count, words);                                                                \
    });

/// Plain functions.
#define ATTNSCOPE_TEST(Class) ATTNSCOPE_TEST_WITHIN(Class)
/// With an event loop.
#define ATTNSCOPE_EVENT_TEST(Class) ATTNSCOPE_TEST_WITHIN(Class, QCoreApplication application(count, words))
/// With windows.
#define ATTNSCOPE_WINDOW_TEST(Class)                                                                              \
    ATTNSCOPE_TEST_WITHIN(Class, QApplication application(count, words);                                          \
                          application.setAttribute(Qt::AA_Use96Dpi, true))
