#include "ui/live/transport_bar.h"

#include "ui/live/live_session.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>

namespace attnscope::ui {

namespace {

constexpr std::array<double, 7> speeds{0.25, 0.5, 0.75, 1, 1.5, 2, 4};
constexpr std::array<int, 6> clipSteps{1, 2, 4, 8, 16, 32};

QString speedText(double speed)
{
    return u"%1×"_s.arg(speed, 0, 'g', 3);
}

}

TransportBar::TransportBar(LiveSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 6, 12, 6);
    row->setSpacing(4);
    m_back = button(u"frame-back"_s, tr("Previous frame"), u","_s);
    m_play = button(u"run"_s, tr("Play"), tr("Space"));
    m_forward = button(u"frame-forward"_s, tr("Next frame"), u"."_s);
    m_time = new QLabel(this);
    m_time->setAccessibleName(tr("Position"));
    m_time->setFont(fontFor(Type::BodyMedium));
    m_loop = button(u"loop"_s, tr("Loop"), u"R"_s);
    m_loop->setCheckable(true);
    m_difference = button(u"difference"_s, tr("Next disagreement"), u"N"_s);
    m_speed = box(tr("Speed"), tr("Speed ([ and ])"));
    for (const double speed : speeds)
        m_speed->addItem(speedText(speed), speed);
    m_speed->setCurrentIndex(3);
    m_every = box(tr("Prediction interval"), tr("Prediction interval"));
    m_everyClip = new QCheckBox(tr("Predict every clip"), this);
    m_everyClip->setAccessibleName(tr("Predict every clip"));
    m_everyClip->setToolTip(tr("Playback waits for the predictions instead of skipping clips."));
    m_keepingUp = new ElidedLabel(this);
    m_keepingUp->setAccessibleName(tr("Inference progress"));
    m_keepingUp->setElideMode(Qt::ElideRight);
    m_keepingUp->setForegroundRole(QPalette::PlaceholderText);
    m_keepingUp->setFont(fontFor(Type::Small));
    m_keepingUp->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    const std::pair<QWidget*, int> parts[]{{m_back, 0},  {m_play, 0},       {m_forward, 6},
                                           {m_time, 6},  {m_difference, 0}, {m_loop, 4},
                                           {m_speed, 4}, {m_every, 8},      {m_everyClip, 8}};
    for (const auto& [widget, room] : parts) {
        row->addWidget(widget);
        if (room > 0)
            row->addSpacing(room);
    }
    row->addWidget(m_keepingUp, 1);
    m_everyClip->setFocusPolicy(Qt::TabFocus);
    connect(m_back, &IconButton::clicked, this, [this] { m_session.step(-1); });
    connect(m_forward, &IconButton::clicked, this, [this] { m_session.step(1); });
    connect(m_play, &IconButton::clicked, this, [this] { m_session.toggle(); });
    connect(m_difference, &IconButton::clicked, this, [this] { m_session.nextDifference(); });
    connect(m_loop, &IconButton::toggled, this, [this](bool on) { m_session.setLoop(on); });
    connect(m_speed, &QComboBox::activated, this, [this](int index) {
        m_session.setSpeed(m_speed->itemData(index).toDouble());
        emit done();
    });
    connect(m_every, &QComboBox::activated, this, [this](int index) {
        m_session.setEvery(m_every->itemData(index).toInt());
        emit done();
    });
    connect(m_everyClip, &QCheckBox::toggled, this, [this](bool on) { m_session.setEveryClip(on); });
    connect(&session, &LiveSession::stateChanged, this, &TransportBar::refresh);
    connect(&session, &LiveSession::sourceChanged, this, [this] {
        m_session.setLoop(m_loop->isChecked());
        m_session.setSpeed(m_speed->currentData().toDouble());
    });
    connect(&session, &LiveSession::requestedModelChanged, this, &TransportBar::fillEvery);
    fillEvery();
    refresh();
}

IconButton* TransportBar::button(const QString& icon, const QString& name, const QString& key)
{
    auto* made = new IconButton(icon, name, this);
    made->setToolTip(tr("%1 (%2)").arg(name, key));
    made->setFixedSize(30, 30);
    made->setFocusPolicy(Qt::TabFocus);
    return made;
}

CaptionCombo* TransportBar::box(const QString& name, const QString& help)
{
    auto* made = new CaptionCombo(name, this);
    made->setCaptions(CaptionCombo::Captions::Dropped);  // "1×" says it
    made->setToolTip(help);
    made->setAccessibleName(name);
    made->setFocusPolicy(Qt::TabFocus);  // a click leaves the keys with the image
    return made;
}

QLabel* TransportBar::keepingUp() const
{
    return m_keepingUp;
}

void TransportBar::changeSpeed(int steps)
{
    const int index = std::clamp(m_speed->currentIndex() + steps, 0, m_speed->count() - 1);
    m_speed->setCurrentIndex(index);
    m_session.setSpeed(m_speed->itemData(index).toDouble());
}

QString TransportBar::everyText(int every) const
{
    if (m_session.isVideoModel())
        return tr("every %1 s").arg(every * m_session.grid().period, 0, 'f', 2);
    return every == 1 ? tr("every frame") : every == 2 ? tr("every 2nd frame") : tr("every %1th frame").arg(every);
}

void TransportBar::fillEvery()
{
    m_every->clear();
    for (const int step : clipSteps)
        m_every->addItem(everyText(step), step);
    m_every->setCurrentIndex(std::max(0, m_every->findData(m_session.every())));
}

QStringList TransportBar::keepingUpParts() const
{
    if (!m_session.isOpen())
        return {};
    const ScheduleCounts counts = m_session.counts();
    QStringList parts;
    if (counts.predicted + counts.missed > 0) {
        const bool all = counts.missed == 0;
        parts << tr("Processed %1 %").arg(all ? 100 : std::min(99, int(std::lround(100 * counts.fraction()))));
        parts << tr("Lag %1 s").arg(m_session.behind(), 0, 'f', 1);
    }
    const PlayerState state = m_session.state();
    parts << (state.dropped == 0 ? tr("Dropped 0") : tr("Dropped %1").arg(state.dropped));
    return parts;
}

void TransportBar::refresh()
{
    const PlayerState state = m_session.state();
    const SourceInfo info = m_session.info();
    const bool ready = m_session.isOpen() && state.phase == PlayerState::Phase::Ready;
    m_play->setIconName(state.playing ? u"pause"_s : u"run"_s);
    m_play->setAccessibleName(state.playing ? tr("Pause") : tr("Play"));
    m_play->setToolTip(tr("%1 (%2)").arg(m_play->accessibleName(), tr("Space")));
    m_play->setEnabled(ready);
    for (IconButton* each : {m_back, m_forward, m_loop, m_difference})
        each->setEnabled(ready && !m_session.isCamera());
    m_speed->setEnabled(!m_session.isCamera());
    m_everyClip->setEnabled(!m_session.isCamera());
    const QString now = clockText(state.seconds, 2);
    const QString text = m_session.isCamera()
                             ? now
                             : tr("%1 / %2").arg(now, state.length ? clockText(*state.length, 1) : u"?"_s);
    if (m_time->text() != text)
        m_time->setText(text);
    const int wide =
        QFontMetrics(m_time->font()).horizontalAdvance(QString(text).replace(QRegularExpression(u"\\d"_s), u"0"_s))
        + 4;
    m_time->setMinimumWidth(std::max(m_time->minimumWidth() > wide + 30 ? 0 : m_time->minimumWidth(), wide));
    QStringList parts = keepingUpParts();
    const QString separator = u" · "_s, keeping = parts.join(separator);
    const QString help =
        tr("%1\nProcessed: fraction of the scheduled clips that were predicted. Dropped: frames that came "
           "too late to be shown.")
            .arg(keeping);
    if (m_keepingUp->toolTip() != help) {
        m_keepingUp->setToolTip(help);
        // Where there is little room the lag is left out rather than half of the last number.
        if (parts.size() == 3
            && QFontMetrics(m_keepingUp->font()).horizontalAdvance(keeping) > m_keepingUp->width())
            parts.removeAt(1);
        m_keepingUp->setText(parts.join(separator));
    }
}

}
