// SPDX-License-Identifier: GPL-3.0-only
// Runs that wait for the one in progress, in their order; in memory only. Thread: the window's.
#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "engine/experiment/experiment.h"

namespace lanelab {

struct QueuedRun {
  enum class Kind { Variants, BestSizes, AllSizes };
  int id = 0;  ///< the queue gives it
  Kind kind = Kind::Variants;
  Experiment experiment;  ///< as it was when the run was queued
  QString path;           ///< of its file; empty: not saved
  QString what;           ///< besides the experiment's name: "seed 5"; may be empty
  bool force = false;     ///< also if memory does not suffice by forecast

  /// "demo, seed 5"
  QString title() const;
};

class RunQueue : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  const std::vector<QueuedRun>& runs() const { return m_runs; }
  bool isEmpty() const { return m_runs.empty(); }
  int size() const { return static_cast<int>(m_runs.size()); }
  bool contains(int id) const;

  void add(QueuedRun run);
  void remove(int id);
  /// Towards the front by -1, else the end; the first and the last stay where they are.
  void move(int id, int by);
  void clear();

 Q_SIGNALS:
  void changed();

 private:
  std::vector<QueuedRun> m_runs;
  int m_last_id = 0;
};

}  // namespace lanelab
