#include "models/blocks/image_preparation.h"

#include "models/weights/config_reader.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

int64_t ImagePreparation::resizeFor(int64_t crop) const
{
    return int64_t(std::floor(double(crop) / cropFraction + 1e-9));
}

ImagePreparation parseImagePreparation(const Json& config, const std::string& subject)
{
    const ConfigReader reader(config, subject);
    ImagePreparation preparation;
    const auto three = [&](const char* key, double minimum, std::array<double, 3>& into) {
        if (!reader.has(key))
            return;
        const auto values = reader.numbers(key, 3, minimum, 1e3);
        std::ranges::copy(values, into.begin());
    };
    three("mean", -1e3, preparation.mean);
    three("std", 1e-6, preparation.stddev);
    if (reader.has("interpolation"))
        preparation.filter =
            filterNamed(reader.choice("interpolation", {filterNames.begin(), filterNames.end()})).value();
    preparation.cropFraction = reader.number("crop_pct", preparation.cropFraction, 0.05, 1);
    preparation.squash = reader.flag("squash", false);
    return preparation;
}

void addTo(Json& config, const ImagePreparation& preparation)
{
    const ImagePreparation usual;
    if (preparation.mean != usual.mean)
        config["mean"] = preparation.mean;
    if (preparation.stddev != usual.stddev)
        config["std"] = preparation.stddev;
    if (preparation.filter != usual.filter)
        config["interpolation"] = toText(preparation.filter);
    if (preparation.cropFraction != usual.cropFraction)
        config["crop_pct"] = preparation.cropFraction;
    if (preparation.squash)
        config["squash"] = true;
}

void apply(const ImagePreparation& preparation, Transform& transform)
{
    transform.filter = preparation.filter;
    transform.fit = preparation.squash                            ? ResizeFit::Squash
                    : transform.cropHeight != transform.cropWidth ? ResizeFit::Cover
                                                                  : ResizeFit::ShortSide;
    for (size_t i = 0; i < 3; ++i) {
        transform.mean.at(i) = float(preparation.mean.at(i));
        transform.stddev.at(i) = float(preparation.stddev.at(i));
    }
}

}
