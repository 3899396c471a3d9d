#pragma once

#include "ui/engine/compare_types.h"
#include "ui/train/train_check.h"
#include "ui/train/training_task.h"
#include "ui/widgets/field_row.h"

#include <QFrame>

#include <map>
#include <vector>

class QComboBox;
class QScrollArea;
class QSpinBox;
class QVBoxLayout;

namespace attnscope::ui {

class ActionButton;
class AttentionChoice;
class ElidedLabel;
class LinkButton;
class RealSpin;
class TrainMore;

/// What is to be trained: data, network, schedule, output; the rest behind "More". Model and weights come from the context bar.
class TrainForm : public QFrame {
    Q_OBJECT
public:
    explicit TrainForm(QWidget* parent = nullptr);

    /// Model, weights and device of all screens.
    void setContext(const RunContext& context, const ModelRequest& model);
    TrainRequest request() const;
    /// Shows `request` in all fields; model, device and seed stay those of the bar above.
    void setRequest(const TrainRequest& request);
    void setFolder(const QString& folder) { m_folder->setPath(folder); }
    QString folder() const { return m_folder->path(); }
    void showFolder(const DataFolder& folder);
    void refuseFolder(const QString& sentence);
    /// Sentences under their fields; the first of them gets the focus. Returns false when there is one.
    bool check();
    /// While it runs nothing can be changed; where one can be continued, that is what F5 does.
    void setRunning(bool running, bool resumable);

    FieldRow* row(TrainField field) const;
    AttentionChoice* attention() const { return m_attention; }
    TrainMore* more() const { return m_more; }
    LinkButton* moreLink() const { return m_moreLink; }
    QComboBox* start() const { return m_start; }
    QComboBox* teacher() const { return m_teacher; }
    PathField* output() const { return m_output; }
    QComboBox* existing() const { return m_existing; }
    QSpinBox* epochs() const { return m_epochs; }
    QSpinBox* batch() const { return m_batch; }
    RealSpin* rate() const { return m_rate; }
    RealSpin* warmup() const { return m_warmup; }
    LinkButton* restoreLink() const { return m_restore; }
    ActionButton* startButton() const { return m_go; }

signals:
    void startRequested();
    void changed();
    /// The fields of the training that the files next to this output go on with.
    void restoreRequested(const QString& output);
    /// Another folder, layout or validation folder.
    void dataChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QVBoxLayout* section(const QString& title);
    FieldRow* add(TrainField field, QVBoxLayout* column, const QString& label, QWidget* widget,
                  const QString& help);
    void buildData();
    void buildNetwork();
    void buildSchedule();
    void buildOutput();
    void chooseCheckpoint(QComboBox* box, const std::string& weights, const QString& none);
    void takeStart();
    void takeTeacher();
    void askCheckpoint(QComboBox* box, const QString& title, int previous);
    void suggestOutput();
    void refreshOutput();
    void touched();
    void reveal(QWidget* field);
    std::string startWeights() const;

    QScrollArea* m_scroll;
    QWidget* m_inner;
    QVBoxLayout* m_column;
    std::map<TrainField, FieldRow*> m_rows;
    PathField* m_folder = nullptr;
    ElidedLabel* m_model = nullptr;
    QComboBox* m_start = nullptr;
    AttentionChoice* m_attention = nullptr;
    QComboBox* m_teacher = nullptr;
    QSpinBox* m_epochs = nullptr;
    QSpinBox* m_batch = nullptr;
    RealSpin* m_rate = nullptr;
    RealSpin* m_warmup = nullptr;
    LinkButton* m_moreLink = nullptr;
    TrainMore* m_more = nullptr;
    PathField* m_output = nullptr;
    QComboBox* m_existing = nullptr;
    FieldRow* m_existingRow = nullptr;
    LinkButton* m_restore = nullptr;
    ActionButton* m_go = nullptr;
    RunContext m_context;
    ModelRequest m_modelRequest;
    int64_t m_samples = 0;
    QString m_suggested;
    int m_startIndex = 0, m_teacherIndex = 0;
    bool m_checked = false, m_filling = false, m_running = false;
    bool m_ownEpochs = false, m_ownRate = false, m_ownWarmup = false;
};

}
