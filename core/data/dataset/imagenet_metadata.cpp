#include "core/data/dataset/imagenet_metadata.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>

namespace attnscope {

namespace {

/// The fields of each line.
std::vector<std::vector<std::string_view>> tableOf(std::string_view text)
{
    std::vector<std::vector<std::string_view>> rows;
    for (const std::string_view line : split(text.substr(0, text.rfind('\n')), '\n'))
        rows.push_back(split(line, '\t'));
    return rows;
}

int64_t numberOf(std::string_view text)
{
    return parseNumber<int64_t>(text).value();
}

ImageNetClasses readClasses()
{
    ImageNetClasses classes;
    for (const auto& row : tableOf(imageNetClassesText)) {
        const auto number = std::ssize(classes.synsets);
        classes.synsets.emplace_back(row[0]);
        const auto place = size_t(numberOf(row[1]) - 1);
        if (classes.devkit.size() <= place)
            classes.devkit.resize(place + 1);
        classes.devkit[place] = row[0];
        for (const char subset : row[2])
            (subset == 'a' ? classes.a : classes.r).push_back(number);
    }
    return classes;
}

std::vector<ValidationImage> readValidation()
{
    std::vector<ValidationImage> images;
    for (const auto& row : tableOf(imageNetValidationText)) {
        ValidationImage& image = images.emplace_back();
        image.label = numberOf(row[0]);
        if (!row[1].empty())
            for (const std::string_view number : split(row[1], ' '))
                image.right.push_back(numberOf(number));
    }
    return images;
}

std::vector<Corruption> readCorruptions()
{
    std::vector<Corruption> all;
    for (const auto& row : tableOf(imageNetCorruptionsText))
        all.push_back({std::string(row[0]), parseNumber<double>(row[1]).value()});
    return all;
}

}

const ImageNetClasses& imageNetClasses()
{
    static const ImageNetClasses classes = readClasses();
    return classes;
}

const std::vector<ValidationImage>& validationImages()
{
    static const std::vector<ValidationImage> images = readValidation();
    return images;
}

int64_t validationNumber(std::string_view stem)
{
    constexpr std::string_view prefix = "ILSVRC2012_val_";
    constexpr size_t digits = 8;
    stem.remove_prefix(stem.rfind('/') + 1);
    if (!stem.starts_with(prefix))
        return 0;
    stem.remove_prefix(prefix.size());
    const size_t rest = stem.find_first_not_of("0123456789");
    return std::min(rest, stem.size()) == digits ? parseNumber<int64_t>(stem.substr(0, digits)).value_or(0) : 0;
}

const std::vector<Corruption>& corruptions()
{
    static const std::vector<Corruption> all = readCorruptions();
    return all;
}

}
