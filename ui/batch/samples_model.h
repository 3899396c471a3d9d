// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/result_store.h"

#include <QAbstractListModel>
#include <QAbstractTableModel>
#include <QImage>

#include <functional>
#include <vector>

namespace attnscope::ui {

/// The samples of a gallery, page by page: more are fetched when the view comes to their end.
class SamplesModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        PathRole = Qt::UserRole + 1,
        ImageRole,  ///< QImage; null while it is read
        ReadRole,     ///< whether that picture is known: then a null one could not be read
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
    static constexpr int page = 60;

    explicit SamplesModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;

    /// The picture of a path; null while it is read: `imageReady` follows.
    std::function<const QImage*(const QString& path)> imageOf;
    void imageReady(const QString& path);
    /// Another question: rows go; `total` of them can be fetched. Backends, or the keys of their looks, are those of
    /// reference (may be empty) and run.
    void begin(const QString& referenceBackend, const QString& backend, std::vector<std::string> classes,
               std::int64_t total);
    /// Called when a page is wanted; answer with `take`.
    std::function<void(std::int64_t offset, std::int64_t count)> onWanted;
    void take(std::int64_t offset, std::vector<StoredSample> samples);
    std::int64_t total() const { return m_total; }
    /// The same question has more samples now; the view asks for them as it comes to its end.
    void setTotal(std::int64_t total) { m_total = total; }
    /// Whether it begins with exactly these samples.
    bool holds(const std::vector<StoredSample>& first) const;

private:
    QString className(std::int64_t label) const;
    QVariant prediction(const StoredSample& sample, bool reference, int role) const;

    std::vector<StoredSample> m_samples;
    std::vector<std::string> m_classes;
    QString m_referenceBackend, m_backend;
    std::int64_t m_total = 0;
    bool m_wanted = false;
};

/// Files that could not be read, page by page.
class UnreadableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { FileColumn, ReasonColumn, ColumnCount };
    static constexpr int page = 200;

    explicit UnreadableModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;

    void begin(std::int64_t total);
    /// There are more now; the view asks for them as it comes to its end.
    void setTotal(std::int64_t total) { m_total = total; }
    std::function<void(std::int64_t offset, std::int64_t count)> onWanted;
    void take(std::int64_t offset, std::vector<UnreadableSample> samples);
    QString pathOf(int row) const;

private:
    std::vector<UnreadableSample> m_samples;
    std::int64_t m_total = 0;
    bool m_wanted = false;
};

}  // namespace attnscope::ui
