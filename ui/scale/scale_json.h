#pragma once

#include "core/lab/decode/decode_output.h"
#include "core/lab/lab_json.h"

#include <QByteArray>

namespace attnscope::ui {

/// What the command line's `--json` writes.
template <typename Report>
QByteArray jsonText(const Report& report)
{
    return QByteArray::fromStdString(
        printableJson(toJson(report).dump(2, ' ', false, Json::error_handler_t::replace)) + "\n");
}

}
