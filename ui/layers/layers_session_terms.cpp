// The terms of the first layer's logits, asked for one query at a time.
#include "ui/layers/layers_session.h"

#include <utility>

namespace attnscope::ui {

namespace {

constexpr int maxTermsKept = 32;

}

void LayersSession::setTermsShown(bool shown)
{
    if (std::exchange(m_termsShown, shown) != shown)
        askTerms();
}

const LogitTermReport* LayersSession::terms() const
{
    const auto found = m_termsKept.constFind(queryText());
    return found == m_termsKept.constEnd() ? nullptr : found->get();
}

void LayersSession::askTerms()
{
    m_termsTask.drop();
    if (showsDump())
        m_termsProblem = tr("A file of q, k and v has no position embeddings.");
    if (m_termsShown && m_result != nullptr && !isInspecting() && m_termsProblem.isEmpty() && terms() == nullptr) {
        LayerQuestion question = m_requested.question;
        question.request.query = m_query;
        if (m_termsKept.size() >= maxTermsKept)
            m_termsKept.clear();
        m_termsRequested = queryText();
        m_termsTask.start(question, question.threads);
    }
    emit termsChanged();
}

void LayersSession::takeTerms()
{
    if (m_termsTask.report())
        m_termsKept.insert(m_termsRequested, m_termsTask.report());
    m_termsProblem = m_termsTask.failure();
    emit termsChanged();
}

QString LayersSession::termsCommand() const
{
    if (!m_result || m_requested.question.input.pasted())
        return {};
    LayersOptions options = optionsShown();
    options.terms = true;
    return CommandLine("layers", options).text();
}

}
