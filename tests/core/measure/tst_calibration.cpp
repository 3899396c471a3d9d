#include "core/measure/calibration.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <limits>

using namespace attnscope;

class TestCalibration : public QObject {
    Q_OBJECT

private slots:
    /// Two classes with probabilities (0.9, 0.1), (0.6, 0.4) and (0.62, 0.38): by hand.
    void figuresOfThreeSamplesAreThoseComputedByHand()
    {
        Calibration all;
        QVERIFY(!all.known());
        all.add(0, true, PredictedProbabilities{0.9, 0.9, 0.81 + 0.01});
        all.add(1, false, PredictedProbabilities{0.6, 0.4, 0.36 + 0.16});
        all.add(1, true, PredictedProbabilities{0.62, 0.62, 0.3844 + 0.1444});
        all.add(1, false, std::nullopt);  // not finite: wrong, and without probabilities
        QCOMPARE(all.samples(), 3);
        QCOMPARE(all.nll(), -(std::log(0.9) + std::log(0.4) + std::log(0.62)) / 3);
        QCOMPARE(all.ece(), (0.1 + 0.6 + 0.38) / 3);
        QVERIFY(std::abs(*all.brier() - (0.02 + 0.72 + 0.2888) / 3) < 1e-12);
        QVERIFY(std::abs(all.macroTop1() - (1.0 + 1.0 / 3) / 2) < 1e-15);
        // A sample in the bin of 0.62, wrong: in it |1 − 1.23|, half of the samples against a confidence of 0.615.
        all.add(0, false, PredictedProbabilities{0.61, 0.2});
        QVERIFY(std::abs(all.ece() - (0.1 + 0.6 + 0.23) / 4) < 1e-12);
        QVERIFY2(!all.brier(), "one prediction has no sum of squares");
        const CalibrationBin& shared = all.bins()[9];
        QVERIFY(shared.accuracy.samples == 2 && shared.accuracy.correct == 1);
        QVERIFY(std::abs(shared.confidence() - 0.615) < 1e-12);
    }

    void binsHoldTheirUpperEnds()
    {
        const auto binOf = [](double probability) {
            Calibration one;
            one.add(0, true, PredictedProbabilities{probability, probability});
            for (size_t i = 0; i < Calibration::binCount; ++i)
                if (one.bins()[i].accuracy.known())
                    return int(i);
            return -1;
        };
        QCOMPARE(binOf(0), 0);
        QCOMPARE(binOf(1.0 / 15), 0);
        QCOMPARE(binOf(std::nextafter(1.0 / 15, 1.0)), 1);
        QCOMPARE(binOf(0.5), 7);
        QCOMPARE(binOf(14.0 / 15), 13);
        QCOMPARE(binOf(1), 14);
        // Of damaged stores.
        QCOMPARE(binOf(7), 14);
        QCOMPARE(binOf(-1), 0);
        QCOMPARE(binOf(std::numeric_limits<double>::quiet_NaN()), 0);
    }

    void aProbabilityOfZeroCountsAsTheSmallestFloat()
    {
        Calibration all;
        all.add(0, false, PredictedProbabilities{1, 0, 1.0});
        all.add(0, true, PredictedProbabilities{1, 1, 1.0});
        QCOMPARE(all.zeroProbabilities(), 1);
        QVERIFY(std::abs(all.nll() - 149 * std::log(2.0) / 2) < 1e-9);  // 2⁻¹⁴⁹
        QCOMPARE(*all.brier(), 1.0);
    }
};

ATTNSCOPE_TEST(TestCalibration)
#include "tst_calibration.moc"
