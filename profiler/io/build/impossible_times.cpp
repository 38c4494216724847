// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/impossible_times.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "profiler/io/build/import_remarks.h"
#include "profiler/io/build/left_out_work.h"

namespace lanelab {

namespace {

constexpr Nanoseconds kLatest = std::numeric_limits<Nanoseconds>::max();

/// The times of a file, without those of GPU work that are 0.
class FileTimes {
 public:
  FileTimes(const std::vector<DraftRow>& rows, Nanoseconds base) : m_base(base) {
    for (const DraftRow& row : rows) {
      for (const Span& span : row.spans) {
        // What the host did at 0 says that 0 is a time.
        if (isZero(span.start) && isGpuWork(span.category)) continue;
        m_first = std::min(m_first, span.start);
        m_last = std::max(m_last, span.end);
      }
    }
  }

  /// Whether work of this start has no time: the zero of the clock, or that of the file, while all other times are far
  /// away.
  bool isNone(const Span& span) const {
    if (!isZero(span.start) || m_first == kLatest) return false;
    constexpr Nanoseconds kMinute = 60'000'000'000;
    constexpr Nanoseconds kTimes = 100;
    const Nanoseconds away = m_first - span.start;
    return away > kMinute && away / kTimes > m_last - m_first;
  }

 private:
  bool isZero(Nanoseconds start) const {
    constexpr Nanoseconds kNear = 1'000'000;  // a writer may have rounded it
    return std::abs(start) < kNear || std::abs(start - m_base) < kNear;
  }

  Nanoseconds m_base;
  Nanoseconds m_first = kLatest;
  Nanoseconds m_last = 0;
};

/// All rows of a thread, since an arrow does not tell which of them has its work.
std::uint64_t threadOf(const DraftRow& row) { return std::uint64_t{row.process} << 32U | row.tid; }

/// Removes the spans of a row that `gone` names, with their correlation ids and groups.
template <class Gone>
std::int64_t removeFrom(DraftRow& row, const Gone& gone, LeftOutWork& left_out) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < row.spans.size(); ++i) {
    if (gone(row.spans[i])) {
      left_out.add(threadOf(row), row.spans[i].range());
      continue;
    }
    if (i < row.correlations.size()) row.correlations[kept] = row.correlations[i];
    if (i < row.groups.size()) row.groups[kept] = row.groups[i];
    row.spans[kept++] = row.spans[i];
  }
  const auto removed = static_cast<std::int64_t>(row.spans.size() - kept);
  row.spans.resize(kept);
  if (row.correlations.size() > kept) row.correlations.resize(kept);
  if (row.groups.size() > kept) row.groups.resize(kept);
  return removed;
}

/// Over the work of a stream from its last to its first: where the next begins, and when something that came later had
/// ended, of any launch and of any other launch than that one.
class LaterWork {
 public:
  void add(const Span& span, std::int64_t launch) {
    m_start = span.start;
    if (launch > 0 && launch == m_launch) {
      m_end = std::min(m_end, span.end);
    } else if (span.end < m_end) {
      m_other_end = std::min(m_other_end, m_end);
      m_end = span.end;
      m_launch = launch;
    } else {
      m_other_end = std::min(m_other_end, span.end);
    }
  }
  Nanoseconds start() const { return m_start; }
  bool endedWithin(const Span& span, std::int64_t launch) const {
    return (launch > 0 && launch == m_launch ? m_other_end : m_end) < span.end;
  }

 private:
  Nanoseconds m_start = kLatest;
  Nanoseconds m_end = kLatest;
  std::int64_t m_launch = 0;  ///< of what ended at m_end
  Nanoseconds m_other_end = kLatest;
};

/// Cuts what lasts over later work of the row, and tells what it cut.
void cutCovering(DraftRow& row, std::uint16_t mtia, CoveringWork& cut) {
  const auto launchOf = [&](std::size_t i) { return i < row.correlations.size() ? row.correlations[i] : -1; };
  const auto isWork = [&](const Span& span) { return isGpuWork(span.category) && (mtia == 0 || span.label != mtia); };
  LaterWork later;
  std::size_t end = row.spans.size();  // of those that begin together
  for (std::size_t i = row.spans.size(); i-- > 0;) {
    const std::size_t first = i;
    if (i > 0 && row.spans[i - 1].start == row.spans[i].start) continue;
    for (std::size_t k = first; k < end; ++k) {
      Span& span = row.spans[k];
      if (!isWork(span) || !later.endedWithin(span, launchOf(k))) continue;
      cut.add(span, later.start());
      span.end = later.start();
    }
    for (std::size_t k = first; k < end; ++k)
      if (isWork(row.spans[k])) later.add(row.spans[k], launchOf(k));
    end = first;
  }
}

}  // namespace

void correctImpossibleTimes(std::vector<DraftRow>& rows, const NameTable& names, std::uint16_t mtia,
                            ImportedTrace& imported) {
  ImportCounts& counts = imported.counts;
  const FileTimes times(rows, imported.base);
  LeftOutWork left_out;
  GpuWorkCounts work;
  std::int64_t none = 0;
  CoveringWork cut;
  for (DraftRow& row : rows) {
    for (const Span& span : row.spans) work.add(span.category);
    none += removeFrom(
        row, [&](const Span& span) { return isGpuWork(span.category) && times.isNone(span); }, left_out);
    if (row.stream >= 0) cutCovering(row, mtia, cut);
  }
  std::move(left_out).removeArrows(imported, [&](const ImportedFlowEnd& end) { return threadOf(rows[end.row]); });
  if (none > 0) counts.problems["no_time"] += none;
  if (const auto found = counts.problems.find("no_time"); found != counts.problems.end())
    counts.remarks.push_back(noTimeRemark(found->second, found->second - none, work));
  if (cut.count == 0) return;
  counts.problems["overlap_of_later_work"] = cut.count;
  counts.remarks.push_back(coveringRemark(cut, names.textOf(cut.longest_name)));
}

}  // namespace lanelab
