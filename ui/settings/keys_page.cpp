// SPDX-License-Identifier: GPL-3.0-only
#include "ui/settings/keys_page.h"

#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/settings/key_map.h"

namespace lanelab {

namespace {

constexpr int kPlace = Qt::UserRole;  ///< of an item: the number of its command

QString keyTexts(const QAction& action) {
  QStringList texts;
  for (const QKeySequence& key : action.shortcuts()) texts.append(key.toString(QKeySequence::NativeText));
  return texts.join(KeysPage::tr(" or "));
}

/// The first key of what was typed: commands have no sequences.
QKeySequence typedKey(const QKeySequenceEdit& edit) {
  const QKeySequence typed = edit.keySequence();
  return typed.isEmpty() ? typed : QKeySequence(typed[0]);
}

bool isPlain(const QKeySequence& key) {
  return !key.isEmpty() && !(key[0].keyboardModifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
}

}  // namespace

KeysPage::KeysPage(KeyMap* keys, QWidget* parent) : QWidget(parent), m_keys(keys), m_list(new QTreeWidget) {
  auto* column = look::makeLayout<QVBoxLayout>(this, 2 * look::kGrid, look::kPaneMargins);
  m_list->setObjectName("keyList");
  m_list->setAccessibleName(tr("Commands and their keys"));
  m_list->setHeaderLabels({tr("Command"), tr("Key")});
  m_list->setRootIsDecorated(false);
  m_list->header()->setStretchLastSection(false);
  m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  column->addWidget(m_list, 1);
  column->addWidget(makeEditor());
  m_sentence = look::wrappedLabel("keySentence");
  column->addWidget(m_sentence);
  connect(m_list, &QTreeWidget::currentItemChanged, this, &KeysPage::choose);
  connect(m_keys, &KeyMap::changed, this, &KeysPage::list);
  list();
}

QWidget* KeysPage::makeEditor() {
  auto* editor = new QWidget;
  auto* row = look::makeLayout<QHBoxLayout>(editor, look::kGrid);
  m_key = new QKeySequenceEdit;
  m_key->setObjectName("newKey");
  for (QWidget* const part : {static_cast<QWidget*>(m_key), static_cast<QWidget*>(m_key->findChild<QLineEdit*>())})
    if (part) part->setAccessibleName(tr("New key of the command"));
  m_key->setToolTip(tr("Press the key that the command is to have"));
  m_assign = look::button("assignKey", tr("&Assign"), tr("Give the command this key"));
  m_remove = look::button("removeKey", tr("Re&move Key"), tr("Leave the command without a key"));
  m_reset = look::button("resetKey", tr("&Reset"), tr("Restore the key that the command has in the preset"));
  row->addWidget(m_key, 1);
  for (QPushButton* const button : {m_assign, m_remove, m_reset}) {
    button->setAutoDefault(false);
    row->addWidget(button);
  }
  connect(m_key, &QKeySequenceEdit::keySequenceChanged, this, &KeysPage::judge);
  connect(m_assign, &QPushButton::clicked, this, &KeysPage::assign);
  connect(m_remove, &QPushButton::clicked, this, [this] {
    m_key->clear();
    assign();
  });
  connect(m_reset, &QPushButton::clicked, this, &KeysPage::reset);
  return editor;
}

int KeysPage::chosen() const { return m_list->currentItem() ? m_list->currentItem()->data(0, kPlace).toInt() : -1; }

void KeysPage::list() {
  const int before = chosen();
  {
    const QSignalBlocker blocker(m_list);
    if (m_list->topLevelItemCount() == 0)
      for (std::size_t i = 0; i < m_keys->commands().size(); ++i) {
        auto* item = new QTreeWidgetItem(m_list, {look::shownName(m_keys->commands()[i].path)});
        item->setData(0, kPlace, static_cast<int>(i));
      }
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
      const KeyMap::Command& command = m_keys->commands()[static_cast<std::size_t>(i)];
      QTreeWidgetItem* const item = m_list->topLevelItem(i);
      item->setText(1, keyTexts(*command.action));
      const bool own = m_keys->isOwn(command);
      for (int part = 0; part < 2; ++part) item->setFont(part, own ? look::bold(look::textFont()) : look::textFont());
    }
  }
  if (before < 0) m_list->setCurrentItem(m_list->topLevelItem(0));
  choose();
}

void KeysPage::filter(const QString& words) {
  for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
    QTreeWidgetItem* const item = m_list->topLevelItem(i);
    item->setHidden(!look::hasWords(item->text(0) + ' ' + item->text(1), words));
  }
}

void KeysPage::choose() {
  const int place = chosen();
  const bool any = place >= 0;
  m_key->setEnabled(any);
  m_key->clear();
  const KeyMap::Command* const command = any ? &m_keys->commands()[static_cast<std::size_t>(place)] : nullptr;
  m_remove->setEnabled(any && !command->action->shortcuts().isEmpty());
  m_reset->setEnabled(any && m_keys->isOwn(*command));
  judge();
}

/// What becomes of a key that has a meaning already.
void KeysPage::judge() {
  const QKeySequence key = typedKey(*m_key);
  m_assign->setEnabled(!key.isEmpty());
  const KeyMap::Command* const taken = key.isEmpty() ? nullptr : m_keys->commandWith(key);
  const bool conflict = taken && taken != &m_keys->commands()[static_cast<std::size_t>(std::max(0, chosen()))];
  const QString name = key.toString(QKeySequence::NativeText);
  QString sentence;
  if (conflict)
    sentence = tr("%1 is the key of %2, which loses it.").arg(name, taken->path);
  else if (isPlain(key))
    sentence = tr("%1 will choose this command on the board and the timeline, too, whatever it does there.").arg(name);
  look::showSentence(*m_sentence, sentence, conflict);
}

void KeysPage::assign() {
  const int place = chosen();
  if (place >= 0) m_keys->assign(m_keys->commands()[static_cast<std::size_t>(place)], typedKey(*m_key));
}

void KeysPage::reset() {
  const int place = chosen();
  if (place >= 0) m_keys->reset(m_keys->commands()[static_cast<std::size_t>(place)]);
}

}  // namespace lanelab
