#include "models/blocks/position_rule.h"

#include "core/base/error.h"

namespace attnscope {

PositionRule parsePositionRule(const std::string& name)
{
    if (name == "own")
        return PositionRule::Own;
    if (name == "deit")
        return PositionRule::Deit;
    if (name == "timm")
        return PositionRule::Timm;
    if (name == "dinov2")
        return PositionRule::Dinov2;
    throw UsageError("", "unknown position rule `" + name + "`", "the rules are own, deit, timm and dinov2");
}

std::string describe(PositionRule rule)
{
    switch (rule) {
    case PositionRule::Deit:
        return "bicubic, as the DeiT authors do";
    case PositionRule::Timm:
        return "bicubic with antialias, as timm does";
    case PositionRule::Dinov2:
        return "bicubic with an offset, as the DINOv2 authors do";
    case PositionRule::Own:
        break;
    }
    return "as the network's authors do";
}

}
