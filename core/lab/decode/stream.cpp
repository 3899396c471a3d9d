#include "core/lab/decode/stream.h"

#include "core/base/error.h"
#include "core/lab/decode/stream_kinds.h"

namespace attnscope {

template <typename Real>
std::unique_ptr<Stream<Real>> makeStream(const StreamSpec& spec, StreamHead<Real> head)
{
    const int64_t wanted = spec.info().random ? head.shape.samples * head.shape.width : 0;
    if (spec.info().random && (wanted < 1 || int64_t(head.omega.size()) != wanted))
        throw UsageError(spec.canonical(), "omega has " + std::to_string(head.omega.size()) + " numbers",
                         std::to_string(head.shape.samples) + " features of " + std::to_string(head.shape.width)
                             + " channels need " + std::to_string(wanted));
    switch (spec.kind()) {
    case StreamKind::Cache:
    case StreamKind::Window:
    case StreamKind::Alibi:
    case StreamKind::TransformerXl:
        return makeCachedStream<Real>(spec, std::move(head));
    case StreamKind::Compressive:
        return makeCompressiveStream<Real>(spec, std::move(head));
    case StreamKind::Retrieval:
        return makeRetrievalStream<Real>(spec, std::move(head));
    case StreamKind::Elu:
    case StreamKind::Rfa:
    case StreamKind::Performer:
        break;
    }
    return makeFeatureStream<Real>(spec, std::move(head));
}

template std::unique_ptr<Stream<float>> makeStream(const StreamSpec& spec, StreamHead<float> head);
template std::unique_ptr<Stream<double>> makeStream(const StreamSpec& spec, StreamHead<double> head);

}
