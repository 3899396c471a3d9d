#include "ui/neighbours/neighbours_command.h"

#include "models/lab_options.h"

namespace attnscope::ui {

CommandLine neighboursCommand(const NeighbourQuestion& question, int threads)
{
    NeighboursOptions options;
    if (!question.image.empty())
        options.inputs.paths = {question.image};
    options.model = question.model;
    options.datastore = question.datastore;
    options.build = question.build;
    options.evaluate = question.evaluate;
    options.labelled.limit = question.limit;
    options.spec = question.attention.canonical();
    options.request = question.request;
    options.device = {question.model.device, question.model.dtype, threads, question.seed};
    return {"neighbours", options, {"--distance"}};
}

}
