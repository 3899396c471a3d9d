// The "meta" device, whose tensors have no numbers, stands in for a GPU.
#include "core/attention/numerics/kept_copies.h"
#include "tests/support/test_class.h"

using namespace attnscope;

class TestKeptCopies : public QObject {
    Q_OBJECT

private slots:
    void equalContentIsCopiedOnce()
    {
        KeptCopies copies;
        const at::Tensor host = numbers(3), first = copiedTo(host, there());
        QVERIFY(first.is_meta());
        QVERIFY(copiedTo(numbers(3), there()).is_same(first));
        QVERIFY(copiedTo(at::stack({numbers(3), numbers(3)}, 1).select(1, 0), there())
                    .is_same(first));  // not contiguous
        QVERIFY(!copiedTo(numbers(4), there()).is_same(first));
        QVERIFY(!copiedTo(numbers(3).view({3, 1}), there()).is_same(first));
        const at::Tensor wide = copiedTo(numbers(3), there(at::kDouble));
        QCOMPARE(wide.scalar_type(), at::kDouble);
        QVERIFY(copiedTo(numbers(3), there(at::kDouble)).is_same(wide));
        host.fill_(9);  // the caller's memory may be used again
        QVERIFY(copiedTo(numbers(3), there()).is_same(first));
        QVERIFY(!copiedTo(host, there()).is_same(first));
    }

    void withoutAScopeEveryCopyIsNew()
    {
        QVERIFY(!copiedTo(numbers(3), there()).is_same(copiedTo(numbers(3), there())));
        KeptCopies copies;
        const at::Tensor kept = copiedTo(numbers(3), there());
        copies.close();
        QVERIFY(!copiedTo(numbers(3), there()).is_same(kept));
        QVERIFY(copies.of(numbers(3), there()).is_same(kept));  // it lives as long as its scope's object
    }

    void theHostsOwnTensorsAreNotKept()
    {
        KeptCopies copies;
        const at::Tensor host = numbers(3);
        QVERIFY(copiedTo(host, host.options()).is_same(host));
        QVERIFY(copiedTo(host, at::TensorOptions(at::kDouble)).equal(host.to(at::kDouble)));
    }

private:
    static at::TensorOptions there(at::ScalarType type = at::kLong)
    {
        return at::TensorOptions(at::kMeta).dtype(type);
    }
    static at::Tensor numbers(int64_t last) { return at::tensor(std::vector<int64_t>{1, 2, last}, at::kLong); }
};

ATTNSCOPE_TEST(TestKeptCopies)
#include "tst_kept_copies.moc"
