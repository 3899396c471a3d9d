#pragma once

#include "ui/neighbours/neighbours_session.h"

#include <QWidget>

class QLineEdit;
class QMenu;

namespace attnscope::ui {

class ActionButton;
class CaptionCombo;
class CaptionSpin;
class ElidedLabel;
class RealSpin;

/// What is searched for: the datastore, the folder that is evaluated, and how distances become predictions.
class SearchForm : public QWidget {
    Q_OBJECT
public:
    explicit SearchForm(NeighboursSession& session, QWidget* parent = nullptr);

    NeighbourQuestion question() const;
    /// Why that cannot be run, as a sentence; empty: it can.
    QString missing() const;

    /// The features of this folder are computed with the next run; empty: none are.
    void setBuild(const QString& folder);
    /// A datastore that is there.
    void setDatastore(const QString& file);
    /// The folder whose samples are classified; empty: none.
    void setEvaluate(const QString& folder);
    void askBuild();
    void askDatastore();
    void askEvaluate();
    QString build() const { return m_build; }
    QString datastore() const { return m_datastore; }
    QString evaluate() const { return m_evaluate; }

    ActionButton* sourceButton() const { return m_source; }
    ActionButton* evaluateButton() const { return m_folder; }
    CaptionSpin* limit() const { return m_limit; }
    CaptionCombo* attention() const { return m_attention; }
    QLineEdit* counts() const { return m_counts; }
    CaptionCombo* distance() const { return m_distance; }
    RealSpin* temperature() const { return m_temperature; }

signals:
    void changed();

private:
    void takeBackends();
    void refreshNames();
    void reportChange();
    std::vector<int64_t> countsOf(QString& problem) const;

    NeighboursSession& m_session;
    ActionButton* m_source;
    ActionButton* m_folder;
    CaptionSpin* m_limit;
    CaptionCombo* m_attention;
    QLineEdit* m_counts;
    CaptionCombo* m_distance;
    RealSpin* m_temperature;
    ElidedLabel* m_note;
    QString m_build, m_datastore, m_evaluate;
};

}
