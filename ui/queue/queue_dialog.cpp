// SPDX-License-Identifier: GPL-3.0-only
#include "ui/queue/queue_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/queue/run_queue.h"

namespace lanelab {

QueueDialog::QueueDialog(RunQueue* queue, QWidget* parent) : QDialog(parent), m_queue(queue), m_list(new QListWidget) {
  setObjectName("queueDialog");
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Queued Runs"));
  QVBoxLayout* const column = look::dialogColumn(this);
  column->addWidget(look::wrappedLabel(
      "queueSentence",
      tr("Each starts when the run before it has ended, also if that failed or was cancelled. The queue is "
         "in memory only: it ends with LaneLab.")));
  auto* row = new QHBoxLayout;
  m_list->setObjectName("queueList");
  m_list->setAccessibleName(tr("Queued runs, the next one first"));
  row->addWidget(m_list, 1);
  m_up = look::button("queueUp", tr("Move &Up"), tr("Start this run earlier"));
  m_down = look::button("queueDown", tr("Move &Down"), tr("Start this run later"));
  m_remove = look::button("queueRemove", tr("&Remove"), tr("Remove this run from the queue"));
  m_clear = look::button("queueClear", tr("Remove &All"), tr("Remove all runs from the queue"));
  auto* buttons = new QVBoxLayout;
  for (QPushButton* const button : {m_up, m_down, m_remove, m_clear}) {
    button->setAutoDefault(false);
    buttons->addWidget(button);
  }
  buttons->addStretch(1);
  row->addLayout(buttons);
  column->addLayout(row, 1);
  auto* box = new QDialogButtonBox(QDialogButtonBox::Close);
  box->button(QDialogButtonBox::Close)->setDefault(true);
  column->addWidget(box);
  connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_up, &QPushButton::clicked, this, [this] { m_queue->move(chosenId(), -1); });
  connect(m_down, &QPushButton::clicked, this, [this] { m_queue->move(chosenId(), +1); });
  connect(m_remove, &QPushButton::clicked, this, [this] { m_queue->remove(chosenId()); });
  connect(m_clear, &QPushButton::clicked, m_queue, &RunQueue::clear);
  connect(m_list, &QListWidget::currentRowChanged, this, &QueueDialog::updateButtons);
  connect(m_queue, &RunQueue::changed, this, &QueueDialog::list);
  resize(520, 320);
  list();
}

int QueueDialog::chosenId() const {
  return m_list->currentItem() ? m_list->currentItem()->data(Qt::UserRole).toInt() : 0;
}

/// The chosen run stays chosen where it went; after a removed one the next is.
void QueueDialog::list() {
  const int id = chosenId(), row = std::max(0, m_list->currentRow());
  {
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    for (const QueuedRun& run : m_queue->runs()) {
      auto* item = new QListWidgetItem(run.title(), m_list);
      item->setData(Qt::UserRole, run.id);
      if (run.id == id) m_list->setCurrentItem(item);
    }
    if (m_list->currentRow() < 0) m_list->setCurrentRow(std::min(row, m_list->count() - 1));
  }
  updateButtons();
}

void QueueDialog::updateButtons() {
  const int row = m_list->currentRow();
  m_up->setEnabled(row > 0);
  m_down->setEnabled(row >= 0 && row + 1 < m_list->count());
  m_remove->setEnabled(row >= 0);
  m_clear->setEnabled(m_list->count() > 0);
}

QueueButton::QueueButton(const RunQueue* queue, QWidget* parent) : QToolButton(parent) {
  setObjectName("queueButton");
  setAutoRaise(true);
  setToolTip(tr("Show, order or remove the queued runs"));
  const auto show = [this, queue] {
    setText(tr("%n queued", nullptr, queue->size()));
    setVisible(!queue->isEmpty());
  };
  connect(queue, &RunQueue::changed, this, show);
  show();
}

}  // namespace lanelab
