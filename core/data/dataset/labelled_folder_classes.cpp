// SPDX-License-Identifier: Apache-2.0
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
    std::vector<std::string> images, videos;
};

/// Walks the classes of one folder. Each folder is entered only once, even through links, so that loops end and no image is in two classes.
class ClassWalk {
public:
    explicit ClassWalk(LabelledSet& set)
        : m_set(set)
    {
        std::error_code problem;
        const auto top = entriesOf(set.root, &problem);
        if (problem)
            throw FileError(set.root, "cannot be opened as a folder (" + problem.message() + ")");
        m_loose = std::count_if(top.begin(), top.end(), [](const auto& entry) { return isFile(entry.path()); });
        enter(set.root);
        std::vector<fs::path> folders;
        std::ranges::copy_if(top, std::back_inserter(folders), isFolder);
        keepClasses(folders);
    }

    std::vector<ClassFiles> filesByClass()
    {
        std::vector<ClassFiles> classes;
        for (const fs::path& folder : m_folders)
            classes.push_back(walk(folder));
        if (m_loose > 0)
            m_set.notes.push_back(fmt::format("{} files next to the class folders do not belong to a class", m_loose));
        if (m_repeated > 0)
            m_set.notes.push_back(fmt::format("{} links point to folders that have already been read", m_repeated));
        return classes;
    }

private:
    /// False, and counted, if the folder was entered before.
    bool enter(const fs::path& folder)
    {
        const auto identity = identityOf(folder);
        if (identity && m_entered.insert(*identity).second)
            return true;
        ++m_repeated;
        return false;
    }

    /// Real folders before links, so that a link to a class doesn't take the class's images.
    void keepClasses(const std::vector<fs::path>& folders)
    {
        std::error_code problem;
        std::set<fs::path> kept;
        for (const bool links : {false, true})
            for (const fs::path& folder : folders)
                if (fs::is_symlink(folder, problem) == links && enter(folder))
                    kept.insert(folder);
        for (const fs::path& folder : folders) {
            if (kept.count(folder) == 0)
                continue;
            m_folders.push_back(folder);
            m_set.classes.push_back(folder.filename().string());
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
            const auto entries = entriesOf(folder, &problem);
            if (problem)  // without its files, accuracies would be those of another data set
                throw FileError(folder.string(), fmt::format("cannot be opened ({})", problem.message()), "check its permissions and the disk");
            for (const fs::directory_entry& entry : entries) {
                std::error_code unknown;
                if (entry.is_regular_file(unknown))
                    add(entry.path(), found);
                else if (entry.is_directory(unknown) && enter(entry.path()))
                    pending.push_back(entry.path());
            }
        }
        std::ranges::sort(found.images);
        std::ranges::sort(found.videos);
        return found;
    }

    static void add(const fs::path& file, ClassFiles& found)
    {
        const FileKind kind = kindBySuffix(file);
        if (kind != FileKind::Other)
            (kind == FileKind::Image ? found.images : found.videos).push_back(file.string());
    }

    LabelledSet& m_set;
    std::vector<fs::path> m_folders;
    std::set<FileIdentity> m_entered;
    std::size_t m_loose = 0, m_repeated = 0;
};

[[noreturn]] void refuseWithoutFiles(const LabelledSet& set, std::size_t others)
{
    const char* wanted = set.video ? "video" : "image";
    const std::string problem = fmt::format(
        "no {} in its {} class folders{}", wanted, set.classes.size(),
        others == 0 ? "" : fmt::format(", but {} {}s", others, set.video ? "image" : "video"));
    throw FileError(set.root, problem,
                    others == 0 ? "give a folder with one subfolder of images or videos per class"
                                : fmt::format("use --layout {}", set.video ? "imagenet" : "kinetics"));
}

}  // namespace

LabelledSet scanClassFolders(const std::string& folder, FolderLayout layout)
{
    LabelledSet set;
    set.root = folder;
    ClassWalk walk(set);
    if (set.classes.empty())
        throw FileError(folder, "contains no folders",
                        "give a folder with one subfolder of images or videos per class");
    std::vector<ClassFiles> classes = walk.filesByClass();
    std::size_t images = 0, videos = 0;
    for (const ClassFiles& files : classes) {
        images += files.images.size();
        videos += files.videos.size();
    }
    const FolderLayout likely = videos > images ? FolderLayout::Kinetics : FolderLayout::ImageNet;
    set.layout = layout == FolderLayout::Auto ? likely : layout;
    set.video = set.layout == FolderLayout::Kinetics;
    const std::size_t others = set.video ? images : videos;
    if ((set.video ? videos : images) == 0)
        refuseWithoutFiles(set, others);
    if (others > 0)
        set.notes.push_back(fmt::format("{} {}s are skipped because this is a set of {}s", others,
                                        set.video ? "image" : "video", set.video ? "video" : "image"));
    std::vector<std::string> empty;
    for (std::size_t label = 0; label < classes.size(); ++label) {
        auto& files = set.video ? classes[label].videos : classes[label].images;
        if (files.empty())
            empty.push_back(set.classes[label]);
        for (std::string& path : files)
            set.files.push_back({std::move(path), static_cast<std::int64_t>(label)});
    }
    if (!empty.empty())
        set.notes.push_back(fmt::format("{} classes have no {}: {}", empty.size(), set.video ? "video" : "image",
                                        firstOf(empty, 5)));
    return set;
}

}  // namespace attnscope
