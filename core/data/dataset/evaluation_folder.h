// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/dataset/labelled_folder.h"

namespace attnscope {

/// What an evaluation of `place` looks at. Beside what scanLabelled reads (folders of class folders, lists) these:
///
/// - a folder with `train` and `val` (or validation, valid, test) inside: `val`, which a note says;
/// - a flat folder of ILSVRC2012_val_00000001.JPEG … with the labels of `val.txt` ("name index", classes in the order of
///   their sorted synsets), of `LOC_val_solution.csv`, or of the devkit's ILSVRC2012_validation_ground_truth.txt with its
///   table of numbers (map_clsloc.txt), in the folder or up to four above it. The devkit's numbers are of another order
///   than the sorted one: without the table they are refused, not guessed;
/// - Kinetics' annotation list (label,youtube_id,time_start,time_end,split), whose videos ID_000001_000011.mp4 lie
///   anywhere below its folder, or the one above;
/// - Something-Something's split (a JSON list) with its labels beside it, whose videos ID.webm, or folders of frames ID,
///   lie beside or below.
///
/// Samples that a list names and that are not there are counted in a note. Throws FileError, UsageError.
LabelledSet scanEvaluation(const std::string& place, FolderLayout layout);

}  // namespace attnscope
