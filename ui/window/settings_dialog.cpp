#include "ui/window/settings_dialog.h"

#include "ui/style/language.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr int64_t million = 1'000'000;
constexpr int64_t mebibyte = int64_t{1} << 20;

QSpinBox* spin(int low, int high, const QString& suffix)
{
    auto* box = new QSpinBox;
    box->setRange(low, high);
    box->setSuffix(suffix);
    box->setMinimumWidth(150);
    return box;
}

}

template <typename Field>
Field* SettingsDialog::add(QFormLayout& form, const QString& name, const QString& help, Field* field)
{
    field->setAccessibleName(name);
    field->setAccessibleDescription(help);
    auto* label = new QLabel(name, this);
    label->setBuddy(field);
    form.addRow(label, field);
    auto* hint = new QLabel(help, this);
    hint->setWordWrap(true);
    hint->setFont(fontFor(Type::Small));
    hint->setForegroundRole(QPalette::PlaceholderText);
    const int width = 52 * hint->fontMetrics().averageCharWidth();
    hint->setMinimumSize(width, hint->heightForWidth(width));  // a form gives wrapped lines the height of fewer
    form.addRow(QString(), hint);
    return field;
}

SettingsDialog::SettingsDialog(const Settings& settings, QWidget* parent)
    : QDialog(parent)
    , m_settings(settings)
{
    setWindowTitle(tr("Settings"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 12);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(4);
    m_theme = new QComboBox;
    m_theme->addItem(tr("Follow the system"), u"system"_s);
    m_theme->addItem(tr("Light"), u"light"_s);
    m_theme->addItem(tr("Dark"), u"dark"_s);
    add(*form, tr("Theme"), tr("Default: follow the system."), m_theme);
    m_language = new QComboBox;
    m_language->addItem(tr("Follow the system"), u"system"_s);
    for (const Language& language : languages())
        m_language->addItem(language.name, language.code);
    add(*form, tr("Language"), tr("From the next start. Sentences of the command line stay English."), m_language);
    m_threads = add(*form, tr("Threads"), tr("Threads for models on the CPU. Default: one per core."),
                    spin(0, 1024, {}));
    m_threads->setSpecialValueText(tr("One per core"));
    auto* gpus = add(*form, tr("GPUs"), tr("Which of them can be used, and the installation of what is missing."),
                     new QPushButton(tr("Show…")));
    gpus->setAutoDefault(false);
    connect(gpus, &QPushButton::clicked, this, &SettingsDialog::gpusRequested);
    m_networks = add(*form, tr("Networks kept in memory"),
                     tr("Those used last, so that a comparison need not load them again. Default: 2."),
                     spin(1, maxResidentNetworks, {}));
    m_seeds = add(*form, tr("Seeds"),
                  tr("Number of seeds over which errors of random backends are averaged. Default: 3."),
                  spin(1, 100, {}));
    m_repetitions = add(*form, tr("Repetitions"), tr("Minimum number of timed passes per backend. Default: 20."),
                        spin(1, 10'000, {}));
    m_seconds = new QDoubleSpinBox;
    m_seconds->setRange(0, 600);
    m_seconds->setSuffix(tr(" s"));
    add(*form, tr("Minimum measuring time"), tr("For each backend. Default: 1 s."), m_seconds);
    m_megapixels = add(*form, tr("Maximum image size"),
                       tr("Checked before anything is decoded. Default: 100 megapixels."),
                       spin(1, 2000, tr(" megapixels")));
    m_megabytes = add(*form, tr("Maximum image file size"), tr("Default: 512 MiB."), spin(1, 1 << 20, tr(" MiB")));
    m_side = add(*form, tr("Maximum side length"), tr("Default: 16384 pixels."), spin(1, 1 << 20, tr(" pixels")));
    m_crops = add(*form, tr("Crop cache on disk"),
                  tr("Lets repeated evaluations of a folder skip decoding; 150 KB per image. "
                     "Default: none."),
                  spin(0, maxCropGibibytes, tr(" GiB")));
    m_crops->setToolTip(tr("In %1").arg(QDir::toNativeSeparators(cropFolder())));
    m_crops->setSpecialValueText(tr("None"));
    column->addLayout(form);
    auto* buttons = new QDialogButtonBox(
        QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults, this);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this, [this] { show({}); });
    for (QAbstractButton* button : buttons->buttons())
        button->setAccessibleName(withoutMnemonic(button->text()));
    show(settings);
}

void SettingsDialog::show(const Settings& settings)
{
    m_theme->setCurrentIndex(m_theme->findData(settings.theme));
    m_language->setCurrentIndex(std::max(0, m_language->findData(settings.language)));
    m_threads->setValue(settings.threads);
    m_networks->setValue(settings.residentNetworks);
    m_seeds->setValue(settings.seeds);
    m_repetitions->setValue(settings.repetitions);
    m_seconds->setValue(settings.seconds);
    m_megapixels->setValue(int(settings.limits.imagePixels / million));
    m_megabytes->setValue(int(settings.limits.imageBytes / mebibyte));
    m_side->setValue(int(settings.limits.imageSide));
    m_crops->setValue(settings.cropGibibytes);
}

Settings SettingsDialog::edited() const
{
    Settings out = m_settings;
    out.theme = m_theme->currentData().toString();
    out.language = m_language->currentData().toString();
    out.threads = m_threads->value();
    out.residentNetworks = m_networks->value();
    out.seeds = m_seeds->value();
    out.repetitions = m_repetitions->value();
    out.seconds = m_seconds->value();
    out.limits.imagePixels = m_megapixels->value() * million;
    out.limits.imageBytes = m_megabytes->value() * mebibyte;
    out.limits.imageSide = m_side->value();
    out.cropGibibytes = m_crops->value();
    return out;
}

}
