#pragma once

#include <QStackedWidget>

namespace attnscope::ui {

/// Pages that fill the room there is. Asked how high they would like to be at a width, all would lay out their texts, hidden ones too,
/// several times for each new size.
class PageStack : public QStackedWidget {
public:
    using QStackedWidget::QStackedWidget;
    bool hasHeightForWidth() const override { return false; }
};

}
