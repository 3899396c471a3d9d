// The table of all families: adding one is a folder, and its function here.
#include "models/model_family.h"
#include "models/motionformer/motionformer_models.h"
#include "models/pvt/pvt_models.h"
#include "models/vit/vit_models.h"

namespace attnscope {

const std::vector<ModelFamily>& modelFamilies()
{
    static const std::vector<ModelFamily> families{
        vitFamily(),
        pvtFamily(),
        motionformerFamily(),
    };
    return families;
}

}
