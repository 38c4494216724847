// SPDX-License-Identifier: GPL-3.0-only
#include "ui/run/shown_run.h"

#include <QFileInfo>

#include "engine/record/run_store.h"
#include "profiler/io/import/trace_import.h"
#include "ui/look/plain_text.h"

namespace lanelab {

void ShownRun::show(std::shared_ptr<const RunRecord> record, const QString& folder, TraceOf live) {
  m_recorded_elsewhere = false;
  put(std::move(record), folder, std::move(live), {});
}

void ShownRun::view(std::shared_ptr<const RunRecord> record, const QString& folder, const QString& name) {
  m_recorded_elsewhere = false;
  put(std::move(record), folder, {}, name.isEmpty() ? folder : name);
}

void ShownRun::showRecorded(std::shared_ptr<const RunRecord> record, const QString& folder) {
  m_recorded_elsewhere = true;  // before anybody hears of the record
  put(std::move(record), folder, {}, {});
}

void ShownRun::put(std::shared_ptr<const RunRecord> record, const QString& folder, TraceOf live,
                   const QString& viewed_name) {
  m_generation += 1;
  m_viewed_name = viewed_name;
  m_record = std::move(record);
  m_folder = folder;
  m_traces = std::move(live);
  m_reading.clear();
  if (m_record)
    for (const auto& variant : m_record->variants) load(QString::fromStdString(variant.name));
  Q_EMIT recordChanged();
}

void ShownRun::addLive(std::shared_ptr<const Trace> trace) {
  m_traces[QString::fromStdString(trace->title)] = std::move(trace);
}

std::shared_ptr<const Trace> ShownRun::trace(const QString& variant) const {
  const auto found = m_traces.find(variant);
  return found == m_traces.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<const Trace>> ShownRun::traces() const {
  std::vector<std::shared_ptr<const Trace>> traces;
  if (!m_record) return traces;
  for (const auto& variant : m_record->variants)
    if (auto found = trace(QString::fromStdString(variant.name))) traces.push_back(std::move(found));
  return traces;
}

void ShownRun::load(const QString& variant) {
  const std::string path = tracePathOf(m_folder.toStdString(), variant.toStdString());
  m_reading.insert(variant);
  m_reader.run([this, variant, path, generation = m_generation](const WorkControl& control) -> LongWork::Then {
    const bool there = QFileInfo::exists(QString::fromStdString(path));
    Result<std::shared_ptr<const Trace>> read = std::shared_ptr<const Trace>();
    if (there) read = readTrace(path, control);
    return [this, variant, generation, there, read = std::move(read)] {
      if (generation != m_generation) return;
      m_reading.remove(variant);
      if (!there || !read.ok()) {
        if (!read.ok()) Q_EMIT traceDamaged(look::shownText(read.error()));
        Q_EMIT traceMissing();
        return;
      }
      m_traces[variant] = *read;
      Q_EMIT traceLoaded(variant);
    };
  });
}

}  // namespace lanelab
