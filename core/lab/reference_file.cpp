#include "core/lab/reference_file.h"

#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"

#include <limits>

namespace attnscope {

ReferenceFile::ReferenceFile(const TensorFile& file)
    : m_name(file.file.string())
    , m_state(readSafetensors(openFile(file.file), file.limits))
{}

DumpedCase ReferenceFile::described() const
{
    const auto cases = dumpedCases(m_state.metadata, m_name);
    return cases.size() == 1 ? cases.front() : DumpedCase{};
}

at::Tensor ReferenceFile::read(const std::string& tensor, const std::string& remedy) const
{
    const auto found = m_state.tensors.find(tensor);
    if (found == m_state.tensors.end())
        throw FileError(m_name, "it has no tensor `" + tensor + "`", remedy);
    auto values = found->second.readFloat();
    const auto wide = at::from_blob(values.data(), found->second.shape, at::kFloat).to(at::kDouble);
    if (!wide.isfinite().all().item<bool>())
        throw FileError(m_name, "`" + tensor + "` has values that are not finite", "give finite values");
    return wide;
}

void ReferenceFile::compare(const std::string& tensor, const at::Tensor& ours,
                            std::vector<ExpectedOutput>& expected) const
{
    if (!has(tensor))
        return;
    const auto stored = read(tensor);
    const double difference = stored.sizes() == ours.sizes() ? (stored - ours).abs().max().item<double>()
                                                             : std::numeric_limits<double>::infinity();
    expected.push_back({tensor, difference, described().tolerance()});
}

}
