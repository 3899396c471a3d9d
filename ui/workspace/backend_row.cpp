// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/backend_row.h"

#include "ui/charts/mark_check_box.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/number_fields.h"
#include "ui/workspace/backend_list.h"
#include "ui/workspace/option_form.h"

#include "core/attention/backend_info.h"

#include <QComboBox>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace attnscope::ui {

namespace {

/// A mixed specification is edited as text: it has no options of its own.
BackendInfo infoOf(const AttentionSpec& spec)
{
    if (const BackendInfo* info = findBackend(spec.backend()))
        return *info;
    BackendInfo mixed;
    mixed.name = "mixed";
    mixed.title = fromQt(BackendRow::tr("Mixed"));
    mixed.help = fromQt(BackendRow::tr("different attention per layer"));
    return mixed;
}

}  // namespace

BackendRow::BackendRow(BackendList& list, int id, QWidget* parent) : QWidget(parent), m_list(list), m_id(id)
{
    const AttentionSpec& spec = list.entry(id)->spec;
    const BackendInfo info = infoOf(spec);
    m_backend = toQt(info.name);
    m_tick = new MarkCheckBox(m_backend, m_backend, this);
    m_tick->setToolTip(tr("%1: %2\n%3").arg(toQt(info.title), toQt(info.help), toQt(info.citation)));
    m_star = new IconButton(QStringLiteral("star-outline"), tr("Use %1 as reference").arg(m_backend), this);
    m_referenceWord = new QLabel(tr("reference"), this);
    m_referenceWord->setForegroundRole(QPalette::PlaceholderText);
    m_referenceWord->setFont(fontFor(Type::Small));
    m_main = new OptionForm(info, spec, OptionForm::Part::Main, this);
    m_advanced = new OptionForm(info, spec, OptionForm::Part::Advanced, this);
    buildTokens();
    buildWeights();
    m_dropInLink = new LinkButton(tr("Drop-in form"), this);
    m_dropInLink->setAccessibleName(tr("Drop-in form of %1").arg(m_backend));
    m_dropInLink->setToolTip(tr("Options that keep the accuracy of weights trained with softmax:\n%1").arg(toQt(info.dropIn)));
    m_moreLink = new LinkButton(tr("More options"), this);
    m_moreLink->setAccessibleName(tr("More options of %1").arg(m_backend));
    m_spec = new QLineEdit(this);
    m_spec->setProperty("sunken", true);
    m_spec->setProperty("docked", true);
    m_spec->setTextMargins(6, 0, 6, 0);
    m_spec->setFont(fontFor(Type::Mono));
    m_spec->setAccessibleName(tr("Specification of %1").arg(m_backend));
    m_problem = new QLabel(this);
    m_problem->setWordWrap(true);
    m_problem->setFont(fontFor(Type::Small));
    m_problem->setForegroundRole(QPalette::BrightText);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->setFocusPolicy(Qt::NoFocus);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 5);
    column->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->setSpacing(2);
    head->addWidget(m_tick, 1);
    head->addWidget(m_referenceWord);
    head->addWidget(m_star);
    column->addLayout(head);
    auto* options = new QVBoxLayout;
    options->setContentsMargins(MarkCheckBox::indent, 0, 3, 0);
    options->setSpacing(4);
    for (QWidget* part : {static_cast<QWidget*>(m_main), static_cast<QWidget*>(m_advanced), m_tokenRow, static_cast<QWidget*>(m_tokenOptions), m_weightRow, static_cast<QWidget*>(m_spec),
                          static_cast<QWidget*>(m_problem), static_cast<QWidget*>(m_dropInLink), static_cast<QWidget*>(m_moreLink)})
        options->addWidget(part);
    options->setAlignment(m_dropInLink, Qt::AlignLeft);
    options->setAlignment(m_moreLink, Qt::AlignLeft);
    column->addLayout(options);

    connect(m_tick, &QCheckBox::toggled, this, [this](bool on) {
        emit touched(m_id);
        m_list.setChecked(m_id, on);
    });
    connect(m_star, &IconButton::clicked, this, [this] { m_list.setReference(m_id); });
    for (OptionForm* form : {m_main, m_advanced}) {
        connect(form, &OptionForm::changed, this, [this](const QString& option, const OptionValue& value) {
            emit touched(m_id);
            showProblem(m_list.setOption(m_id, option, value));
        });
        connect(form, &OptionForm::cleared, this, [this](const QString& option) {
            emit touched(m_id);
            m_list.clearOption(m_id, option);
        });
    }
    connect(m_spec, &QLineEdit::editingFinished, this, &BackendRow::takeSpec);
    connect(m_spec, &QLineEdit::textEdited, this, [this] { showProblem({}); });
    connect(m_dropInLink, &LinkButton::clicked, this, [this, dropIn = toQt(info.dropIn)] {
        emit touched(m_id);
        showProblem(m_list.setSpec(m_id, dropIn));
    });
    connect(m_moreLink, &LinkButton::clicked, this, [this] {
        m_more = !m_more;
        arrange();
    });
    refresh();
}

/// A choice between two ways of the network around the attention: `usual`, or `other`.
QComboBox* BackendRow::addChoice(QWidget*& row, const QString& caption, const QString& usual, const QString& other, const QString& help)
{
    row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto* label = new QLabel(caption, row);
    label->setForegroundRole(QPalette::PlaceholderText);
    auto* choice = new QComboBox(row);
    choice->addItems({usual, other});
    choice->setMinimumWidth(84);
    choice->setMaximumWidth(150);
    choice->setProperty("docked", true);
    choice->setToolTip(help);
    label->setToolTip(help);
    guardWheel(choice);
    layout->addWidget(label);
    layout->addStretch(1);
    layout->addWidget(choice);
    return choice;
}

/// Whether tokens merge when the network runs with this attention, and how.
void BackendRow::buildTokens()
{
    const TokenMethodInfo& merging = tokenMethods().front();
    m_tokens = addChoice(m_tokenRow, tr("tokens"), tr("all"), toQt(merging.name),
                         tr("%1: %2\n%3").arg(toQt(merging.title), toQt(merging.help), toQt(merging.citation)));
    m_tokens->setItemData(0, tr("every block has all tokens"), Qt::ToolTipRole);
    m_tokens->setItemData(1, toQt(merging.help), Qt::ToolTipRole);
    m_tokens->setAccessibleName(tr("Tokens of %1").arg(m_backend));
    m_tokenOptions = new OptionForm(merging, m_list.entry(m_id)->spec.tokens(), OptionForm::Part::Main, this);
    connect(m_tokens, &QComboBox::currentIndexChanged, this, [this](int index) {
        emit touched(m_id);
        m_list.setTokens(m_id, index == 0 ? TokenSpec() : TokenSpec::parse(tokenMethods().front().name));
    });
    connect(m_tokenOptions, &OptionForm::changed, this, [this](const QString& option, const OptionValue& value) {
        emit touched(m_id);
        if (const auto* entry = m_list.entry(m_id))
            m_list.setTokens(m_id, entry->spec.tokens().with(fromQt(option), value));
    });
}

void BackendRow::buildWeights()
{
    m_weights = addChoice(m_weightRow, tr("weights dtype"), tr("own"), toQt(toText(WeightStorage::Int8)),
                          tr("How linear layers are stored: in the type of the computation, or in 8 bits with inputs rounded to 8 bits, "
                             "which takes a quarter of the memory and less time"));
    m_weights->setAccessibleName(tr("Weights of %1").arg(m_backend));
    connect(m_weights, &QComboBox::currentIndexChanged, this, [this](int index) {
        emit touched(m_id);
        m_list.setWeights(m_id, index == 0 ? WeightStorage::Own : WeightStorage::Int8);
    });
}

void BackendRow::takeSpec()
{
    const auto* entry = m_list.entry(m_id);
    if (entry == nullptr || m_spec->text() == toQt(entry->spec.canonical()))
        return;
    const QString typed = m_spec->text();
    const QString problem = m_list.setSpec(m_id, typed);
    if (!problem.isEmpty())
        m_spec->setText(typed);
    showProblem(problem);
}

void BackendRow::showProblem(const QString& sentence)
{
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
}

void BackendRow::setCurrent(bool current)
{
    m_isCurrent = current;
    arrange();
}

void BackendRow::refresh()
{
    const auto* entry = m_list.entry(m_id);
    if (entry == nullptr || (m_main->rows() + m_advanced->rows() > 0 && toQt(entry->spec.backend()) != m_backend))
        return;  // the row of another backend is about to take its place
    const bool reference = m_list.reference() == m_id;
    m_tick->setChecked(entry->checked);
    m_tick->setLook(m_list.look(m_id));
    m_main->setSpec(entry->spec);
    m_advanced->setSpec(entry->spec);
    const QSignalBlocker quiet(m_tokens);
    m_tokens->setCurrentIndex(entry->spec.tokens().isNone() ? 0 : 1);
    m_tokenOptions->setSpec(entry->spec.tokens());
    const QSignalBlocker quietWeights(m_weights);
    m_weights->setCurrentIndex(entry->spec.weights() == WeightStorage::Own ? 0 : 1);
    m_spec->setText(toQt(entry->spec.canonical()));
    m_spec->setCursorPosition(0);
    m_spec->setToolTip(m_spec->text());
    m_problem->clear();
    m_star->setIconName(reference ? QStringLiteral("star") : QStringLiteral("star-outline"));
    m_star->setAccented(reference);
    m_star->setVisible(entry->checked);
    m_referenceWord->setVisible(reference);
    arrange();
}

void BackendRow::arrange()
{
    const auto* entry = m_list.entry(m_id);
    const bool open = entry != nullptr && entry->checked;
    const bool details = open && m_isCurrent;
    m_main->setVisible(open && m_main->rows() > 0 && (m_isCurrent || fromQt(m_backend) != referenceBackend));
    m_spec->setVisible(details);
    const bool merges = open && !entry->spec.tokens().isNone();
    m_tokenRow->setVisible(details || merges);
    m_tokenOptions->setVisible(merges);
    m_weightRow->setVisible(details || (open && entry->spec.weights() != WeightStorage::Own));
    m_advanced->setVisible(details && m_more && m_advanced->rows() > 0);
    const BackendInfo* info = findBackend(fromQt(m_backend));
    // Offered for the published form alone: whoever chose options meant them.
    m_dropInLink->setVisible(open && info != nullptr && !info->dropIn.empty() && info->dropIn != info->name && entry->spec.canonical() == info->name);
    m_moreLink->setVisible(details && m_advanced->rows() > 0);
    m_moreLink->setText(m_more ? tr("Fewer options") : tr("More options"));
    m_problem->setVisible(details && !m_problem->text().isEmpty());
}

void BackendRow::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    menu.addAction(tr("Use as reference"), this, [this] { m_list.setReference(m_id); });
    menu.addAction(tr("Add another %1").arg(m_backend), this, [this] { m_list.add(m_list.entry(m_id)->spec); });
    if (findBackend(fromQt(m_backend)) != nullptr)
        menu.addAction(tr("Reset to defaults"), this, [this] { m_list.setSpec(m_id, m_backend); });
    QAction* remove = menu.addAction(tr("Remove"), this, [this] { m_list.remove(m_id); });
    remove->setEnabled(m_list.rowCount() > 1);
    menu.exec(event->globalPos());
}

void BackendRow::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const auto* entry = m_list.entry(m_id);
    if (entry != nullptr && entry->checked)
        painter.fillRect(QRect(0, height() - 1, width(), 1), Theme::of(palette()).line);
}

}  // namespace attnscope::ui
