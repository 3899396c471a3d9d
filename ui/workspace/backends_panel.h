#pragma once

#include "ui/workspace/backend_list.h"
#include "ui/workspace/spec_panel.h"

class QComboBox;

namespace attnscope::ui {

class IconButton;

/// One backend in the dock; its further options have to be asked for.
class BackendRow : public SpecRow {
    Q_OBJECT
public:
    BackendRow(BackendList& list, int id, QWidget* parent = nullptr);

    void refresh() override;
    QComboBox* tokenChoice() const { return m_tokens; }
    QComboBox* weightChoice() const { return m_weights; }
    QComboBox* networkChoice() const { return m_network; }
    QComboBox* dtypeChoice() const { return m_dtype; }
    OptionForm* tokenOptions() const { return m_tokenOptions; }

protected:
    void arrange() override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    QComboBox* addChoice(const QString& caption, const QStringList& choices, const QString& help);
    void buildTokens();
    void buildWeights();
    void buildNetwork();
    void refreshNetwork(const AttentionSpec& spec);

    BackendList& m_list;
    bool m_more = false;
    IconButton* m_star;
    QLabel* m_word;  ///< "deit_lara · reference"
    QComboBox* m_tokens = nullptr;
    OptionForm* m_tokenOptions = nullptr;
    QComboBox* m_weights = nullptr;
    QComboBox* m_network = nullptr;
    QComboBox* m_dtype = nullptr;
    LinkButton *m_dropInLink, *m_moreLink;
};

/// The Backends dock's contents: a row per entry of the list with its options, its specification as text, ★ for the reference,
/// and the presets. Built from the registry alone.
class BackendsPanel : public SpecPanel {
    Q_OBJECT
public:
    explicit BackendsPanel(BackendList& list, QWidget* parent = nullptr);
    BackendRow* row(int id) const { return static_cast<BackendRow*>(rowOf(id)); }

protected:
    SpecRow* makeRow(int id) override { return new BackendRow(m_list, id, this); }
    void rebuild() override;

private:
    void addPresets();

    BackendList& m_list;
};

}
