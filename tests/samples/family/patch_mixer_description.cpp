#include "tests/samples/family/patch_mixer_description.h"

#include "models/weights/config_reader.h"

namespace attnscope {

int64_t PatchMixerDescription::parameters() const
{
    const int64_t c = width, block = 2 * c + 3 * c * c + 3 * c + c * c + c;
    return c * 3 * patchSize * patchSize + c + tokens() * c + depth * block + 2 * c + c * classes + classes;
}

double PatchMixerDescription::linearMultiplyAdds() const
{
    const auto c = double(width), n = double(tokens());
    return n * c * double(3 * patchSize * patchSize) + double(depth) * n * 4 * c * c + c * double(classes);
}

PatchMixerDescription parsePatchMixer(const Json& config, const std::string& subject)
{
    const ConfigReader reader(config, subject);
    PatchMixerDescription d;
    d.patchSize = reader.integer("patch_size", 1, 512);
    d.imageSize = d.evaluationResize = reader.integer("img_size", d.patchSize, 16384);
    d.width = reader.integer("embed_dim", 1, 65536);
    d.heads = reader.integer("num_heads", 1, 4096);
    d.depth = reader.integer("depth", 1, 1024);
    d.classes = reader.integer("num_classes", 1, 10'000'000);
    if (d.imageSize % d.patchSize != 0)
        reader.refuse("img_size", "a multiple of patch_size");
    if (d.width % d.heads != 0)
        reader.refuse("num_heads", "a divisor of embed_dim");
    if (reader.has("attention"))
        d.attention = AttentionSpec::parse(reader.text("attention")).resolved(AttentionSpec::reference(), d.depth);
    if (reader.has("name"))
        d.name = reader.text("name");
    return d;
}

Json toJson(const PatchMixerDescription& d)
{
    return {{"family", "patch_mixer"},   {"name", d.name},           {"img_size", d.imageSize},
            {"patch_size", d.patchSize}, {"embed_dim", d.width},     {"num_heads", d.heads},
            {"depth", d.depth},          {"num_classes", d.classes}, {"attention", d.attention.canonical()}};
}

}
