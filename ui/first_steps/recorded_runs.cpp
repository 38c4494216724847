// SPDX-License-Identifier: GPL-3.0-only
#include "ui/first_steps/recorded_runs.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "engine/library/run_archive.h"
#include "engine/record/run_store.h"

namespace lanelab {

RecordedRuns::RecordedRuns(QString place) : m_place(std::move(place)) {}

QStringList RecordedRuns::names() const {
  QStringList names;
  for (const QFileInfo& archive : QDir(m_place).entryInfoList({"*.zip"}, QDir::Files, QDir::Name))
    names << archive.completeBaseName();
  return names;
}

Result<std::string> RecordedRuns::folderOf(const QString& name) {
  const std::lock_guard lock(m_mutex);
  const QString folder = m_folder.filePath(name);
  const QDir extracted(folder);
  if (const QStringList runs = extracted.entryList(QDir::Dirs | QDir::NoDotAndDotDot); !runs.isEmpty())
    return extracted.filePath(runs.front()).toStdString();
  const QString archive = m_folder.filePath(name + ".zip");
  if (!names().contains(name))
    return Error::badInput("No recorded run is called {}. Choose one of those that are listed.", name.toStdString());
  if (!m_folder.isValid() || !QDir().mkpath(folder) || !QFile::copy(m_place + '/' + name + ".zip", archive))
    return Error::failed("The recorded run {} cannot be extracted to the folder for temporary files. Make room there.",
                         name.toStdString());
  return importRunArchive(archive.toStdString(), folder.toStdString());
}

Result<RecordedRuns::Run> RecordedRuns::read(const QString& name) {
  const Result<std::string> folder = folderOf(name);
  if (!folder.ok()) return folder.error();
  Result<RunRecord> record = readRun(*folder);
  if (!record.ok()) return record.error();
  return Run{std::make_shared<const RunRecord>(std::move(*record)), QString::fromStdString(*folder)};
}

}  // namespace lanelab
