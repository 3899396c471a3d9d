#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/dataset/labelled_folder_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

struct ClassFiles {
    /// Broken: links to files that are gone, whose names don't say what they were.
    std::vector<std::string> images, videos, broken;
};

/// "; its val.tar is a tar archive": of the first archive among files that are no samples.
std::string archiveAmong(const LeftOut& files)
{
    for (const std::string& file : files.names)
        if (const std::string_view archive = archiveFormat(file); !archive.empty())
            return fmt::format("; {} is {}, which must be unpacked", printable(fs::path(file).filename().string()),
                               archive);
    return {};
}

/// Walks the classes of one folder. Each folder is entered only once, even through links, so that loops end and no image is in two classes.
class ClassWalk {
public:
    explicit ClassWalk(LabelledSet& set)
        : m_set(set)
    {
        std::error_code problem;
        const auto top = entriesOf(set.root, &problem, &m_system);
        if (problem)
            throw FileError(set.root, "cannot be opened as a folder (" + problem.message() + ")");
        std::vector<FolderEntry> folders, archives;
        for (const FolderEntry& entry : top) {
            if (entry.kind == FolderEntry::Kind::Folder)
                folders.push_back(entry);
            else if (entry.kind == FolderEntry::Kind::File)
                (kindOf(entry.path) == FileKind::Other ? m_other : m_loose).add(entry.path.string());
        }
        enter(set.root);
        if (folders.empty())
            for (const std::string& archive : archivesIn(set.root))
                archives.push_back({archive, FolderEntry::Kind::Folder});
        keepClasses(folders.empty() ? archives : folders);
        if (set.classes.empty())
            throw FileError(set.root, "contains no folders" + archiveAmong(m_other),
                            "give a folder with one subfolder of images or videos per class");
        m_other = {};  // what stands next to the classes and is no sample belongs to none
    }

    std::vector<ClassFiles> filesByClass()
    {
        std::vector<ClassFiles> classes;
        for (const fs::path& folder : m_folders)
            classes.push_back(walk(folder));
        keepIssue(m_set, "no_class", m_loose, "file next to the class folders does not belong to a class",
                  "files next to the class folders do not belong to a class");
        keepIssue(m_set, "repeated_folder", m_repeated, "link points to a folder that has already been read",
                  "links point to folders that have already been read");
        keepIssue(m_set, "unknown_kind", m_other, "file is neither an image nor a video and is passed over",
                  "files are neither images nor videos and are passed over");
        keepIssue(m_set, "not_a_file", m_irregular, "entry is not a regular file and is passed over",
                  "entries are not regular files and are passed over");
        LeftOut system;
        for (const fs::path& path : m_system)
            system.add(fs::path(path).lexically_relative(m_set.root).string());
        keepSystemNames(m_set, system);
        return classes;
    }

    const LeftOut& others() const { return m_other; }

private:
    /// False, and counted, if the folder was entered before.
    bool enter(const fs::path& folder)
    {
        const auto identity = identityOf(folder);
        if (identity && m_entered.insert(*identity).second)
            return true;
        m_repeated.add(folder.string());
        return false;
    }

    /// Real folders before links, so that a link to a class doesn't take the class's images.
    void keepClasses(const std::vector<FolderEntry>& folders)
    {
        std::set<fs::path> kept;
        for (const bool links : {false, true})
            for (const FolderEntry& folder : folders)
                if (folder.isLink == links && enter(folder))
                    kept.insert(folder);
        for (const fs::path& folder : folders) {
            if (kept.count(folder) == 0)
                continue;
            m_folders.push_back(folder);
            m_set.classes.push_back(archiveStem(folder));
        }
    }

    ClassFiles walk(const fs::path& classFolder)
    {
        ClassFiles found;
        std::vector<fs::path> pending{classFolder};
        while (!pending.empty()) {
            const fs::path folder = std::move(pending.back());
            pending.pop_back();
            std::error_code problem;
            const auto entries = entriesOf(folder, &problem, &m_system);
            if (problem)  // without its files, accuracies would be those of another data set
                throw FileError(folder.string(), fmt::format("cannot be opened ({})", problem.message()),
                                "check its permissions and the disk");
            for (const FolderEntry& entry : entries) {
                if (entry.kind != FolderEntry::Kind::Folder)
                    add(entry, found);
                else if (enter(entry.path))
                    pending.push_back(entry.path);
            }
        }
        return found;
    }

    void add(const FolderEntry& entry, ClassFiles& found)
    {
        const bool regular = entry.kind == FolderEntry::Kind::File;
        const std::string path = entry.path.string();
        if (entry.kind == FolderEntry::Kind::Other)
            return m_irregular.add(path);
        const FileKind kind = regular ? kindOf(entry.path) : kindBySuffix(entry.path);
        if (kind == FileKind::Other && regular)
            m_other.add(path);
        else
            (kind == FileKind::Image   ? found.images
             : kind == FileKind::Video ? found.videos
                                       : found.broken)
                .push_back(path);
    }

    LabelledSet& m_set;
    std::vector<fs::path> m_folders, m_system;
    std::set<FileIdentity> m_entered;
    LeftOut m_loose, m_repeated, m_other, m_irregular;
};

[[noreturn]] void refuseWithoutFiles(const LabelledSet& set, size_t others, const LeftOut& unknown)
{
    const std::string problem = fmt::format(
        "no {} in its {}{}{}", set.video ? "video" : "image", counted(std::ssize(set.classes), "class folder"),
        others == 0 ? "" : ", but " + counted(int64_t(others), set.video ? "image" : "video"),
        archiveAmong(unknown));
    throw FileError(set.root, problem,
                    others == 0 ? "give a folder with one subfolder of images or videos per class"
                                : fmt::format("use --layout {}", set.video ? "imagenet" : "kinetics"));
}

}

LabelledSet scanClassFolders(const std::string& folder, FolderLayout layout)
{
    LabelledSet set;
    set.root = folder;
    ClassWalk walk(set);
    std::vector<ClassFiles> classes = walk.filesByClass();
    size_t images = 0, videos = 0;
    for (const ClassFiles& files : classes) {
        images += files.images.size();
        videos += files.videos.size();
    }
    const FolderLayout likely = videos > images ? FolderLayout::Kinetics : FolderLayout::ImageNet;
    set.layout = layout == FolderLayout::Auto ? likely : layout;
    set.video = set.layout == FolderLayout::Kinetics;
    if ((set.video ? videos : images) == 0)
        refuseWithoutFiles(set, set.video ? images : videos, walk.others());
    LeftOut empty, others;
    for (size_t label = 0; label < classes.size(); ++label) {
        auto& [still, moving, broken] = classes[label];
        auto& files = set.video ? moving : still;
        files.insert(files.end(), broken.begin(), broken.end());
        std::ranges::sort(files);
        for (const std::string& path : set.video ? still : moving)
            others.add(path);
        if (files.empty())
            empty.add(set.classes[label]);
        for (std::string& path : files)
            set.files.push_back({std::move(path), int64_t(label)});
    }
    keepIssue(set, "other_kind", others,
              set.video ? "image is skipped because this is a set of videos"
                        : "video is skipped because this is a set of images",
              set.video ? "images are skipped because this is a set of videos"
                        : "videos are skipped because this is a set of images");
    keepIssue(set, "empty_class", empty, set.video ? "class has no video" : "class has no image",
              set.video ? "classes have no video" : "classes have no image");
    return set;
}

}
