// SPDX-License-Identifier: GPL-3.0-only
#include "ui/queue/run_queue.h"

#include <algorithm>
#include <utility>

#include "ui/look/plain_text.h"

namespace lanelab {

QString QueuedRun::title() const {
  const QString name = look::shownName(experiment.name);
  return what.isEmpty() ? name : QStringLiteral("%1, %2").arg(name, what);
}

bool RunQueue::contains(int id) const { return std::ranges::find(m_runs, id, &QueuedRun::id) != m_runs.end(); }

void RunQueue::add(QueuedRun run) {
  run.id = ++m_last_id;
  m_runs.push_back(std::move(run));
  Q_EMIT changed();
}

void RunQueue::remove(int id) {
  if (std::erase_if(m_runs, [id](const QueuedRun& run) { return run.id == id; }) > 0) Q_EMIT changed();
}

void RunQueue::move(int id, int by) {
  const auto from = std::ranges::find(m_runs, id, &QueuedRun::id);
  if (from == m_runs.end()) return;
  const auto to = from - m_runs.begin() + by;
  if (to < 0 || to >= static_cast<std::ptrdiff_t>(m_runs.size())) return;
  std::iter_swap(from, m_runs.begin() + to);
  Q_EMIT changed();
}

void RunQueue::clear() {
  if (m_runs.empty()) return;
  m_runs.clear();
  Q_EMIT changed();
}

}  // namespace lanelab
