// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <map>

class QVBoxLayout;

namespace attnscope::ui {

class BackendList;
class BackendRow;

/// The Backends dock's contents: a row per entry of the list with its options, its specification as text, ★ for the reference,
/// and the presets. Built from the registry alone.
class BackendsPanel : public QWidget {
    Q_OBJECT
public:
    explicit BackendsPanel(BackendList& list, QWidget* parent = nullptr);
    [[nodiscard]] BackendRow* row(int id) const;

private:
    void rebuild();
    void refresh();
    void makeCurrent(int id);
    void addPresets(QVBoxLayout& column);

    BackendList& m_list;
    QVBoxLayout* m_rows;
    std::map<int, BackendRow*> m_byId;
    int m_current = 0;
};


}  // namespace attnscope::ui
