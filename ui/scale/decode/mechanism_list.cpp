#include "ui/scale/decode/mechanism_list.h"

#include "core/lab/decode/decode_output.h"

namespace attnscope::ui {

QString mechanismTitle(const std::string& mechanism)
{
    return toQt(attnscope::mechanismTitle(mechanism));
}

MechanismList::MechanismList(QObject* parent)
    : SpecList(parent)
{
    for (const StreamSpec& spec : defaultMechanisms())
        if (spec.kind() != StreamKind::Cache)
            m_entries.push_back({m_nextId++, spec, true});
}

QString MechanismList::look(int id) const
{
    std::vector<std::string> mechanisms{streamInfos().front().name};
    size_t place = 0;
    for (const Entry& each : m_entries) {
        if (each.id == id)
            place = mechanisms.size();
        if (each.checked || each.id == id)
            mechanisms.push_back(each.spec.canonical());
    }
    return toQt(looksOfMechanisms(mechanisms)[place]);
}

QString MechanismList::refusal(const StreamSpec& spec) const
{
    return spec.kind() == StreamKind::Cache ? tr("the cache is measured in any case; name another mechanism")
                                            : QString();
}

}
