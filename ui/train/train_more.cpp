// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/train_more.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/field_row.h"
#include "ui/widgets/number_fields.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <utility>

namespace attnscope::ui {

TrainMore::TrainMore(QWidget* parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(6);
    buildDistillation();
    buildOptimizer();
    buildAugmentation();
    buildData();
    showPlan(TrainingPlan());
    setTaught(false);
}

void TrainMore::addSection(const QString& title)
{
    auto* label = new QLabel(title, this);
    label->setFont(fontFor(Type::BodyStrong));
    label->setContentsMargins(0, 8, 0, 0);
    m_column->addWidget(label);
}

FieldRow* TrainMore::addRow(const QString& label, QWidget* field, const QString& help)
{
    auto* row = new FieldRow(label, field, help, this);
    guardWheel(field);
    m_column->addWidget(row);
    return row;
}

RealSpin* TrainMore::real(double low, double high, double step)
{
    auto* spin = new RealSpin(this);
    spin->setDecimals(10);
    spin->setRange(low, high);
    spin->setSingleStep(step);
    spin->setAlignment(Qt::AlignRight);
    spin->setKeyboardTracking(false);
    return spin;
}

QSpinBox* TrainMore::whole(int low, int high)
{
    auto* spin = new QSpinBox(this);
    spin->setRange(low, high);
    spin->setAlignment(Qt::AlignRight);
    spin->setKeyboardTracking(false);
    return spin;
}

void TrainMore::bind(const QString& label, RealSpin* spin, const QString& help,
                     std::function<double&(TrainingPlan&)> place)
{
    addRow(label, spin, help);
    m_takers.push_back([spin, place](TrainingPlan& plan) { place(plan) = spin->value(); });
    m_showers.push_back([spin, place](TrainingPlan plan) { spin->setValue(place(plan)); });
    connect(spin, &QDoubleSpinBox::valueChanged, this, [this] {
        if (!m_showing)
            emit changed();
    });
}

void TrainMore::bind(const QString& label, QSpinBox* spin, const QString& help,
                     std::function<std::int64_t&(TrainingPlan&)> place)
{
    addRow(label, spin, help);
    m_takers.push_back([spin, place](TrainingPlan& plan) { place(plan) = spin->value(); });
    m_showers.push_back([spin, place](TrainingPlan plan) { spin->setValue(static_cast<int>(place(plan))); });
    connect(spin, &QSpinBox::valueChanged, this, [this] {
        if (!m_showing)
            emit changed();
    });
}

void TrainMore::buildDistillation()
{
    const int before = m_column->count();
    addSection(tr("Distillation"));
    bind(tr("Attention"), real(0, 1000, 0.1),
         tr("Weight of the relative squared error of each layer's attention output; 0 disables it."),
         [](TrainingPlan& plan) -> double& { return plan.distillation.attentionWeight; });
    bind(tr("Predictions"), real(0, 1000, 0.1),
         tr("Weight of the Kullback-Leibler divergence of the predictions; 0 disables it."),
         [](TrainingPlan& plan) -> double& { return plan.distillation.logitWeight; });
    bind(tr("Labels"), real(0, 1000, 0.1),
         tr("Weight of the cross-entropy with the labels; 0 disables it."),
         [](TrainingPlan& plan) -> double& { return plan.distillation.labelWeight; });
    m_weightsRow = qobject_cast<FieldRow*>(m_column->itemAt(m_column->count() - 1)->widget());
    bind(tr("Temperature"), real(0.01, 100, 0.5),
         tr("Softmax temperature of the divergence; higher values give unlikely classes more weight."),
         [](TrainingPlan& plan) -> double& { return plan.distillation.temperature; });
    bind(tr("Landmark-only epochs"), whole(0, 100'000),
         tr("Number of initial epochs that train only the attention's own parameters (landmark maps)."),
         [](TrainingPlan& plan) -> std::int64_t& { return plan.distillation.parameterEpochs; });
    for (int i = before; i < m_column->count(); ++i)
        m_taughtOnly.push_back(m_column->itemAt(i)->widget());
}

void TrainMore::buildOptimizer()
{
    addSection(tr("Optimizer"));
    bind(tr("Final learning rate"), real(0, 10, 1e-5), tr("Learning rate at the end of the cosine decay."),
         [](TrainingPlan& plan) -> double& { return plan.optimizer.finalRate; });
    m_finalRow = qobject_cast<FieldRow*>(m_column->itemAt(m_column->count() - 1)->widget());
    bind(tr("Weight decay"), real(0, 10, 0.01), tr("AdamW weight decay; not applied to biases, norms, tokens and position embeddings."),
         [](TrainingPlan& plan) -> double& { return plan.optimizer.weightDecay; });
    bind(tr("Gradient clipping"), real(0, 1e6, 1), tr("Maximum total gradient norm; 0: no limit."),
         [](TrainingPlan& plan) -> double& { return plan.optimizer.clip; });
    bind(tr("Accumulation steps"), whole(1, 1024), tr("Number of batches whose gradients are accumulated before each weight update."),
         [](TrainingPlan& plan) -> std::int64_t& { return plan.accumulate; });
    bind(tr("Label smoothing"), real(0, 0.99, 0.05),
         tr("Fraction of the probability that is spread over all classes."),
         [](TrainingPlan& plan) -> double& { return plan.labelSmoothing; });
    bind(tr("Drop path"), real(0, 0.99, 0.05),
         tr("Stochastic depth: fraction of samples that skip the last block, decreasing linearly towards the first."),
         [](TrainingPlan& plan) -> double& { return plan.dropPath; });
    bind(tr("EMA decay"), real(0, 0.999999, 0.001), tr("Decay of the exponential moving average of the weights; 0: none."),
         [](TrainingPlan& plan) -> double& { return plan.average; });
    m_mixed = new QCheckBox(tr("bfloat16 inside layers"), this);
    addRow(tr("Precision"), m_mixed, tr("Mixed precision: linear layers and convolutions are computed in bfloat16."));
    m_takers.push_back([this](TrainingPlan& plan) { plan.mixedPrecision = m_mixed->isChecked(); });
    m_showers.push_back([this](const TrainingPlan& plan) { m_mixed->setChecked(plan.mixedPrecision); });
    connect(m_mixed, &QCheckBox::toggled, this, &TrainMore::changed);
}

void TrainMore::buildAugmentation()
{
    addSection(tr("Augmentation"));
    m_augmentation = new QComboBox(this);
    m_augmentation->addItems({tr("none"), tr("light"), tr("DeiT"), tr("custom")});
    m_augmentation->setAccessibleName(tr("Augmentation"));
    addRow(tr("Recipe"), m_augmentation,
           tr("Augmentation of training images: none; crop and flip; or the full DeiT recipe."));
    connect(m_augmentation, &QComboBox::activated, this, [this](int choice) {
        if (choice == static_cast<int>(Augmentation::Own))
            return;
        showAugmentation(planOf(static_cast<Augmentation>(choice)));
        emit changed();
    });
    const auto part = [](double AugmentPlan::*member) {
        return [member](TrainingPlan& plan) -> double& { return plan.augment.*member; };
    };
    bind(tr("Min. crop scale"), real(0.01, 1, 0.05), tr("Minimum fraction of the image area kept by a random crop."),
         part(&AugmentPlan::cropScaleMin));
    m_cropRow = qobject_cast<FieldRow*>(m_column->itemAt(m_column->count() - 1)->widget());
    bind(tr("Max. crop scale"), real(0.01, 1, 0.05), tr("Maximum fraction of the image area kept by a random crop."),
         part(&AugmentPlan::cropScaleMax));
    bind(tr("Flip"), real(0, 1, 0.1), tr("Probability of a horizontal flip."),
         part(&AugmentPlan::flip));
    bind(tr("Operations"), whole(0, 14), tr("Number of RandAugment operations per image; 0: none."),
         [](TrainingPlan& plan) -> std::int64_t& { return plan.augment.operations; });
    bind(tr("Magnitude"), real(0, 10, 1), tr("Magnitude of the RandAugment operations, 0 to 10."),
         part(&AugmentPlan::magnitude));
    bind(tr("Random erasing"), real(0, 1, 0.05), tr("Probability of random erasing."), part(&AugmentPlan::erasing));
    bind(tr("Mixup"), real(0, 100, 0.1), tr("α of mixup; 0: none."), part(&AugmentPlan::mixup));
    bind(tr("CutMix"), real(0, 100, 0.1), tr("α of CutMix; 0: none."), part(&AugmentPlan::cutmix));
    // Which recipe it is follows from the numbers.
    connect(this, &TrainMore::changed, this, [this] {
        TrainRequest request;
        fill(request);
        m_augmentation->setCurrentIndex(static_cast<int>(augmentationOf(request.plan.augment)));
    });
}

void TrainMore::buildData()
{
    addSection(tr("Data"));
    m_layoutNames = new QComboBox(this);
    m_layoutNames->addItems(
        {QStringLiteral("auto"), QStringLiteral("imagenet"), QStringLiteral("kinetics"), QStringLiteral("list")});
    addRow(tr("Layout"), m_layoutNames,
           tr("How the folder is organised: one subfolder of images or videos per class, or lists of files."));
    m_validation = new PathField(PathField::Kind::Folder, tr("Validation folder"), {}, this);
    auto* validationRow = new FieldRow(tr("Validation set"), m_validation,
                                       tr("Separate folder for validation; empty: use the one inside the data folder."), this);
    m_column->addWidget(validationRow);
    bind(tr("Limit"), whole(0, 2'000'000'000), tr("Number of training samples to use; 0: all."),
         [](TrainingPlan& plan) -> std::int64_t& { return plan.limit; });
    bind(tr("Loader threads"), whole(0, 1024), tr("Threads that load and augment samples; 0: one per processor thread."),
         [](TrainingPlan& plan) -> std::int64_t& { return plan.workers; });
    m_landmarkMap = new QComboBox(this);
    m_landmarkMap->addItems(
        {QStringLiteral("auto"), QStringLiteral("light"), QStringLiteral("dense"), QStringLiteral("none")});
    addRow(tr("Landmarks"), m_landmarkMap,
           tr("Learned map after LARA's pooling; auto: as in the checkpoint."));
    connect(m_layoutNames, &QComboBox::activated, this, &TrainMore::dataChanged);
    connect(m_validation, &PathField::pathChanged, this, &TrainMore::dataChanged);
    connect(m_landmarkMap, &QComboBox::activated, this, &TrainMore::changed);
}

QString TrainMore::layoutName() const
{
    return m_layoutNames->currentText();
}

QString TrainMore::validation() const
{
    return m_validation->path();
}

void TrainMore::fill(TrainRequest& request) const
{
    for (const auto& take : m_takers)
        take(request.plan);
    request.layout = fromQt(layoutName());
    request.validation = fromQt(validation());
    request.landmarkMap = fromQt(m_landmarkMap->currentText());
}

void TrainMore::showPlan(const TrainingPlan& plan)
{
    const QScopedValueRollback showing(m_showing, true);
    for (const auto& each : m_showers)
        each(plan);
    m_augmentation->setCurrentIndex(static_cast<int>(augmentationOf(plan.augment)));
}

void TrainMore::showData(const TrainRequest& request)
{
    m_layoutNames->setCurrentText(toQt(request.layout));
    m_landmarkMap->setCurrentText(toQt(request.landmarkMap));
    m_validation->setPath(toQt(request.validation));
}

void TrainMore::showAugmentation(const AugmentPlan& augment)
{
    TrainRequest request;
    fill(request);
    request.plan.augment = augment;
    showPlan(request.plan);
}

void TrainMore::setTaught(bool taught)
{
    for (QWidget* part : m_taughtOnly)
        part->setVisible(taught);
}

FieldRow* TrainMore::row(TrainField field) const
{
    switch (field) {
    case TrainField::FinalRate:
        return m_finalRow;
    case TrainField::Crop:
        return m_cropRow;
    case TrainField::Weights:
        return m_weightsRow;
    default:
        return nullptr;
    }
}

}  // namespace attnscope::ui
