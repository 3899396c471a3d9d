#include "ui/workspace/backends_panel.h"

#include "ui/charts/mark_check_box.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/number_fields.h"
#include "ui/workspace/option_form.h"

#include "core/attention/backend_info.h"

#include <QComboBox>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace attnscope::ui {

namespace {

/// A preset's name: an ordinary text that acts.
class PresetButton : public QPushButton {
public:
    PresetButton(const QString& text, QWidget* parent)
        : QPushButton(text, parent)
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

}

BackendRow::BackendRow(BackendList& list, int id, QWidget* parent)
    : SpecRow(list, id, parent)
    , m_list(list)
    , m_star(new IconButton(u"star-outline"_s, tr("Use %1 as reference").arg(m_name), this))
    , m_word(new ElidedLabel(this))
{
    const BackendInfo* info = findBackend(fromQt(m_name));
    layout()->setContentsMargins(0, 4, 0, 5);
    // A mixed specification is edited as text: it has no options of its own.
    m_tick->setToolTip(info == nullptr
                           ? tr("Mixed: different attention per layer")
                           : tr("%1: %2\n%3").arg(toQt(info->title), toQt(info->help), toQt(info->citation)));
    m_word->setForegroundRole(QPalette::PlaceholderText);
    m_word->setFont(fontFor(Type::Small));
    m_word->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_head->addWidget(m_word);
    m_head->addWidget(m_star);
    addForms();
    buildTokens();
    buildWeights();
    buildNetwork();
    addField();
    const QString dropIn = info == nullptr ? QString() : toQt(info->dropIn);
    m_dropInLink = new LinkButton(tr("Drop-in form"), this);
    m_dropInLink->setAccessibleName(tr("Drop-in form of %1").arg(m_name));
    m_dropInLink->setToolTip(
        tr("Options that keep the accuracy of weights trained with softmax:\n%1").arg(dropIn));
    m_moreLink = new LinkButton(tr("More options"), this);
    m_moreLink->setAccessibleName(tr("More options of %1").arg(m_name));
    m_body->addWidget(m_dropInLink, 0, Qt::AlignLeft);
    m_body->addWidget(m_moreLink, 0, Qt::AlignLeft);

    connect(m_star, &IconButton::clicked, this, [this] { m_list.setReference(m_id); });
    connect(m_dropInLink, &LinkButton::clicked, this, [this, dropIn] {
        emit touched(m_id);
        showProblem(m_list.setSpec(m_id, dropIn));
    });
    connect(m_moreLink, &LinkButton::clicked, this, [this] {
        m_more = !m_more;
        arrange();
    });
    refresh();
}

/// A choice between ways of the network around the attention, the usual one first. Alone in a widget with its caption.
QComboBox* BackendRow::addChoice(const QString& caption, const QStringList& choices, const QString& help)
{
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto* label = new QLabel(caption, row);
    label->setForegroundRole(QPalette::PlaceholderText);
    auto* choice = new QComboBox(row);
    choice->addItems(choices);
    choice->setMinimumWidth(84);
    choice->setMaximumWidth(150);
    choice->setProperty("docked", true);
    choice->setToolTip(help);
    label->setToolTip(help);
    guardWheel(choice);
    layout->addWidget(label);
    layout->addStretch(1);
    layout->addWidget(choice);
    m_body->addWidget(row);
    return choice;
}

/// Whether tokens merge when the network runs with this attention, and how.
void BackendRow::buildTokens()
{
    const TokenMethodInfo& merging = tokenMethods().front();
    m_tokens = addChoice(tr("tokens"), {tr("all"), toQt(merging.name)},
                         tr("%1: %2\n%3").arg(toQt(merging.title), toQt(merging.help), toQt(merging.citation)));
    m_tokens->setItemData(0, tr("every block has all tokens"), Qt::ToolTipRole);
    m_tokens->setItemData(1, toQt(merging.help), Qt::ToolTipRole);
    m_tokens->setAccessibleName(tr("Tokens of %1").arg(m_name));
    m_tokenOptions = new OptionForm(TokenSpec::parse(merging.name), OptionForm::Part::Main, this);
    m_body->addWidget(m_tokenOptions);
    connect(m_tokens, &QComboBox::currentIndexChanged, this, [this](int index) {
        emit touched(m_id);
        m_list.setTokens(m_id, index == 0 ? TokenSpec() : TokenSpec::parse(tokenMethods().front().name));
    });
    connect(m_tokenOptions, &OptionForm::changed, this,
            [this](const QString& option, const std::optional<OptionValue>& value) {
                emit touched(m_id);
                if (const auto* entry = m_list.entry(m_id))
                    m_list.setTokens(m_id, entry->spec.tokens().with(fromQt(option), value));
            });
}

void BackendRow::buildWeights()
{
    m_weights = addChoice(tr("weights dtype"), {tr("own"), toQt(toText(WeightStorage::Int8))},
                          tr("How linear layers are stored: in the type of the computation, or in 8 bits with "
                             "inputs rounded to 8 bits, "
                             "which takes a quarter of the memory and less time"));
    m_weights->setAccessibleName(tr("Weights of %1").arg(m_name));
    connect(m_weights, &QComboBox::currentIndexChanged, this, [this](int index) {
        emit touched(m_id);
        m_list.setWeights(m_id, index == 0 ? WeightStorage::Own : WeightStorage::Int8);
    });
}

/// Whose weights it runs with, and in which type.
void BackendRow::buildNetwork()
{
    m_network = addChoice(tr("network"), {}, tr("The network that this runs in, by its weights"));
    m_network->setAccessibleName(tr("Network of %1").arg(m_name));
    connect(m_network, &QComboBox::activated, this, [this](int index) {
        emit touched(m_id);
        m_list.setNetwork(m_id, index + 1);
    });
    m_dtype = addChoice(tr("dtype"), QStringList(tr("same as run")),
                        tr("The type that its network computes in: another one makes it a column of its own"));
    for (const std::string& type : computationTypes())
        m_dtype->addItem(toQt(type), toQt(type));
    m_dtype->setAccessibleName(tr("dtype of %1").arg(m_name));
    connect(m_dtype, &QComboBox::activated, this, [this](int index) {
        emit touched(m_id);
        m_list.setDtype(m_id, m_dtype->itemData(index).toString());
    });
}

/// The row says its network only where there are several.
void BackendRow::refreshNetwork(const AttentionSpec& spec)
{
    const QStringList names = m_list.networks();
    const int network = BackendList::networkOf(spec);
    m_network->clear();
    m_network->addItems(names);
    m_network->setCurrentIndex(network - 1);
    m_dtype->setCurrentIndex(std::max(0, m_dtype->findData(toQt(spec.dtype()))));
    QStringList words;
    if (names.size() > 1 && m_list.isChecked(m_id)) {
        words << names.value(network - 1);
        m_word->setToolTip(m_list.weights().value(network - 1));
    }
    if (m_list.reference() == m_id)
        words << tr("reference");
    m_word->setText(words.join(u" · "_s));
    m_word->setVisible(!words.isEmpty());
}

void BackendRow::refresh()
{
    const auto* entry = m_list.entry(m_id);
    if (entry == nullptr)
        return;
    const bool reference = m_list.reference() == m_id;
    const QSignalBlocker quiet(m_tokens), quietWeights(m_weights);
    m_tokens->setCurrentIndex(entry->spec.tokens().isNone() ? 0 : 1);
    m_tokenOptions->setSpec(entry->spec.tokens());
    m_weights->setCurrentIndex(entry->spec.weights() == WeightStorage::Own ? 0 : 1);
    refreshNetwork(entry->spec);
    m_star->setIconName(reference ? u"star"_s : u"star-outline"_s);
    m_star->setAccented(reference);
    m_star->setVisible(entry->checked);
    SpecRow::refresh();
}

void BackendRow::arrange()
{
    SpecRow::arrange();
    const auto* entry = m_list.entry(m_id);
    const bool open = entry != nullptr && entry->checked, details = open && m_isCurrent;
    m_isUnderlined = open;
    m_main->setVisible(open && m_main->rows() > 0 && (m_isCurrent || fromQt(m_name) != referenceBackend));
    const bool merges = open && !entry->spec.tokens().isNone();
    m_tokens->parentWidget()->setVisible(details || merges);
    m_tokenOptions->setVisible(merges);
    m_weights->parentWidget()->setVisible(details || (open && entry->spec.weights() != WeightStorage::Own));
    m_network->parentWidget()->setVisible(details && m_network->count() > 1);
    m_dtype->parentWidget()->setVisible((details && m_network->count() > 1)
                                        || (open && !entry->spec.dtype().empty()));
    m_advanced->setVisible(details && m_more && m_advanced->rows() > 0);
    const BackendInfo* info = findBackend(fromQt(m_name));
    // Offered for the published form alone: whoever chose options meant them.
    m_dropInLink->setVisible(open && info != nullptr && !info->dropIn.empty() && info->dropIn != info->name
                             && entry->spec.canonical() == info->name);
    m_moreLink->setVisible(details && m_advanced->rows() > 0);
    m_moreLink->setText(m_more ? tr("Fewer options") : tr("More options"));
}

void BackendRow::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    menu.addAction(tr("Use as reference"), this, [this] { m_list.setReference(m_id); });
    menu.addAction(tr("Add another %1").arg(m_name), this, [this] { m_list.duplicate(m_id); });
    if (findBackend(fromQt(m_name)) != nullptr)
        menu.addAction(tr("Reset to defaults"), this, [this] { m_list.setSpec(m_id, m_name); });
    QAction* remove = menu.addAction(tr("Remove"), this, [this] { m_list.remove(m_id); });
    remove->setEnabled(m_list.entries().size() > 1);
    if (const int network = BackendList::networkOf(m_list.entry(m_id)->spec); network > 1)
        menu.addAction(tr("Remove all of %1").arg(m_list.networks().value(network - 1)), this,
                       [this, network] { m_list.removeCheckpoint(network); });
    menu.exec(event->globalPos());
}

BackendsPanel::BackendsPanel(BackendList& list, QWidget* parent)
    : SpecPanel(list, tr("Backends and presets"), {14, 0, 10, 12}, parent)
    , m_list(list)
{
    addPresets();
    m_column->addStretch(1);
    rebuild();
}

void BackendsPanel::rebuild()
{
    if (m_list.entry(m_current)
        == nullptr)  // at the start the last ticked backend shows how a specification reads
        for (const BackendList::Entry& entry : m_list.entries())
            if (entry.checked)
                m_current = entry.id;
    SpecPanel::rebuild();
}

void BackendsPanel::addPresets()
{
    auto* rule = new QFrame(this);
    rule->setFixedHeight(1);
    rule->setAutoFillBackground(true);
    rule->setBackgroundRole(QPalette::Shadow);
    m_column->addSpacing(8);
    m_column->addWidget(rule);
    m_column->addSpacing(10);
    auto* heading = new QLabel(tr("Presets"), this);
    heading->setFont(fontFor(Type::BodyMedium));
    heading->setForegroundRole(QPalette::PlaceholderText);
    m_column->addWidget(heading);
    for (const Preset& preset : presets()) {
        auto* button = new PresetButton(preset.title, this);
        button->setAccessibleName(tr("Preset %1").arg(preset.title));
        button->setToolTip(preset.specs.join(QLatin1Char('\n')));
        m_column->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, specs = preset.specs] {
            std::vector<AttentionSpec> parsed;
            for (const QString& spec : specs)
                parsed.push_back(AttentionSpec::parse(fromQt(spec)));
            m_list.setSpecs(parsed);
        });
    }
}

}
