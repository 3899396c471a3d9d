#pragma once

#include "ui/style/cell_values.h"
#include "ui/style/theme.h"

#include <QPainter>
#include <QPainterPath>

namespace attnscope::ui {

/// A backend's mark as a path with radius `radius` around (0, 0).
QPainterPath markPath(const QString& backend, double radius);
enum class MarkFill { Solid, Hollow };
void drawMark(QPainter& painter, const QString& backend, QPointF centre, double size, const Theme& theme,
              MarkFill fill = MarkFill::Solid);

/// A filled rectangle with round corners.
void drawRounded(QPainter& painter, const QRectF& rect, double radius, const QBrush& fill,
                 const QPen& border = Qt::NoPen);

/// Text with tabular figures: each digit takes the advance of "0". Returns the width; draws with the baseline at `at`.
double drawNumber(QPainter& painter, QPointF at, const QString& text);
double numberWidth(const QFont& font, const QString& text);
/// The baseline of a line that is centred on `middle`.
double baselineAt(const QFont& font, double middle);
/// Such a text with its end at `right`, centred on `middle`.
void drawNumberTo(QPainter& painter, double right, double middle, const QString& text, const QFont& font,
                  const QColor& colour);
/// The same for "62.1 ms": what follows the number, its unit or half of its interval, is small and pale.
void drawQuantityTo(QPainter& painter, double right, double middle, const QString& text, const QFont& font,
                    const Theme& theme);

/// A delta chip of 18 pixels, right edge at `right`, centred on `middle`. Returns its width.
double chipWidth(const Delta& delta);
void drawChip(QPainter& painter, double right, double middle, const Delta& delta, const Theme& theme, bool filled);

/// A small label on a filled, rounded ground ("swapped"). Returns its left edge.
double drawTag(QPainter& painter, double right, double middle, const QString& text, const Theme& theme);
double tagWidth(const QString& text);

void drawHatch(QPainter& painter, const QRectF& rect, const Theme& theme);
void drawInterval(QPainter& painter, const QRectF& track, const Interval& interval, const QString& backend,
                  const Theme& theme);
/// In the colour of what runs, unless told.
void drawProgress(QPainter& painter, const QRectF& track, double part, const Theme& theme,
                  const QColor& colour = {});
void drawFocusRing(QPainter& painter, const QRectF& rect, double radius, const Theme& theme);

/// Text in one line, vertically centred in `rect`, elided at the end when there is no room.
void drawLine(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font, const QColor& colour,
              Qt::Alignment alignment = Qt::AlignLeft);

/// Name and samples of an attention, then the star of the reference, centred in `line`; what finds no room is elided.
void drawAttentionName(QPainter& painter, const QRectF& line, const QString& name, const QString& samples,
                       bool reference, const Theme& theme);

}
