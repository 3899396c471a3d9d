#include "core/lab/leaderboard/leaderboard_json.h"

#include "core/lab/leaderboard/leaderboard_fields.h"
#include "core/run/record_json.h"

namespace attnscope {

Json toJson(const LeaderboardReport& report)
{
    Json json = report.model ? toJson(*report.model)
                             : Json{{"file", jsonPath(report.source)}, {"temperature", report.temperature}};
    JsonFieldWriter made;
    visitSetup(report, made);
    json["leaderboard"] = made.take();
    json["rows"] = jsonList(report.rows, writeFields<LeaderboardRow>);
    json["omitted"] = jsonList(report.omitted, writeFields<LeaderboardOmission>);
    json["unreadable"] = toJson(report.unreadable);
    if (!report.complete())
        json["interrupted"] = true;
    return json;
}

}
