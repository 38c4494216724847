// SPDX-License-Identifier: GPL-3.0-only
#include "ui/notice/end_notices.h"

#include <utility>

#include "ui/look/work.h"

namespace lanelab {

EndNotices::EndNotices(Seams seams, QObject* parent) : QObject(parent), m_seams(std::move(seams)) {}

void EndNotices::begin(const QString& name) { m_begun[name] = m_seams.clock(); }

void EndNotices::end(const QString& name, const QString& title, const QString& text) {
  const auto begun = m_begun.find(name);
  if (begun == m_begun.end()) return;
  const qint64 took = m_seams.clock() - begun->second;
  m_begun.erase(begun);
  if (took >= kLong && m_seams.wanted()) m_seams.send(title, text);
}

void EndNotices::follow(Work* work, const QString& title) {
  if (work->busy()) begin(title);
  connect(work, &Work::begun, this, [this, title] { begin(title); });
  connect(work, &Work::ended, this, [this, title] { end(title, title); });
}

}  // namespace lanelab
