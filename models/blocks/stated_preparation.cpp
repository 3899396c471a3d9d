#include "models/blocks/stated_preparation.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attnscope {

namespace {

/// The settings of one file, of which the first that can't be obeyed is remembered.
struct Settings {
    const Json& json;
    const char* file;
    StatedPreparation stated;

    Json value(const char* key) const { return json.value(key, Json()); }
    bool flag(const char* key, bool usual) const { return json.value(key, Json(usual)) == Json(true); }

    void refuse(const char* key, const std::string& why = "is not supported")
    {
        if (stated.refusal.empty())
            stated.refusal = "`" + std::string(key) + "` of its " + file + ", "
                             + printable(value(key).dump().substr(0, 60)) + ", " + why;
    }

    /// Three numbers, or one for all channels.
    void three(const char* key, std::array<double, 3>& into)
    {
        const Json found = value(key).is_number() ? Json{value(key), value(key), value(key)} : value(key);
        if (found.is_array() && found.size() == 3
            && std::ranges::all_of(found, [](const Json& each) { return each.is_number(); }))
            std::ranges::transform(found, into.begin(), [](const Json& each) { return each.get<double>(); });
        else if (!found.is_null())
            refuse(key, "is not a number for each of three channels");
    }

    void filter(const char* key, std::optional<ResizeFilter> found)
    {
        if (found)
            stated.preparation.filter = *found;
        else if (!value(key).is_null())
            refuse(key);
    }

    void crop(const char* key, double fraction)
    {
        if (fraction >= 0.05 && fraction <= 1)
            stated.preparation.cropFraction = fraction;
        else
            refuse(key, "is not a crop of 0.05 to 1 of the image");
    }
};

/// Of an object with height and width, or of one number; 0 if it is no size.
InputSize sizeIn(const Json& size)
{
    const auto side = [&](const char* key) {
        const Json pixels = size.is_object() ? size.value(key, Json()) : size;
        return pixels.is_number_integer() ? std::clamp<int64_t>(pixels.get<int64_t>(), 0, 16384) : int64_t{0};
    };
    return {side("width"), side("height")};
}

/// Values are pixels · factor, then normalised: as if mean and standard deviation were those of pixels / 255.
void readValues(Settings& settings)
{
    ImagePreparation& preparation = settings.stated.preparation;
    settings.three("image_mean", preparation.mean);
    settings.three("image_std", preparation.stddev);
    if (!settings.flag("do_normalize", true))
        preparation.mean = {0, 0, 0}, preparation.stddev = {1, 1, 1};
    const Json factor = settings.value("rescale_factor");
    const double scale = !settings.flag("do_rescale", true) ? 255
                         : factor.is_number()               ? 255 * factor.get<double>()
                                                            : 1;
    if (!(scale >= 1e-3 && scale <= 1e3))
        return settings.refuse("rescale_factor");
    for (size_t i = 0; i < 3 && std::abs(scale - 1) > 1e-9; ++i)
        preparation.mean.at(i) /= scale, preparation.stddev.at(i) /= scale;
}

void readSizes(Settings& settings)
{
    StatedPreparation& stated = settings.stated;
    const Json size = settings.value("size");
    const InputSize crop = sizeIn(settings.value("crop_size"));
    // One number is a square for some of the library's classes, and the short side for others.
    const std::string type = settings.value("image_processor_type").dump()
                             + settings.value("feature_extractor_type").dump();
    const bool square = type.find("ViT") != std::string::npos || type.find("DeiT") != std::string::npos
                        || type.find("Beit") != std::string::npos;
    const bool mayCrop = !crop.isOwn() && (size.is_object() ? size.contains("shortest_edge") : !square);
    const bool crops = settings.flag("do_center_crop", mayCrop);
    const Json edge = size.is_object() ? size.value("shortest_edge", Json()) : crops && !square ? size : Json();
    const InputSize whole = edge.is_null() ? sizeIn(size) : sizeIn(edge);
    stated.preparation.squash = edge.is_null();
    stated.input = crops ? crop : whole;
    if (!settings.flag("do_resize", true))
        return settings.refuse("do_resize", "which would leave images of any size, is not supported");
    if (whole.shortSide() < 1 || (size.is_object() && size.contains("longest_edge")))
        return settings.refuse("size");
    if (stated.input.shortSide() < 1)
        return settings.refuse("crop_size");
    if ((!crops && !edge.is_null()) || whole.width * stated.input.height != whole.height * stated.input.width)
        return settings.refuse("size", "gives images another aspect than the network's");
    settings.crop("crop_size", double(stated.input.width) / double(whole.width));
}

}

StatedPreparation timmPreparation(const Json& weights, const ImagePreparation& usual)
{
    Settings settings{weights, "config.json", {.preparation = usual}};
    settings.three("mean", settings.stated.preparation.mean);
    settings.three("std", settings.stated.preparation.stddev);
    const Json filter = settings.value("interpolation"), fraction = settings.value("crop_pct"),
               mode = settings.value("crop_mode");
    settings.filter("interpolation", filter.is_string() ? filterNamed(filter.get<std::string>()) : std::nullopt);
    if (!fraction.is_null())
        settings.crop("crop_pct", fraction.is_number() ? fraction.get<double>() : 0);
    if (mode == Json("squash") || mode == Json("center"))
        settings.stated.preparation.squash = mode == Json("squash");
    else if (!mode.is_null())
        settings.refuse("crop_mode");
    return settings.stated;
}

std::optional<StatedPreparation> libraryPreparation(const Json& preprocessor)
{
    const bool normalises = preprocessor.is_object()
                            && preprocessor.value("do_normalize", Json(true)) == Json(true);
    if (!preprocessor.is_object()
        || (normalises && !(preprocessor.contains("image_mean") && preprocessor.contains("image_std"))))
        return std::nullopt;
    Settings settings{preprocessor, "preprocessor_config.json", {}};
    // In the order of Pillow's numbers.
    constexpr std::array filters{ResizeFilter::Nearest, ResizeFilter::Lanczos, ResizeFilter::Bilinear,
                                 ResizeFilter::Bicubic};
    const Json filter = settings.value("resample");
    const double number = filter.is_number_integer() ? filter.get<double>() : -1;
    const bool known = number >= 0 && number < double(filters.size());
    settings.filter("resample", known ? std::optional(filters.at(size_t(number))) : std::nullopt);
    for (const char* key : {"do_pad", "do_flip_channel_order", "rescale_offset", "crop_pct"})
        if (const Json found = settings.value(key); !found.is_null() && found != Json(false))
            settings.refuse(key);
    readValues(settings);
    readSizes(settings);
    return settings.stated;
}

}
