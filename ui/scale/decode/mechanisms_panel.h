#pragma once

#include "ui/workspace/spec_panel.h"

namespace attnscope::ui {

class IconButton;
class MechanismList;

/// One mechanism; while it is the current one also the ways to have it twice.
class MechanismRow : public SpecRow {
    Q_OBJECT
public:
    MechanismRow(MechanismList& list, int id, QWidget* parent = nullptr);

    void refresh() override;
    IconButton* opener() const { return m_opener; }
    LinkButton* duplicateLink() const { return m_duplicate; }
    LinkButton* removeLink() const { return m_remove; }

protected:
    void arrange() override;

private:
    MechanismList& m_list;
    IconButton* m_opener;
    LinkButton *m_duplicate, *m_remove;
};

/// Which causal mechanisms are measured, next to the figures of the Decode tab.
class MechanismsPanel : public SpecPanel {
    Q_OBJECT
public:
    explicit MechanismsPanel(MechanismList& list, QWidget* parent = nullptr);
    MechanismRow* row(int id) const { return static_cast<MechanismRow*>(rowOf(id)); }

protected:
    SpecRow* makeRow(int id) override { return new MechanismRow(m_list, id, this); }

private:
    MechanismList& m_list;
};

}
