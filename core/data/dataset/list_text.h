#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Parsers for the text files of data sets, working in memory: nothing is opened, no path is followed. `name` is the file's, for messages.
/// All functions throw FileError (one sentence with the line) if a text is malformed.
namespace attnscope {

/// One line of a list: the sample's path and its class.
struct ListedSample {
    std::string path;
    std::string label;
    int64_t line = 0;   ///< from 1
    std::string split;  ///< in lower case; empty: the list has no such column
};

struct TextLine {
    std::string_view text;  ///< without surrounding blanks
    int64_t number = 0;
};

/// "train", "val", "validation" …, in lower case.
bool isSplitName(std::string_view name);

/// A whole number, also as 121.0 or -1.
bool isNumber(std::string_view text);

/// Lines that are neither empty nor comments (# and a blank). A line has at most 16 384 bytes and no zero byte.
std::vector<TextLine> linesOf(std::string_view text, const std::string& name);

/// Fields of a line; separators inside double quotes are ignored; quotes around a field are removed.
std::vector<std::string> fieldsOf(std::string_view line, char separator);

/// "path label" (split at the last blank), or the columns path and label of CSV, TSV or a table with semicolons, in the order that a heading
/// gives. The separator is that of a known heading, or else the last line's.
std::vector<ListedSample> parseLabelList(std::string_view text, const std::string& name);

/// Kinetics' own annotation: the columns label, youtube_id, time_start, time_end and split. Empty if the header is different;
/// throws FileError if only `label` lacks.
struct KineticsClip {
    std::string label, id;
    int64_t start = 0, end = 0;
    std::string split;  ///< in lower case; may be empty
    /// "ID_000001_000011": the name given by downloaders.
    std::string stem() const;
};
std::optional<std::vector<KineticsClip>> parseKineticsAnnotation(std::string_view text, const std::string& name);

/// An action of EPIC-KITCHENS-100, in a part of a video: the columns narration_id, video_id, start_timestamp, stop_timestamp, verb_class and
/// noun_class of its annotation.
struct KitchenAction {
    std::string id, video;
    double start = 0, end = 0;  ///< s; the end is later
    int64_t verb = 0, noun = 0;
};
constexpr int64_t kitchenVerbs = 97, kitchenNouns = 300;
std::vector<KitchenAction> parseKitchenActions(std::string_view text, const std::string& name);

/// ILSVRC2012_validation_ground_truth.txt: one number per line, from 1 on, in the devkit's own order of classes.
std::vector<int64_t> parseGroundTruth(std::string_view text, const std::string& name);

/// The devkit's order: lines with a synset and a number in either order (map_clsloc.txt: "n02119789 1 kit_fox").
std::map<int64_t, std::string> parseSynsetNumbers(std::string_view text, const std::string& name);

/// LOC_val_solution.csv: ImageId → synset, the first word of the second column.
std::map<std::string, std::string> parseKaggleSolution(std::string_view text, const std::string& name);

/// Something-Something's split: a JSON list of objects with `id` and `template` (or `label`), whose [brackets] are removed; or Diving-48's,
/// with `vid_name` and `label`, a number.
std::vector<ListedSample> parseSomethingSplit(std::string_view text, const std::string& name);
/// Its classes by number: a JSON object from template to number, which is a string.
std::vector<std::string> parseSomethingLabels(std::string_view text, const std::string& name);

bool isSynset(std::string_view word);  ///< "n01440764"
bool isDigits(std::string_view text);  ///< "0042"; false for an empty text

}
