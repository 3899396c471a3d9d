// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scale/scale_json.h"

#include "core/lab/decode/decode_output.h"
#include "core/lab/lab_json.h"

namespace attnscope::ui {

namespace {

QByteArray textOfJson(const Json& json)
{
    return QByteArray::fromStdString(printableJson(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n");
}

}  // namespace

QByteArray jsonText(const ScaleReport& report)
{
    return textOfJson(toJson(report));
}

QByteArray jsonText(const DecodeReport& report)
{
    return textOfJson(toJson(report));
}

QByteArray jsonText(const ApproximateReport& report)
{
    return textOfJson(toJson(report));
}

QByteArray jsonText(const KernelReport& report)
{
    return textOfJson(toJson(report));
}

QByteArray jsonText(const PlanReport& report)
{
    return textOfJson(toJson(report));
}

}  // namespace attnscope::ui
