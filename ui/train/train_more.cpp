#include "ui/train/train_more.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/number_fields.h"

#include <QCheckBox>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <utility>

namespace attnscope::ui {

namespace {

/// A number of a part of the plan.
template <typename Part, typename Number>
auto numberOf(Part TrainingPlan::*part, Number Part::*number)
{
    return [=](TrainingPlan& plan) -> Number& { return (plan.*part).*number; };
}

}

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

template <typename Spin, typename Place>
FieldRow* TrainMore::bind(const QString& label, Spin* spin, const QString& help, Place place)
{
    m_takers.push_back([spin, place](TrainingPlan& plan) { std::invoke(place, plan) = spin->value(); });
    m_showers.push_back([spin, place](TrainingPlan plan) {
        spin->setValue(static_cast<decltype(spin->value())>(std::invoke(place, plan)));
    });
    connect(spin, &Spin::valueChanged, this, [this] {
        if (!m_showing)
            emit changed();
    });
    return addRow(label, spin, help);
}

void TrainMore::buildDistillation()
{
    const int before = m_column->count();
    addSection(tr("Distillation"));
    bind(tr("Attention"), newRealField(this, 0, 1000, 0.1),
         tr("Weight of the relative squared error of each layer's attention output; 0 disables it."),
         numberOf(&TrainingPlan::distillation, &DistillationPlan::attentionWeight));
    bind(tr("Predictions"), newRealField(this, 0, 1000, 0.1),
         tr("Weight of the Kullback-Leibler divergence of the predictions; 0 disables it."),
         numberOf(&TrainingPlan::distillation, &DistillationPlan::logitWeight));
    m_rows[TrainField::Weights] = bind(tr("Labels"), newRealField(this, 0, 1000, 0.1),
                                       tr("Weight of the cross-entropy with the labels; 0 disables it."),
                                       numberOf(&TrainingPlan::distillation, &DistillationPlan::labelWeight));
    bind(tr("Temperature"), newRealField(this, 0.01, 100, 0.5),
         tr("Softmax temperature of the divergence; higher values give unlikely classes more weight."),
         numberOf(&TrainingPlan::distillation, &DistillationPlan::temperature));
    bind(tr("Landmark-only epochs"), newCountField(this, 0, 100'000),
         tr("Number of initial epochs that train only the attention's own parameters (landmark maps)."),
         numberOf(&TrainingPlan::distillation, &DistillationPlan::parameterEpochs));
    for (int i = before; i < m_column->count(); ++i)
        m_taughtOnly.push_back(m_column->itemAt(i)->widget());
}

void TrainMore::buildOptimizer()
{
    addSection(tr("Optimizer"));
    m_rows[TrainField::FinalRate] = bind(tr("Final learning rate"), newRealField(this, 0, 10, 1e-5),
                                         tr("Learning rate at the end of the cosine decay."),
                                         numberOf(&TrainingPlan::optimizer, &OptimizerPlan::finalRate));
    bind(tr("Weight decay"), newRealField(this, 0, 10, 0.01),
         tr("AdamW weight decay; not applied to biases, norms, tokens and "
            "position embeddings."),
         numberOf(&TrainingPlan::optimizer, &OptimizerPlan::weightDecay));
    bind(tr("Gradient clipping"), newRealField(this, 0, 1e6, 1), tr("Maximum total gradient norm; 0: no limit."),
         numberOf(&TrainingPlan::optimizer, &OptimizerPlan::clip));
    bind(tr("Accumulation steps"), newCountField(this, 1, 1024),
         tr("Number of batches whose gradients are accumulated before each weight "
            "update."),
         &TrainingPlan::accumulate);
    bind(tr("Label smoothing"), newRealField(this, 0, 0.99, 0.05),
         tr("Fraction of the probability that is spread over all classes."), &TrainingPlan::labelSmoothing);
    bind(tr("Drop path"), newRealField(this, 0, 0.99, 0.05),
         tr("Stochastic depth: fraction of samples that skip the last block, decreasing linearly towards the "
            "first."),
         &TrainingPlan::dropPath);
    bind(tr("EMA decay"), newRealField(this, 0, 0.999999, 0.001),
         tr("Decay of the exponential moving average of the weights; 0: none."), &TrainingPlan::average);
    m_mixed = new QCheckBox(tr("bfloat16 inside layers"), this);
    addRow(tr("Precision"), m_mixed,
           tr("Mixed precision: linear layers and convolutions are computed in bfloat16."));
    m_takers.emplace_back([this](TrainingPlan& plan) { plan.mixedPrecision = m_mixed->isChecked(); });
    m_showers.emplace_back([this](const TrainingPlan& plan) { m_mixed->setChecked(plan.mixedPrecision); });
    connect(m_mixed, &QCheckBox::toggled, this, &TrainMore::changed);
    m_exits = new QCheckBox(tr("train exit heads alone"), this);
    addRow(tr("Early exits"), m_exits,
           tr("A norm and a head behind each block but the last are trained; the network to start from stays as "
              "it is, with its attention."));
    m_takers.emplace_back([this](TrainingPlan& plan) { plan.exits = m_exits->isChecked(); });
    m_showers.emplace_back([this](const TrainingPlan& plan) { m_exits->setChecked(plan.exits); });
    connect(m_exits, &QCheckBox::toggled, this, &TrainMore::changed);
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
        if (choice == int(Augmentation::Own))
            return;
        TrainRequest request;
        fill(request);
        request.plan.augment = planOf(static_cast<Augmentation>(choice));
        showPlan(request.plan);
        emit changed();
    });
    m_rows[TrainField::Crop] = bind(tr("Min. crop scale"), newRealField(this, 0.01, 1, 0.05),
                                    tr("Minimum fraction of the image area kept by a random crop."),
                                    numberOf(&TrainingPlan::augment, &AugmentPlan::cropScaleMin));
    bind(tr("Max. crop scale"), newRealField(this, 0.01, 1, 0.05),
         tr("Maximum fraction of the image area kept by a random crop."),
         numberOf(&TrainingPlan::augment, &AugmentPlan::cropScaleMax));
    bind(tr("Flip"), newRealField(this, 0, 1, 0.1), tr("Probability of a horizontal flip."),
         numberOf(&TrainingPlan::augment, &AugmentPlan::flip));
    bind(tr("Operations"), newCountField(this, 0, 14), tr("Number of RandAugment operations per image; 0: none."),
         numberOf(&TrainingPlan::augment, &AugmentPlan::operations));
    bind(tr("Magnitude"), newRealField(this, 0, 10, 1), tr("Magnitude of the RandAugment operations, 0 to 10."),
         numberOf(&TrainingPlan::augment, &AugmentPlan::magnitude));
    bind(tr("Random erasing"), newRealField(this, 0, 1, 0.05), tr("Probability of random erasing."),
         numberOf(&TrainingPlan::augment, &AugmentPlan::erasing));
    bind(tr("Mixup"), newRealField(this, 0, 100, 0.1), tr("α of mixup; 0: none."),
         numberOf(&TrainingPlan::augment, &AugmentPlan::mixup));
    bind(tr("CutMix"), newRealField(this, 0, 100, 0.1), tr("α of CutMix; 0: none."),
         numberOf(&TrainingPlan::augment, &AugmentPlan::cutmix));
    // Which recipe it is follows from the numbers.
    connect(this, &TrainMore::changed, this, [this] {
        TrainRequest request;
        fill(request);
        m_augmentation->setCurrentIndex(int(augmentationOf(request.plan.augment)));
    });
}

void TrainMore::buildData()
{
    addSection(tr("Data"));
    m_layoutNames = new QComboBox(this);
    m_layoutNames->addItems({u"auto"_s, u"imagenet"_s, u"kinetics"_s, u"list"_s});
    addRow(tr("Layout"), m_layoutNames,
           tr("How the folder is organised: one subfolder of images or videos per class, or lists of files."));
    m_validation = new PathField(PathField::Kind::Folder, tr("Validation folder"), {}, this);
    m_column->addWidget(
        new FieldRow(tr("Validation set"), m_validation,
                     tr("Separate folder for validation; empty: use the one inside the data folder."), this));
    bind(tr("Limit"), newCountField(this, 0, 2'000'000'000), tr("Number of training samples to use; 0: all."),
         &TrainingPlan::limit);
    bind(tr("Loader threads"), newCountField(this, 0, 1024),
         tr("Threads that load and augment samples; 0: one per processor thread."), &TrainingPlan::workers);
    m_landmarkMap = new QComboBox(this);
    m_landmarkMap->addItems({u"auto"_s, u"light"_s, u"dense"_s, u"none"_s});
    addRow(tr("Landmarks"), m_landmarkMap, tr("Learned map after LARA's pooling; auto: as in the checkpoint."));
    connect(m_layoutNames, &QComboBox::activated, this, &TrainMore::dataChanged);
    connect(m_validation, &PathField::pathChanged, this, &TrainMore::dataChanged);
    connect(m_landmarkMap, &QComboBox::activated, this, &TrainMore::changed);
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
    m_augmentation->setCurrentIndex(int(augmentationOf(plan.augment)));
}

void TrainMore::showData(const TrainRequest& request)
{
    m_layoutNames->setCurrentText(toQt(request.layout));
    m_landmarkMap->setCurrentText(toQt(request.landmarkMap));
    m_validation->setPath(toQt(request.validation));
}

void TrainMore::setTaught(bool taught)
{
    for (QWidget* part : m_taughtOnly)
        part->setVisible(taught);
}

FieldRow* TrainMore::row(TrainField field) const
{
    const auto found = m_rows.find(field);
    return found == m_rows.end() ? nullptr : found->second;
}

}
