#pragma once

#include "ui/workspace/settings.h"

#include <QDialog>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QSpinBox;

namespace attnscope::ui {

/// The few settings, each with its default said; *Defaults* resets all.
class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    explicit SettingsDialog(const Settings& settings, QWidget* parent = nullptr);
    /// `settings` with what the dialog changes.
    Settings edited() const;

    QComboBox* theme() const { return m_theme; }
    QSpinBox* threads() const { return m_threads; }

signals:
    void gpusRequested();

private:
    void show(const Settings& settings);
    template <typename Field>
    Field* add(QFormLayout& form, const QString& name, const QString& help, Field* field);

    Settings m_settings;
    QComboBox* m_language;
    QComboBox* m_theme;
    QSpinBox* m_threads;
    QSpinBox* m_networks;
    QSpinBox* m_seeds;
    QSpinBox* m_repetitions;
    QDoubleSpinBox* m_seconds;
    QSpinBox* m_megapixels;
    QSpinBox* m_megabytes;
    QSpinBox* m_side;
    QSpinBox* m_crops;
};

}
