// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/nsight/nsight_arguments.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "profiler/io/nsight/global_id.h"
#include "profiler/io/nsight/sqlite_rows.h"
#include "profiler/io/source/cut_text.h"

namespace lanelab {
namespace {

using Row = SqliteFile::Row;

/// Whose category the import gave to the rows of a table.
struct CategoryTable {
  std::string_view category;
  const char* table;
};

constexpr std::array<CategoryTable, 9> kCategoryTables = {{{"kernel", "CUPTI_ACTIVITY_KIND_KERNEL"},
                                                           {"kernel", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"},
                                                           {"gpu_memcpy", "CUPTI_ACTIVITY_KIND_MEMCPY"},
                                                           {"gpu_memset", "CUPTI_ACTIVITY_KIND_MEMSET"},
                                                           {"cuda_runtime", "CUPTI_ACTIVITY_KIND_RUNTIME"},
                                                           {"cuda_sync", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"},
                                                           {"nvtx", "NVTX_EVENTS"},
                                                           {"osrt", "OSRT_API"},
                                                           {"overhead", "PROFILER_OVERHEAD"}}};

/// Columns that may hold a number of the table StringIds, as all with these names do in exports.
bool mayReferToText(const std::string& column) {
  for (const char* end : {"Name", "NameId", "TextId"})
    if (column.ends_with(end)) return true;
  return column == "nameId" || column == "textId";
}

std::string realText(double number) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

class ArgumentRows {
 public:
  ArgumentRows(const std::string& path, const SoughtEvent& sought, const std::stop_token& stop)
      : m_file(path, stop), m_sought(sought) {}

  const std::string& error() const { return m_file.error(); }

  EventArguments find() {
    for (const auto& [category, table] : kCategoryTables)
      if (category == m_sought.category && !m_same) search(table);
    return m_same ? std::move(*m_same) : m_similar ? std::move(*m_similar) : EventArguments();
  }

 private:
  struct Column {
    std::string name;
    std::optional<std::int64_t> number;  ///< of one that may refer to a text
    std::string text;
  };

  void search(const std::string& table) {
    const std::vector<std::string> columns = m_file.columns(table);
    std::vector<std::vector<Column>> found;
    constexpr std::size_t kMostFound = 64;  // rows that begin together
    m_file.rowsWith(table, columns, "start", m_sought.ts, [&](const Row& row) {
      if (found.size() < kMostFound) found.push_back(valuesOf(row, columns));
    });
    for (std::vector<Column>& row : found) {
      if (!isOwn(row)) continue;
      resolve(row);
      const bool same = numberOf(row, "end") == m_sought.ts + m_sought.dur && hasName(row);
      std::optional<EventArguments>& place = same ? m_same : m_similar;
      if (!place) place = argumentsOf(row);
      if (m_same) return;
    }
  }

  static std::vector<Column> valuesOf(const Row& row, const std::vector<std::string>& columns) {
    std::vector<Column> values;
    for (int i = 0; i < static_cast<int>(columns.size()); ++i) {
      Column column{columns[static_cast<std::size_t>(i)], row.number(i), ""};
      if (const auto text = row.text(i)) column.text = cutText(*text, kMostNameBytes);
      if (column.number) column.text = std::to_string(*column.number);
      if (const auto real = row.real(i)) column.text = realText(*real);
      if (!column.text.empty()) values.push_back(std::move(column));
    }
    return values;
  }

  static std::optional<std::int64_t> numberOf(const std::vector<Column>& row, std::string_view name) {
    const auto found = std::ranges::find(row, name, &Column::name);
    return found == row.end() ? std::nullopt : found->number;
  }

  /// Of the stream, GPU or thread on whose row the event lies.
  bool isOwn(const std::vector<Column>& row) const {
    if (m_sought.stream >= 0)
      return numberOf(row, "streamId").value_or(0) == m_sought.stream &&
             numberOf(row, "deviceId").value_or(0) == m_sought.device;
    if (m_sought.category == "cuda_sync")
      return m_sought.pid == "GPU " + std::to_string(numberOf(row, "deviceId").value_or(0));
    const std::int64_t thread = numberOf(row, "globalTid").value_or(0);
    return processOfGlobal(thread).text == m_sought.pid && threadOfGlobal(thread).text == m_sought.tid;
  }

  void resolve(std::vector<Column>& row) {
    for (Column& column : row) {
      if (!column.number || !mayReferToText(column.name)) continue;
      m_file.rowsWith("StringIds", {"value"}, "id", *column.number, [&](const Row& text) {
        if (const auto value = text.text(0)) column.text = cutText(*value, kMostNameBytes);
      });
    }
  }

  /// Copies and the like have no name in the file.
  bool hasName(const std::vector<Column>& row) const {
    bool named = false;
    for (const Column& column : row) {
      if (column.text == m_sought.name) return true;
      named = named || column.name == "text" || mayReferToText(column.name);
    }
    return !named;
  }

  static EventArguments argumentsOf(const std::vector<Column>& row) {
    EventArguments arguments;
    for (const Column& column : row) {
      if (column.name == "start" || column.name == "end" || arguments.size() == kMostArguments) continue;
      arguments.emplace_back(cutText(column.name, kMostArgumentBytes), cutText(column.text, kMostArgumentBytes));
    }
    return arguments;
  }

  SqliteFile m_file;
  const SoughtEvent& m_sought;
  std::optional<EventArguments> m_same, m_similar;
};

}  // namespace

Result<EventArguments> readNsightArguments(const std::string& path, const SoughtEvent& event,
                                           const ImportLimits& limits) {
  ArgumentRows rows(path, event, limits.stop);
  if (!rows.error().empty())
    return Error::badInput("{} could not be read: {}. Copy or export it again.", path, rows.error());
  EventArguments found = rows.find();
  if (limits.stop.stop_requested()) throw StoppedError();
  return found;
}

}  // namespace lanelab
