// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/backends_panel.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/workspace/backend_list.h"
#include "ui/workspace/backend_row.h"

#include <QFrame>
#include <QLabel>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

namespace attnscope::ui {

namespace {

/// A preset's name: an ordinary text that acts.
class PresetButton : public QPushButton {
public:
    PresetButton(const QString& text, QWidget* parent) : QPushButton(text, parent)
    {
        setFlat(true);
        setCursor(Qt::PointingHandCursor);
        setAttribute(Qt::WA_Hover);
        setMinimumHeight(26);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const Theme& theme = Theme::of(palette());
        painter.setPen(underMouse() ? theme.accText : theme.text2);
        painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft, text());
    }
};

}  // namespace

BackendsPanel::BackendsPanel(BackendList& list, QWidget* parent) : QWidget(parent), m_list(list), m_rows(new QVBoxLayout)
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setAccessibleName(tr("Backends and presets"));
    auto* inner = new QWidget(scroll);
    inner->setBackgroundRole(QPalette::Base);
    inner->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(inner);
    column->setContentsMargins(14, 0, 10, 12);
    column->setSpacing(0);
    m_rows->setSpacing(0);
    column->addLayout(m_rows);
    addPresets(*column);
    column->addStretch(1);
    scroll->setWidget(inner);
    outer->addWidget(scroll);
    rebuild();
    // Rows are built anew after the signal that asked for it has left the row that sent it.
    connect(&list, &BackendList::layoutOfEntriesChanged, this, [this] { QTimer::singleShot(0, this, &BackendsPanel::rebuild); });
    connect(&list, &BackendList::selectionChanged, this, &BackendsPanel::refresh);
}

BackendRow* BackendsPanel::row(int id) const
{
    const auto found = m_byId.find(id);
    return found == m_byId.end() ? nullptr : found->second;
}

void BackendsPanel::rebuild()
{
    // A row takes 2 ms to build, so those of entries that stay are kept.
    std::map<int, BackendRow*> kept;
    for (const BackendList::Entry& entry : m_list.entries())
        if (BackendRow* shown = row(entry.id); shown != nullptr && shown->backend() == toQt(entry.spec.backend()))
            kept[entry.id] = shown;
    for (const auto& [id, shown] : m_byId)
        if (!kept.contains(id)) {
            m_rows->removeWidget(shown);
            shown->hide();
            shown->deleteLater();
        }
    m_byId = std::move(kept);
    int place = 0;
    for (const BackendList::Entry& entry : m_list.entries()) {
        BackendRow*& shown = m_byId[entry.id];
        if (shown == nullptr) {
            shown = new BackendRow(m_list, entry.id, this);
            connect(shown, &BackendRow::touched, this, &BackendsPanel::makeCurrent);
        } else {
            shown->refresh();
        }
        if (m_rows->indexOf(shown) != place) {
            m_rows->removeWidget(shown);
            m_rows->insertWidget(place, shown);
        }
        shown->show();
        ++place;
    }
    if (m_list.entry(m_current) == nullptr)  // at the start the last ticked backend shows how a specification reads
        for (const BackendList::Entry& entry : m_list.entries())
            if (entry.checked)
                m_current = entry.id;
    makeCurrent(m_current);
}

void BackendsPanel::refresh()
{
    for (const auto& [id, row] : m_byId)
        row->refresh();
}

void BackendsPanel::makeCurrent(int id)
{
    m_current = id;
    for (const auto& [other, row] : m_byId)
        row->setCurrent(other == id);
}

void BackendsPanel::addPresets(QVBoxLayout& column)
{
    auto* rule = new QFrame(this);
    rule->setFixedHeight(1);
    rule->setAutoFillBackground(true);
    rule->setBackgroundRole(QPalette::Shadow);
    column.addSpacing(8);
    column.addWidget(rule);
    column.addSpacing(10);
    auto* heading = new QLabel(tr("Presets"), this);
    heading->setFont(fontFor(Type::BodyMedium));
    heading->setForegroundRole(QPalette::PlaceholderText);
    column.addWidget(heading);
    for (const Preset& preset : presets()) {
        auto* button = new PresetButton(preset.title, this);
        button->setAccessibleName(tr("Preset %1").arg(preset.title));
        button->setToolTip(preset.specs.join(QLatin1Char('\n')));
        column.addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, specs = preset.specs] {
            std::vector<AttentionSpec> parsed;
            for (const QString& spec : specs)
                parsed.push_back(AttentionSpec::parse(fromQt(spec)));
            m_list.setSpecs(parsed);
        });
    }
}

}  // namespace attnscope::ui
