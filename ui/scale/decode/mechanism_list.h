#pragma once

#include "ui/workspace/spec_list.h"

#include "core/lab/decode/stream_spec.h"

namespace attnscope::ui {

/// "rfa · gate=0.99, gate_form=sum" of a canonical specification.
QString mechanismTitle(const std::string& mechanism);

/// The causal mechanisms that could be measured, and which of them are. Starts with those that the command line measures. The cache is
/// not among them: it always is.
class MechanismList : public SpecList<StreamSpec> {
    Q_OBJECT
public:
    explicit MechanismList(QObject* parent = nullptr);
    /// That of the charts, while an entry is measured.
    QString look(int id) const override;

protected:
    QString refusal(const StreamSpec& spec) const override;
};

}
