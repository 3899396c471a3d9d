#pragma once

#include "core/data/dataset/labelled_folder.h"

#include <string>

namespace attnscope {

/// Where the samples of an evaluation are, and what says their labels.
struct EvaluationSource {
    std::string place;  ///< a folder, or a list
    FolderLayout layout = FolderLayout::Auto;
    /// The list of the folder's labels, wherever it is and whatever its name: `path label` with paths in the folder, or the devkit's list of
    /// numbers; empty: what is found.
    std::string labelsFile = {};
    std::string protocol = {};  ///< the name of one (protocol.h); empty: none
    /// For a protocol that tells outliers from images of known classes: where those are.
    std::string inDistribution = {};
};

/// The samples for an evaluation of `place`. In addition to what scanLabelled reads (folders of class folders, lists):
///
/// - a folder containing `train` and `val` (or validation, valid, test), or such splits alone: `val`, with a note;
/// - archives, in place, as scanLabelled does; their labels may also lie next to them;
/// - a flat folder of ILSVRC2012_val_00000001.JPEG … with the labels of their names (…_n01440764.JPEG), of `val.txt` or
///   `val.csv` ("name index", classes in the order of their sorted synsets), of `LOC_val_solution.csv`, of the devkit's
///   ILSVRC2012_validation_ground_truth.txt (or ILSVRC2014_clsloc_…, ILSVRC2015_clsloc_…), whose numbers are mapped by its
///   map_clsloc.txt or else in its known order, or of the annotations (…xml), in the folder or up to four above it; without
///   any of them with the labels that these images are known to have;
/// - a flat folder of images with any other names and their list: val, validation, test or labels, .txt, .csv or .tsv;
/// - Kinetics' annotation list (label,youtube_id,time_start,time_end,split), whose videos ID_000001_000011.mp4 are
///   anywhere below its folder, or the one above. Of several splits the one for validation;
/// - Something-Something's split (a JSON list) with its labels next to it, whose videos ID.webm, or folders of frames
///   ID, are in the same folder or one below, or videos in the folder above it or one below that; Diving-48's list, which
///   has numbers (`vid_name`, `label`), likewise.
///
/// Samples that a list names but that don't exist are an issue. Throws FileError, UsageError.
LabelledSet scanEvaluation(const EvaluationSource& source);
LabelledSet scanEvaluation(const std::string& place, FolderLayout layout);

}
