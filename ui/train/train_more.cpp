#include "ui/train/train_more.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/number_fields.h"

#include "models/training/train_options.h"

#include <QCheckBox>
#include <QLabel>
#include <QMetaProperty>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace attnscope::ui {

namespace {

/// The options of a training, and each number of an augmentation, of which the command line takes pairs.
void visitForm(MaybeConst<TrainOptions> auto& options, auto& visit)
{
    visitOptions(options, visit);
    auto& augment = options.request.plan.augment;
    visit("crop-min", augment.cropScaleMin, within(0.01, 1),
          QT_TRANSLATE_NOOP("attnscope", "Minimum fraction of the image area kept by a random crop"));
    visit("crop-max", augment.cropScaleMax, within(0.01, 1),
          QT_TRANSLATE_NOOP("attnscope", "Maximum fraction of the image area kept by a random crop"));
    visit("flip", augment.flip, within(0, 1), QT_TRANSLATE_NOOP("attnscope", "Probability of a horizontal flip"));
    visit("operations", augment.operations, within(0, 14),
          QT_TRANSLATE_NOOP("attnscope", "Number of RandAugment operations per image; 0: none"));
    visit("magnitude", augment.magnitude, within(0, 10),
          QT_TRANSLATE_NOOP("attnscope", "Magnitude of the RandAugment operations, 0 to 10"));
    visit("erasing", augment.erasing, within(0, 1),
          QT_TRANSLATE_NOOP("attnscope", "Probability of random erasing"));
    visit("mixup", augment.mixup, within(0, 100), QT_TRANSLATE_NOOP("attnscope", "α of mixup; 0: none"));
    visit("cutmix", augment.cutmix, within(0, 100), QT_TRANSLATE_NOOP("attnscope", "α of CutMix; 0: none"));
}

/// Finds what a field is made from: of a flag neither words nor a range.
struct OptionSearch {
    std::string name;
    OptionRule rule = {};
    std::string help = {};
    bool isInteger = false;

    void operator()(const char* option, bool, const std::string& text)
    {
        if (option == name)
            help = text;
    }
    template <typename Value>
    void operator()(const char* option, const Value&, const OptionRule& accepted, const std::string& text)
    {
        if (option == name)
            rule = accepted, help = text, isInteger = std::is_integral_v<Value>;
    }
    void plugins() {}
};

/// Shows the values of a constant request in its fields; takes those of another one from them.
struct FieldValues {
    const std::map<std::string, QWidget*>& fields;

    void operator()(const char* name, auto& value, const std::string&) { exchange(name, value); }
    void operator()(const char* name, auto& value, const OptionRule&, const std::string&)
    {
        exchange(name, value);
    }
    void plugins() {}

private:
    template <typename Value>
    void exchange(const char* name, Value& value)
    {
        constexpr bool isText = std::is_convertible_v<Value, std::string>;
        const auto found = fields.find(name);
        if constexpr (isText || std::is_arithmetic_v<Value>) {
            if (found == fields.end())
                return;
            const QMetaProperty shown = found->second->metaObject()->userProperty();
            const QSignalBlocker quiet(found->second);
            if constexpr (std::is_const_v<Value> && isText)
                shown.write(found->second, toQt(value));
            else if constexpr (std::is_const_v<Value>)
                shown.write(found->second, QVariant::fromValue(value));
            else if constexpr (isText)
                value = fromQt(shown.read(found->second).toString());
            else
                value = shown.read(found->second).value<Value>();
        }
    }
};

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
    showRequest({});
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

FieldRow* TrainMore::addOption(const char* name, const QString& label, double step, const QString& help)
{
    OptionSearch option{name};
    const TrainOptions defaults;
    visitForm(defaults, option);
    QWidget* field = nullptr;
    const auto& [low, high, words] = std::tie(option.rule.low, option.rule.high, option.rule.words);
    if (!words.empty()) {
        auto* box = new QComboBox(this);
        for (const std::string& word : words)
            box->addItem(toQt(word));
        field = box;
    } else if (option.isInteger) {
        field = newCountField(this, int(low), int(std::min<double>(high, std::numeric_limits<int>::max())));
    } else if (low < high) {
        field = newRealField(this, low, high, step);
    } else {
        field = new QCheckBox(this);
    }
    m_fields[name] = field;
    const auto signal = std::string(name) == "--layout" ? &TrainMore::dataChanged : &TrainMore::changed;
    connect(field, field->metaObject()->userProperty().notifySignal(), this, QMetaMethod::fromSignal(signal));
    return addRow(label, field,
                  help.isEmpty() ? QCoreApplication::translate("attnscope", option.help.c_str()) : help);
}

void TrainMore::buildDistillation()
{
    const int before = m_column->count();
    addSection(tr("Distillation"));
    addOption("--attention-weight", tr("Attention"), 0.1);
    addOption("--logit-weight", tr("Predictions"), 0.1);
    m_rows[TrainField::Weights] = addOption("--label-weight", tr("Labels"), 0.1);
    addOption("--temperature", tr("Temperature"), 0.5);
    addOption("--parameter-epochs", tr("Landmark-only epochs"));
    for (int i = before; i < m_column->count(); ++i)
        m_taughtOnly.push_back(m_column->itemAt(i)->widget());
}

void TrainMore::buildOptimizer()
{
    addSection(tr("Optimizer"));
    m_rows[TrainField::FinalRate] = addOption("--final-lr", tr("Final learning rate"), 1e-5);
    addOption("--weight-decay", tr("Weight decay"), 0.01);
    addOption("--clip", tr("Gradient clipping"));
    addOption("--accumulate", tr("Accumulation steps"));
    addOption("--label-smoothing", tr("Label smoothing"), 0.05);
    addOption("--drop-path", tr("Drop path"), 0.05);
    addOption("--ema", tr("EMA decay"), 0.001);
    addOption("--mixed-precision", tr("Precision"));
    static_cast<QCheckBox*>(m_fields["--mixed-precision"])->setText(tr("bfloat16 inside layers"));
    addOption(
        "--exits", tr("Early exits"), 1,
        tr("A norm and a head behind each block but the last are trained; the network to start from stays as "
           "it is, with its attention."));
    static_cast<QCheckBox*>(m_fields["--exits"])->setText(tr("train exit heads alone"));
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
        showRequest(request);
        emit changed();
    });
    m_rows[TrainField::Crop] = addOption("crop-min", tr("Min. crop scale"), 0.05);
    addOption("crop-max", tr("Max. crop scale"), 0.05);
    addOption("flip", tr("Flip"), 0.1);
    addOption("operations", tr("Operations"));
    addOption("magnitude", tr("Magnitude"));
    addOption("erasing", tr("Random erasing"), 0.05);
    addOption("mixup", tr("Mixup"), 0.1);
    addOption("cutmix", tr("CutMix"), 0.1);
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
    addOption("--layout", tr("Layout"), 1,
              tr("How the folder is organised: one subfolder of images or videos per class, or lists of files."));
    m_validation = new PathField(PathField::Kind::Folder, tr("Validation folder"), {}, this);
    m_column->addWidget(
        new FieldRow(tr("Validation set"), m_validation,
                     tr("Separate folder for validation; empty: use the one inside the data folder."), this));
    addOption("--limit", tr("Limit"));
    addOption("--workers", tr("Loader threads"));
    addOption("--landmark-map", tr("Landmarks"));
    connect(m_validation, &PathField::pathChanged, this, &TrainMore::dataChanged);
}

void TrainMore::fill(TrainRequest& request) const
{
    FieldValues values{m_fields};
    TrainOptions options;
    options.request = request;
    visitForm(options, values);
    request = options.request;
    request.validation = fromQt(validation());
}

void TrainMore::showRequest(const TrainRequest& request)
{
    FieldValues values{m_fields};
    TrainOptions options;
    options.request = request;
    visitForm(std::as_const(options), values);
    m_augmentation->setCurrentIndex(int(augmentationOf(request.plan.augment)));
    m_validation->setPath(toQt(request.validation));
}

QString TrainMore::layoutName() const
{
    return static_cast<QComboBox*>(m_fields.at("--layout"))->currentText();
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
