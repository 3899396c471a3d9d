// What leaves the window: charts saved and printed, and networks.
#include "ui/charts/chart_view.h"
#include "ui/charts/figure_file.h"
#include "ui/style/language.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/confirm.h"
#include "ui/window/export_dialog.h"
#include "ui/window/main_window.h"
#include "ui/workspace/accuracy_text.h"

#include "core/base/error.h"
#include "core/base/format.h"

#include <QDate>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QPainter>
#include <QPointer>
#include <QPrintDialog>
#include <QPrinter>

namespace attnscope::ui {

namespace {

QList<ChartView*> visibleCharts(const QWidget& page)
{
    QList<ChartView*> charts;
    for (ChartView* chart : page.findChildren<ChartView*>())
        if (chart->isVisible() && !chart->chart().series.empty())
            charts << chart;
    return charts;
}

/// As large as the width allows, or the height.
QSizeF fitted(QSizeF size, QSizeF room)
{
    return size.scaled(room, Qt::KeepAspectRatio);
}

}

void MainWindow::listImages(QMenu& menu)
{
    menu.clear();
    for (ChartView* chart : visibleCharts(*page()))
        menu.addAction(QString(chart->accessibleName()).replace(QLatin1Char('&'), u"&&"_s) + u"…"_s, this,
                       [this, chart] { askImage(chart); });
    if (!menu.isEmpty())
        menu.addSeparator();
    menu.addAction(tr("&Whole window…"), this, [this] { askImage(nullptr); });
}

void MainWindow::askImage(ChartView* chart)
{
    const QString filter = chart == nullptr ? tr("PNG (*.png)") : tr("SVG (*.svg);;PNG, 2× (*.png);;PDF (*.pdf)");
    const QString name = u"attnscope-%1-%2.%3"_s.arg(screen(), QDate::currentDate().toString(Qt::ISODate),
                                                     chart == nullptr ? u"png"_s : u"svg"_s);
    const QString path = QFileDialog::getSaveFileName(this, tr("Save image"), name, filter);
    if (path.isEmpty())
        return;
    QString problem;
    if (chart != nullptr)
        problem = chart->saveAs(path);
    else if (problem = refusedFormat(path, {u"png"_s}); problem.isEmpty() && !grab().save(path))
        problem = tr("%1: cannot be written; choose a writable folder.").arg(path);
    page()->showProblem(problem);
}

void MainWindow::askPrint()
{
    QPrinter printer(QPrinter::HighResolution);
    printer.setDocName(tr("Attnscope: %1").arg(withoutMnemonic(m_entries[m_shown].screen.title)));
    QPrintDialog dialog(&printer, this);
    if (dialog.exec() == QDialog::Accepted)
        print(printer);
}

void MainWindow::print(QPrinter& printer)
{
    QPainter painter;
    if (!painter.begin(&printer)) {
        page()->showMessage(MessageBar::Kind::Error,
                            tr("The printer could not be opened; choose another one, or save an image."));
        return;
    }
    const double width = painter.viewport().width(), height = painter.viewport().height(), gap = height / 40;
    double y = 0;
    const auto place = [&](QSizeF size) {
        if (y > 0 && y + size.height() > height) {
            printer.newPage();
            y = 0;
        }
        const QRectF area(QPointF(0, y), size);
        y += size.height() + gap;
        return area;
    };
    const QList<ChartView*> charts = visibleCharts(*page());
    for (ChartView* chart : charts) {
        const Drawing drawing = chart->printed();
        const double line = chart->chart().title.empty() ? 1.6 * painter.fontMetrics().height() : 0;
        const QSizeF size = fitted(QSizeF(drawing.width, drawing.height), {width, (height - gap) / 2 - line});
        const QRectF area = place({size.width(), size.height() + line});
        if (line > 0)
            painter.drawText(QRectF(area.topLeft(), QSizeF(width, line)), Qt::AlignLeft | Qt::AlignVCenter,
                             chart->accessibleName());
        painter.save();
        painter.translate(area.x(), area.y() + line);
        painter.scale(size.width() / drawing.width, size.height() / drawing.height);
        paint(painter, drawing, false);
        painter.restore();
    }
    if (charts.isEmpty())
        painter.drawPixmap(place(fitted(page()->size(), {width, height})), page()->grab(), page()->rect());
}

void MainWindow::askExportNetwork()
{
    const auto model = m_workspace.model();
    QStringList specs = m_workspace.backends().checkedSpecs();
    if (specs.isEmpty())
        specs << u"native"_s;
    ExportDialog dialog(model == nullptr ? m_workspace.context().model : toQt(model->summary.name), specs,
                        page()->attentionToExport(), this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    const QString path = dialog.path();
    if (const QString refused = refusedFormat(path, {u"onnx"_s}); !refused.isEmpty())
        page()->showMessage(MessageBar::Kind::Error, refused);
    else if (!QFileInfo::exists(path)
             || confirmed(this, {u"replacing"_s,
                                 tr("Replace the file?"),
                                 tr("%1 already exists.").arg(QFileInfo(path).fileName()),
                                 {},
                                 tr("Replace"),
                                 tr("Cancel")}))
        exportNetwork(dialog.attention(), path);
}

/// By the worker, in its turn; the window tells when it is done.
void MainWindow::exportNetwork(const QString& attention, const QString& path)
{
    ExportRequest request{.model = m_workspace.modelRequest(),
                          .attention = fromQt(attention),
                          .seed = m_workspace.context().seed,
                          .output = fromQt(path),
                          .overwrite = true};
    MessageBar* waiting = page()->showMessage(MessageBar::Kind::Info,
                                              tr("Exporting to %1…").arg(QFileInfo(path).fileName()));
    m_engine.post({}, [request = std::move(request), run = m_options.exportNetwork,
                       self = QPointer<MainWindow>(this), waiting = QPointer<MessageBar>(waiting)] {
        MessageBar::Kind kind = MessageBar::Kind::Info;
        QString sentence;
        try {
            const ExportReport report = run(request);
            sentence = tr("%1 was written: %2 with %3, %4 operators, %5.")
                           .arg(toQt(report.output), toQt(report.model), titleOfSpec(toQt(report.attention)),
                                countText(report.operators), toQt(formatBytes(report.bytes).text()));
            if (!report.external.empty())
                sentence += QLatin1Char(' ')
                            + tr("Its weights are in %1, which belongs next to it.").arg(toQt(report.external));
        } catch (const std::exception& error) {
            kind = MessageBar::Kind::Error;
            sentence = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(qApp, [self, waiting, kind, sentence] {
            if (waiting)
                waiting->deleteLater();
            if (self)
                self->page()->showMessage(kind, sentence);
        });
    });
}

}
