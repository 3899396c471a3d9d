#include "ui/neighbours/neighbour_view.h"

#include "ui/neighbours/neighbours_words.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/number_fields.h"

#include "core/lab/neighbours/neighbours_figures.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace attnscope::ui {

/// The image itself, as small as those of the gallery.
class NeighbourView::ImageLabel : public QWidget {
public:
    ImageLabel(Thumbnails& thumbnails, QWidget* parent)
        : QWidget(parent)
        , m_thumbnails(thumbnails)
    {
        setFixedSize(GalleryView::imageSize());
        setAccessibleName(NeighbourView::tr("The image"));
        connect(&thumbnails, &Thumbnails::ready, this, [this](const QString& path) {
            if (path == m_path)
                update();
        });
    }
    void setPath(const QString& path)
    {
        m_path = path;
        setAccessibleName(NeighbourView::tr("The image %1").arg(QFileInfo(path).fileName()));
        setToolTip(path);
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        QPainterPath rounded;
        rounded.addRoundedRect(rect(), 4, 4);
        painter.setClipPath(rounded);
        const QImage* known = m_path.isEmpty() ? nullptr : m_thumbnails.of(m_path);
        if (known != nullptr && !known->isNull())
            painter.drawImage(rect(), *known);
        else
            painter.fillRect(rect(), Theme::of(palette()).sunken);
    }

private:
    Thumbnails& m_thumbnails;
    QString m_path;
};

NeighbourView::NeighbourView(NeighboursSession& session, Thumbnails& thumbnails, QWidget* parent)
    : QFrame(parent)
    , m_session(session)
    , m_title(new ElidedLabel(this))
    , m_count(new CaptionSpin(tr("Neighbours"), 1, 1000, 20, this))
    , m_mix(new RealSpin(this))
    , m_photo(new ImageLabel(thumbnails, this))
    , m_table(new QTableView(this))
    , m_hint(new QLabel(this))
    , m_gallery(new GalleryView(this))
    , m_neighbours(thumbnails)
{
    setProperty("card", true);
    m_title->setFont(fontFor(Type::BodyStrong));
    m_count->setKeyboardTracking(false);
    m_count->setToolTip(tr("How many neighbours are shown and mixed with the model's prediction"));
    m_mix->setAccessibleName(tr("Weight of the neighbours"));
    m_mix->setToolTip(tr("λ, the weight of the neighbours: 0 is the model alone, 1 the neighbours alone"));
    m_mix->setPrefix(u"λ "_s);
    m_mix->setRange(0, 1);
    m_mix->setDecimals(4);
    m_mix->setSingleStep(0.05);
    m_mix->setValue(0.25);
    m_mix->setKeyboardTracking(false);
    m_mix->setMinimumWidth(84);
    dressTable(*m_table, tr("Predictions for the image"));
    m_table->setModel(&m_predictions);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_hint->setFont(fontFor(Type::Small));
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_hint->setWordWrap(true);
    m_gallery->setModel(&m_neighbours);
    m_gallery->setAccessibleName(tr("Neighbours, nearest first"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(11, 8, 5, 6);
    column->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 6, 0);
    head->setSpacing(8);
    head->addWidget(m_title, 1);
    head->addWidget(m_count);
    head->addWidget(m_mix);
    column->addLayout(head);
    auto* above = new QHBoxLayout;
    above->setContentsMargins(0, 0, 6, 0);
    above->setSpacing(12);
    above->addWidget(m_photo, 0, Qt::AlignTop);
    above->addWidget(m_table, 1);
    column->addLayout(above);
    column->addWidget(m_hint);
    column->addWidget(m_gallery, 1);
    connect(m_count, &QSpinBox::valueChanged, this, &NeighbourView::choicesChanged);
    connect(m_mix, &QDoubleSpinBox::valueChanged, this, &NeighbourView::choicesChanged);
    connect(m_gallery, &GalleryView::opened, this,
            [this](const QModelIndex& index) { emit opened(index.data(GalleryList::PathRole).toString()); });
    setImage({});
}

void NeighbourView::setImage(const QString& path)
{
    m_path = path;
    m_photo->setPath(path);
    refresh();
}

void NeighbourView::refresh()
{
    const auto truth = m_session.classOf(m_path);
    const QString file = QFileInfo(m_path).fileName();
    m_title->setText(m_path.isEmpty() ? tr("Neighbours of an image")
                     : truth          ? tr("%1 · %2").arg(file, *truth)
                                      : file);
    const ImageNeighbours* found = m_session.image();
    const bool isKnown = found != nullptr && toQt(found->path) == m_path;
    m_photo->setVisible(!m_path.isEmpty());
    m_table->setVisible(isKnown);
    if (!isKnown) {
        m_predictions.show({});
        m_neighbours.setItems({});
        m_hint->setText(m_path.isEmpty()        ? tr("Choose a sample, or drop an image here.")
                        : m_session.isLooking() ? tr("Searching…")
                        : m_session.isRunning() ? tr("Its neighbours are looked for once the datastore is there.")
                                                : tr("Its neighbours were not found."));
        return;
    }
    m_predictions.show(neighbourPredictions(*found, truth ? std::optional(fromQt(*truth)) : std::nullopt));
    const FeatureDistance distance = m_session.imageReport()->distance;
    m_neighbours.setItems(neighbourItems(*found, distance, truth));
    QStringList words{distance == FeatureDistance::Cosine
                          ? tr("Nearest first, with cosine similarity; below: file and weight.")
                          : tr("Nearest first, with distance; below: file and weight.")};
    if (truth)
        words << tr("✓: the class of the image, ≠: another one.");
    if (found->leftOut > 0)
        words << tr("The image is in the datastore, and not its own neighbour.");
    m_hint->setText(words.join(QLatin1Char(' ')));
    fit();
}

void NeighbourView::explain(const QString& sentence)
{
    m_hint->setText(sentence);
}

void NeighbourView::fit()
{
    m_table->setFixedHeight(
        std::max(m_table->horizontalHeader()->height(), m_table->horizontalHeader()->sizeHint().height())
        + 3 * m_table->verticalHeader()->defaultSectionSize() + 6);
    if (m_table->isVisible())
        fitTableColumns(*m_table, 260);
}

void NeighbourView::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    QTimer::singleShot(0, this, &NeighbourView::fit);
}

}
