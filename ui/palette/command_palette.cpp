// SPDX-License-Identifier: GPL-3.0-only
#include "ui/palette/command_palette.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/look/parts.h"
#include "ui/look/plain_label.h"
#include "ui/look/theme.h"
#include "ui/palette/palette_model.h"

namespace lanelab {
namespace {

constexpr QSize kSize(760, 480);
constexpr int kTitleWidth = 80 * look::kGrid, kKindWidth = 22 * look::kGrid, kKeyWidth = 30 * look::kGrid;

bool walksList(int key) {
  return key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown;
}

QList<PaletteEntry> entriesOf(const QList<PaletteSource>& sources) {
  QList<PaletteEntry> entries;
  for (const PaletteSource& source : sources) entries += source();
  return entries;
}

}  // namespace

CommandPalette::CommandPalette(QWidget* parent, const QList<PaletteSource>& sources)
    : QDialog(parent),
      m_model(new PaletteModel(entriesOf(sources), this)),
      m_words(new QLineEdit),
      m_list(new QTreeView),
      m_why_not(look::wrappedLabel("commandWhyNot")) {
  setObjectName("commandPalette");
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Command Palette"));
  m_words->setObjectName("commandWords");
  m_words->setPlaceholderText(tr("Type a command, a block, a run or a topic, such as \"zoom\" or \"export csv\""));
  m_words->setAccessibleName(tr("Words to find"));
  m_words->installEventFilter(this);
  makeList();
  QVBoxLayout* const column = look::dialogColumn(this);
  column->addWidget(m_words);
  column->addWidget(m_list);
  column->addWidget(m_why_not);
  connect(m_words, &QLineEdit::textChanged, this, &CommandPalette::list);
  connect(m_words, &QLineEdit::returnPressed, this, &CommandPalette::run);
  connect(m_list, &QTreeView::activated, this, &CommandPalette::run);
  connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &CommandPalette::showWhyNot);
  resize(kSize);
  list();
}

/// All rows are equally high and no column asks for the width of its contents, so a long list costs what is seen of it.
void CommandPalette::makeList() {
  m_list->setObjectName("commandList");
  m_list->setAccessibleName(tr("Found entries"));
  m_list->setModel(m_model);
  m_list->setRootIsDecorated(false);
  m_list->setUniformRowHeights(true);
  m_list->setTextElideMode(Qt::ElideMiddle);
  QHeaderView& header = *m_list->header();
  header.setStretchLastSection(false);
  header.setSectionResizeMode(PaletteModel::Detail, QHeaderView::Stretch);
  header.resizeSection(PaletteModel::Title, kTitleWidth);
  header.resizeSection(PaletteModel::Kind, kKindWidth);
  header.resizeSection(PaletteModel::Key, kKeyWidth);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress || !walksList(static_cast<QKeyEvent*>(event)->key()))
    return QDialog::eventFilter(watched, event);
  QCoreApplication::sendEvent(m_list, event);
  return true;
}

void CommandPalette::list() {
  m_model->find(m_words->text());
  m_list->setCurrentIndex(m_model->index(0, 0));
  showWhyNot(m_list->currentIndex());
}

void CommandPalette::showWhyNot(const QModelIndex& current) {
  const QString found_nothing = tr("Nothing has all these words.");
  m_why_not->setText(current.isValid() ? m_model->entry(current.row()).why_not : found_nothing);
}

void CommandPalette::run() {
  const QModelIndex current = m_list->currentIndex();
  if (!current.isValid() || !m_model->entry(current.row()).why_not.isEmpty()) return;
  const std::function<void()> then = m_model->entry(current.row()).run;
  accept();
  QTimer::singleShot(0, parent(), then);  // it may open a dialog of its own
}

}  // namespace lanelab
