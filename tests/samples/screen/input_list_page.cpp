#include "tests/samples/screen/input_list_page.h"

#include <QTableView>

namespace attnscope::ui {

using namespace Qt::StringLiterals;

InputListPage::InputListPage(InputListSession& session, QWidget* parent)
    : Page(session.workspace(), parent)
    , m_session(session)
{
    auto* table = new QTableView(this);
    table->setModel(&session.table());
    setContents(
        {{tr("Drop files"), tr("They are listed here."), {}}, {{}, tr("Try the demo")}, {{}, tr("Open…")}, {}},
        table);
    showContents(hasResults());
    connect(&session.table(), &QAbstractItemModel::modelReset, this, [this] {
        showContents(hasResults());
        emit changed();
    });
    followMessages(session);
}

QString InputListPage::command() const
{
    return m_workspace.input() == nullptr ? QString() : u"attnscope-cli inspect "_s + m_workspace.input()->path;
}

Screen inputListScreen()
{
    return makeScreen<InputListSession, InputListPage>(
        {u"list"_s, InputListPage::tr("&List"), u"folder"_s, 8, {Content::Inputs}, {}, {}, {}, {}});
}

}
