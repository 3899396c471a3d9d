#pragma once

#include "ui/gallery/gallery_view.h"
#include "ui/widgets/cell_table.h"

#include "core/store/result_store.h"

#include <QAbstractListModel>
#include <QImage>

#include <functional>
#include <iterator>
#include <utility>
#include <vector>

namespace attnscope::ui {

/// Rows of a store that come page by page: more are fetched when the view comes to their end.
template <typename Base, typename Sample, int pageSize>
class PagedModel : public Base {
public:
    static constexpr int page = pageSize;

    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_samples.size());
    }
    bool canFetchMore(const QModelIndex& parent) const override
    {
        return !parent.isValid() && !m_wanted && int64_t(m_samples.size()) < m_total;
    }
    void fetchMore(const QModelIndex& parent) override
    {
        if (!canFetchMore(parent) || !onWanted)
            return;
        m_wanted = true;
        onWanted(int64_t(m_samples.size()), page);
    }

    /// Called when a page is wanted; reply with `take`.
    std::function<void(int64_t offset, int64_t count)> onWanted;
    void take(int64_t offset, std::vector<Sample> samples)
    {
        if (offset != int64_t(m_samples.size()) || samples.empty()) {
            m_wanted = false;
            m_total = offset == int64_t(m_samples.size()) ? offset : m_total;  // else of an earlier question
            return;
        }
        const int first = int(offset);
        this->beginInsertRows({}, first, first + int(samples.size()) - 1);
        std::move(samples.begin(), samples.end(), std::back_inserter(m_samples));
        m_wanted = false;  // not before: a view that asks as rows come would ask for these again
        this->endInsertRows();
    }
    int64_t total() const { return m_total; }
    /// The same question has more samples now; the view asks for them as it comes to its end.
    void setTotal(int64_t total) { m_total = total; }
    /// Another question: rows go; `total` of them can be fetched.
    void begin(int64_t total)
    {
        this->beginResetModel();
        m_samples.clear();
        m_total = total;
        m_wanted = false;
        this->endResetModel();
    }

protected:
    using Base::Base;
    std::vector<Sample> m_samples;

private:
    int64_t m_total = 0;
    bool m_wanted = false;
};

/// The samples of a gallery.
class SamplesModel : public PagedModel<QAbstractListModel, StoredSample, 60> {
    Q_OBJECT
public:
    enum Role {
        PathRole = GalleryFreeRole,
        ReferenceBackendRole,
        ReferencePredictionRole,
        ReferenceProbabilityRole,
        ReferenceRightRole,
        BackendRole,
        PredictionRole,
        ProbabilityRole,
        RightRole,
        LabelRole,  ///< name of the true class
    };

    using PagedModel::PagedModel;

    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

    /// The image of a path; null while it is read: `imageReady` follows.
    std::function<const QImage*(const QString& path)> imageOf;
    void imageReady(const QString& path);
    /// Another question: rows go; `total` of them can be fetched. Backends, or the keys of their looks, are those of
    /// reference (may be empty) and run.
    void begin(const QString& referenceBackend, const QString& backend, std::vector<std::string> classes,
               int64_t total);
    /// Whether it begins with exactly these samples.
    bool holds(const std::vector<StoredSample>& first) const;

private:
    QString className(int64_t label) const;
    QVariant prediction(const StoredSample& sample, bool reference, int role) const;
    GalleryLine line(const StoredSample& sample, bool reference) const;

    std::vector<std::string> m_classes;
    QString m_referenceBackend, m_backend;
};

/// Files that could not be read.
class UnreadableModel : public PagedModel<CellModel, UnreadableSample, 200> {
    Q_OBJECT
public:
    enum Column { FileColumn, ReasonColumn };

    explicit UnreadableModel(QObject* parent = nullptr);
    QString pathOf(int row) const;

protected:
    Cell cell(int row, int column) const override;
};

}
