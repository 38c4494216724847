// SPDX-License-Identifier: GPL-3.0-only
// Runs that come with the program, recorded on another machine: what the first minute and the lessons show before
// anything has run here. They are archives of runs in the program's resources, extracted on demand into a folder that
// ends with the program. Any thread.
#pragma once

#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <memory>
#include <mutex>
#include <string>

#include "base/result.h"
#include "engine/record/run_record.h"

namespace lanelab {

class RecordedRuns {
 public:
  /// `place` holds NAME.zip for each run.
  explicit RecordedRuns(QString place = QStringLiteral(":/runs"));

  QStringList names() const;
  struct Run {
    std::shared_ptr<const RunRecord> record;
    QString folder;
  };
  /// The run, read from its folder. Errors as of folderOf(), and of what it holds.
  Result<Run> read(const QString& name);
  /// The run's folder. An error if there is no such run, or no room for it.
  Result<std::string> folderOf(const QString& name);
  /// Whether it is a folder of such a run, which goes when the program ends.
  bool holds(const QString& folder) const { return folder.startsWith(m_folder.path() + '/'); }

 private:
  QString m_place;
  std::mutex m_mutex;  ///< one extracts at a time
  QTemporaryDir m_folder;
};

}  // namespace lanelab
