// Timings of linear layers: what is kept from one process to the next, and what of a file that is not as it should be.
#include "core/kernels/cpu/cpu_kernels.h"
#include "core/kernels/linear_timings.h"
#include "tests/support/test_class.h"

#include <QFile>
#include <QTemporaryDir>

using namespace attnscope;
using namespace attnscope::kernels;

namespace {

LinearShape shapeOf(int64_t out)
{
    return {384, out, 128, "float32", 2};
}

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

}

class LinearTimings : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        if (&cpuKernels() != supportedCpuKernels().front())
            QSKIP("Timings are only kept for the best kernels.");
        QVERIFY(m_folder.isValid());
    }

    void whatWasMeasuredIsKnownToTheNextProcess()
    {
        const QString path = m_folder.filePath("new/timings.json");
        keepLinearTimings(path.toStdString());
        QVERIFY(linearTimingsAreKept());
        QVERIFY(!linearTiming(shapeOf(1152)));
        remember({shapeOf(1152), 3, 2});
        remember({shapeOf(384), 2, 3});
        keepLinearTimings(m_folder.filePath("other.json").toStdString());
        QVERIFY(linearTimings().empty());
        keepLinearTimings(path.toStdString());
        QCOMPARE(linearTimings().size(), 2);
        QVERIFY(linearTiming(shapeOf(1152))->prefersOneDnn());
        QVERIFY(!linearTiming(shapeOf(384))->prefersOneDnn());
        QVERIFY(!linearTiming({384, 1152, 64, "float32", 2}));
    }

    void otherMachinesEntriesStay()
    {
        const QString path = m_folder.filePath("shared.json");
        write(
            path,
            R"({"avx9, LibTorch 3, Other": [{"in": 1, "out": 2, "rows": 3, "dtype": "float32", "threads": 4, "own_ms": 5, "onednn_ms": 1}]})");
        keepLinearTimings(path.toStdString());
        QVERIFY(linearTimings().empty());
        remember({shapeOf(16), 1, 1});
        keepLinearTimings(m_folder.filePath("other.json").toStdString());
        QVERIFY(contents(path).contains("avx9") && contents(path).contains("\"out\": 16"));
    }

    void whatAnotherProcessWroteMeanwhileStays()
    {
        const QString path = m_folder.filePath("both.json"), earlier = m_folder.filePath("earlier.json");
        keepLinearTimings(earlier.toStdString());
        remember({shapeOf(80), 1, 2});
        keepLinearTimings(path.toStdString());
        QVERIFY(linearTimings().empty());
        write(path, contents(earlier));
        remember({shapeOf(96), 1, 2});
        keepLinearTimings(m_folder.filePath("other.json").toStdString());
        keepLinearTimings(path.toStdString());
        QVERIFY(linearTiming(shapeOf(80)) && linearTiming(shapeOf(96)));
    }

    void entriesAreOfOneProcessor()
    {
        const QString path = m_folder.filePath("processor.json");
        keepLinearTimings(path.toStdString());
        remember({shapeOf(112), 1, 2});
        keepLinearTimings(m_folder.filePath("other.json").toStdString());
        const QByteArray key = contents(path).split('[').first();
        QFile file("/proc/cpuinfo");
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArrayList values;
        const QByteArray all = file.readAll();
        for (const QByteArray& line : all.left(all.indexOf("\n\n")).split('\n'))
            if (line.startsWith("model name") || line.startsWith("cpu family") || line.startsWith("model\t")
                || line.startsWith("stepping"))
                values << line.mid(line.indexOf(':') + 1);
        if (values.isEmpty())
            QSKIP("This kernel does not say which processor it runs on.");
        QVERIFY2(key.contains(',' + values.join() + '"'), key);
    }

    void aDamagedFileIsAsGoodAsNone_data()
    {
        columns<QByteArray>("bytes");
        for (const char* bytes :
             {"", "{", "[]", "[1]", "7", "null", "{\"a\": 1}", "{\"a\": [{\"in\": \"x\"}]}", "\xff\xfe"})
            row(bytes, QByteArray(bytes));
    }

    void aDamagedFileIsAsGoodAsNone()
    {
        QFETCH(QByteArray, bytes);
        const QString path = m_folder.filePath("damaged.json");
        write(path, bytes);
        keepLinearTimings(path.toStdString());
        QVERIFY(linearTimings().empty());
        remember({shapeOf(48), 1, 2});
        keepLinearTimings(path.toStdString());
        QCOMPARE(linearTimings().size(), 1);
    }

    void whereNothingCanBeWrittenItIsKnownToThisProcess()
    {
        keepLinearTimings("/proc/attnscope/timings.json");
        remember({shapeOf(32), 1, 2});
        QVERIFY(linearTiming(shapeOf(32)));
    }

    void recordsNameTheLayersThatOneDnnComputes()
    {
        QCOMPARE(kernelsInUse(), std::string(cpuKernels().name));
        useOneDnnFor({384, 1536, 128, "float32", 2});
        useOneDnnFor({384, 1536, 64, "float32", 2});
        QCOMPARE(kernelsInUse(), cpuKernels().name + std::string(", oneDNN for linear layers 384→1536 (float32)"));
        useOneDnnFor({768, 3072, 64, "float32", 2});
        QCOMPARE(kernelsInUse(),
                 cpuKernels().name
                     + std::string(", oneDNN for linear layers 384→1536 (float32), 768→3072 (float32)"));
    }

private:
    QTemporaryDir m_folder;
};

ATTNSCOPE_TEST(LinearTimings)
#include "tst_linear_timings.moc"
