// SPDX-License-Identifier: GPL-3.0-only
// The run that the window shows: its record, its folder, and its traces, which are read from the folder off the
// window's thread.
#pragma once

#include <QObject>
#include <QSet>
#include <QString>
#include <map>
#include <memory>
#include <vector>

#include "engine/record/run_record.h"
#include "profiler/trace/trace.h"
#include "ui/look/work.h"

namespace lanelab {

class ShownRun : public QObject {
  Q_OBJECT

 public:
  using TraceOf = std::map<QString, std::shared_ptr<const Trace>>;

  explicit ShownRun(QObject* parent = nullptr) : QObject(parent) {}

  void clear() { show(nullptr, {}); }
  /// `live` holds what was seen while it ran; the files replace it as they are read. Variants without a file keep it.
  void show(std::shared_ptr<const RunRecord> record, const QString& folder, TraceOf live = {});
  /// A stored run beside the open experiment, which is another one; `name` is how the list calls it.
  void view(std::shared_ptr<const RunRecord> record, const QString& folder, const QString& name);
  /// A run of the open experiment that came with the program: another machine recorded it, so that its times hold for
  /// none of this one's lanes.
  void showRecorded(std::shared_ptr<const RunRecord> record, const QString& folder);
  /// A trace seen while the run goes.
  void addLive(std::shared_ptr<const Trace> trace);

  std::shared_ptr<const RunRecord> record() const { return m_record; }
  const QString& folder() const { return m_folder; }
  /// Whether the shown run is viewed beside the open experiment rather than being the newest of it.
  bool isViewed() const { return !m_viewed_name.isEmpty(); }
  const QString& viewedName() const { return m_viewed_name; }
  bool isRecordedElsewhere() const { return m_recorded_elsewhere; }
  std::shared_ptr<const Trace> trace(const QString& variant) const;
  /// Whether the variant's file is still being read.
  bool reads(const QString& variant) const { return m_reading.contains(variant); }
  /// In the order of the record's variants, those that are there.
  std::vector<std::shared_ptr<const Trace>> traces() const;
  const TraceOf& all() const { return m_traces; }
  /// Of the files.
  Work& reading() { return m_reader; }

 Q_SIGNALS:
  void recordChanged();  ///< another run is shown, or none
  void traceLoaded(const QString& variant);
  void traceDamaged(const QString& sentence);
  void traceMissing();  ///< a variant has no file after all

 private:
  void put(std::shared_ptr<const RunRecord> record, const QString& folder, TraceOf live, const QString& viewed_name);
  void load(const QString& variant);

  std::shared_ptr<const RunRecord> m_record;
  QString m_folder;
  QString m_viewed_name;  ///< empty: not viewed
  bool m_recorded_elsewhere = false;
  TraceOf m_traces;
  QSet<QString> m_reading;
  int m_generation = 0;  ///< answers for a run that is no longer shown are dropped
  LongWork m_reader;
};

}  // namespace lanelab
