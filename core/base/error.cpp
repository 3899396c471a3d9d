#include "core/base/error.h"

#include "core/base/text.h"

namespace attnscope {

namespace {

std::string joinReason(std::string_view problem, std::string_view remedy)
{
    std::string reason(problem);
    if (!remedy.empty()) {
        reason += "; ";
        reason += remedy;
    }
    if (!reason.empty() && reason.back() != '.' && reason.back() != '?')
        reason += '.';
    return reason;
}

std::string sentence(std::string_view subject, std::string_view problem, std::string_view remedy)
{
    const std::string reason = joinReason(problem, remedy);
    return subject.empty() ? reason : printable(subject) + ": " + reason;
}

}

Error::Error(std::string_view subject, std::string_view problem, std::string_view remedy)
    : std::runtime_error(sentence(subject, problem, remedy))
    , m_subject(subject)
    , m_reason(joinReason(problem, remedy))
{}

}
