#include "core/data/augment/rand_augment.h"

#include <algorithm>

namespace attnscope {

namespace {

using Setting = OperationSetting;

struct OperationKind {
    double (*amount)(double fraction, double sign);  ///< for a fraction of the greatest magnitude
    void (*apply)(ImageView image, double amount, const Setting& setting);
};

double noAmount(double, double)
{
    return 0;
}

double factor(double fraction, double sign)
{
    return std::max(1 + sign * fraction * 0.9, 0.1);
}

double shear(double fraction, double sign)
{
    return sign * fraction * 0.3;
}

double translation(double fraction, double sign)
{
    return sign * fraction * 0.45;
}

template <void change(ImageView)>
void changed(ImageView image, double, const Setting&)
{
    change(image);
}

template <typename Amount, void change(ImageView, Amount)>
void changedBy(ImageView image, double amount, const Setting&)
{
    change(image, static_cast<Amount>(amount));
}

template <AffineMap mapOf(ImageView image, double amount)>
void warped(ImageView image, double amount, const Setting& setting)
{
    warp(image, mapOf(image, amount), setting.filter, setting.fill);
}

/// In the order of Operation.
constexpr std::array<OperationKind, operationCount> kinds{{
    {noAmount, changed<autoContrast>},
    {noAmount, changed<equalise>},
    {noAmount, changed<invert>},
    {[](double fraction, double sign) { return sign * fraction * 30; },
     warped<[](ImageView image, double degrees) { return rotation(degrees, image.width, image.height); }>},
    {[](double fraction, double) { return double(std::max(4 - int(fraction * 4), 1)); },
     changedBy<int, posterise>},
    {[](double fraction, double) { return double(256 - std::min(int(fraction * 256), 256)); },
     changedBy<int, solarise>},
    {[](double fraction, double) { return double(std::min(int(fraction * 110), 128)); },
     changedBy<int, solariseAdd>},
    {factor, changedBy<double, changeColour>},
    {factor, changedBy<double, changeContrast>},
    {factor, changedBy<double, changeBrightness>},
    {factor, changedBy<double, changeSharpness>},
    {shear, warped<[](ImageView, double amount) { return AffineMap{1, amount, 0, 0, 1, 0}; }>},
    {shear, warped<[](ImageView, double amount) { return AffineMap{1, 0, 0, amount, 1, 0}; }>},
    {translation, warped<[](ImageView image, double amount) {
         return AffineMap{1, 0, amount * double(image.width), 0, 1, 0};
     }>},
    {translation, warped<[](ImageView image, double amount) {
         return AffineMap{1, 0, 0, 0, 1, amount * double(image.height)};
     }>},
}};

const OperationKind& kindOf(Operation operation)
{
    return kinds[size_t(operation)];
}

}

double operationAmount(Operation operation, double magnitude, bool negative)
{
    return kindOf(operation).amount(magnitude / 10, negative ? -1 : 1);
}

std::optional<DrawnOperation> drawOperation(double magnitude, SampleRandom& random)
{
    const auto operation = static_cast<Operation>(random.below(operationCount));
    if (random.chance(0.5))
        return std::nullopt;
    const double drawn = std::clamp(magnitude + 0.5 * random.normal(), 0.0, 10.0);
    return DrawnOperation{operation, operationAmount(operation, drawn, random.chance(0.5))};
}

void applyOperation(ImageView image, const DrawnOperation& drawn, const OperationSetting& setting)
{
    kindOf(drawn.operation).apply(image, drawn.amount, setting);
}

}
