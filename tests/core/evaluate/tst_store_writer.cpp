// A disk that is full while an evaluation runs.
#include "core/base/error.h"
#include "core/evaluate/store_writer.h"
#include "tests/core/evaluate/evaluation_cases.h"
#include "tests/support/test_class.h"

using namespace attnscope;
using namespace attnscope::testing;

namespace {

/// Retries a number of times, then stops it or gives up.
class Patient : public Notebook {
public:
    int retries = 0;
    bool stops = false;

    bool retriesWithoutSpace(const std::string& sentence) override
    {
        messages.push_back(sentence);
        if (stops)
            stop.request_stop();
        return retries-- > 0;
    }
};

}

class TestStoreWriter : public QObject {
    Q_OBJECT

private slots:
    void itIsTriedAgainAsOftenAsTheObserverWants()
    {
        const Folder folder;
        Patient observer;
        StoreWriter writer(folder / "runs.sqlite", observer, {});
        int tries = 0;
        const auto work = [&](ResultStore&) {
            if (++tries < 4)
                throw NoSpace("", "the disk is full");
            return 7;
        };
        observer.retries = 3;
        QCOMPARE(writer.with(work), 7);
        QCOMPARE(tries, 4);
        QCOMPARE(observer.messages, std::vector<std::string>(3, "the disk is full."));
        tries = 0;
        observer.retries = 1;
        THROWS(NoSpace, writer.with(work));
        QCOMPARE(tries, 2);
    }

    void whoStopsIsNotAsked()
    {
        const Folder folder;
        Patient observer;
        observer.retries = 1000;
        StoreWriter writer(folder / "runs.sqlite", observer, observer.stop.get_token());
        const auto full = [](ResultStore&) { throw NoSpace("", "the disk is full"); };
        observer.stops = true;
        THROWS(Cancelled, writer.with(full));
        THROWS(Cancelled, writer.with(full));
        QCOMPARE(observer.messages.size(), 1);
    }
};

ATTNSCOPE_TEST(TestStoreWriter)
#include "tst_store_writer.moc"
