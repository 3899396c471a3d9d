#include "ui/scale/decode/mechanism_list.h"

#include "core/lab/decode/decode_output.h"
#include "ui/style/qt_text.h"

namespace attnscope::ui {

QString mechanismTitle(const std::string& mechanism)
{
    const QString text = toQt(mechanism), options = text.section(QLatin1Char(':'), 1);
    const QString name = text.section(QLatin1Char(':'), 0, 0);
    return options.isEmpty() ? name : name + u" · "_s + QString(options).replace(QLatin1Char(','), u", "_s);
}

MechanismList::MechanismList(QObject* parent)
    : SpecList(parent)
{
    for (const StreamSpec& spec : usualMechanisms())
        if (spec.kind() != StreamKind::Cache)
            m_entries.push_back({m_nextId++, spec, true});
}

QString MechanismList::look(int id) const
{
    std::vector<std::string> mechanisms{streamInfos().front().name};
    std::size_t place = 0;
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
