// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/nsight/nsight_import.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

#include "base/regular_file.h"
#include "profiler/io/build/import_builder.h"
#include "profiler/io/nsight/global_id.h"
#include "profiler/io/nsight/launch_flows.h"
#include "profiler/io/nsight/nsight_streams.h"
#include "profiler/io/nsight/sqlite_rows.h"
#include "profiler/io/source/cut_text.h"
#include "profiler/io/source/imported_id.h"

namespace lanelab {

namespace {

constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr const char* kHow = "with: nsys export --type sqlite REPORT.nsys-rep";

bool isReport(const std::string& path) {
  return path.ends_with(".nsys-rep") || path.ends_with(".qdrep") || path.ends_with(".qdstrm");
}

std::uint32_t bigEndian(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = at; i < at + 4; ++i) number = number << 8U | static_cast<unsigned char>(bytes[i]);
  return number;
}

/// Whether the file is shorter than its header says (SQLite's file format, section 1.3).
bool isCut(std::FILE* file) {
  std::string header(100, '\0');
  if (std::fread(header.data(), 1, header.size(), file) < header.size() || fseeko(file, 0, SEEK_END) != 0) return true;
  const std::uint32_t written = bigEndian(header, 16) >> 16U;  // two bytes
  const std::uint64_t page = written == 1 ? 65536 : written;
  const bool size_holds = bigEndian(header, 24) == bigEndian(header, 92);
  return size_holds && static_cast<std::uint64_t>(ftello(file)) < page * bigEndian(header, 28);
}

constexpr std::array<const char*, 11> kCopyKinds = {
    "", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"};  // CUpti_ActivityMemcpyKind

constexpr std::array<const char*, 5> kSyncKinds = {"Synchronization", "Event Sync", "Stream Wait Event", "Stream Sync",
                                                   "Context Sync"};  // CUpti_ActivitySynchronizationType

/// Its lines, separated by spaces.
std::string onOneLine(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

class NsightReader {
 public:
  NsightReader(const std::string& path, const ImportLimits& limits, ProgressCount* progress)
      : m_path(path), m_stop(limits.stop), m_file(path, limits.stop, progress), m_builder(limits) {}

  ReadImport run() {
    const std::vector<std::string> tables = m_file.tables();
    if (m_stop.stop_requested()) return cancelled();
    if (!m_file.error().empty()) return failed(sentence("is cut or damaged ({})", m_file.error()));
    m_tables = tables;
    std::ranges::sort(m_tables);
    const auto known = [](const std::string& table) {
      return table == "StringIds" || table == "NVTX_EVENTS" || table.starts_with("CUPTI_ACTIVITY_KIND_") ||
             table.starts_with("TARGET_INFO_");
    };
    if (std::none_of(tables.begin(), tables.end(), known))
      return failed(sentence("is an SQLite database, but not an export of Nsight Systems"));
    strings();
    for (const char* table : {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL"})
      gpuWork(table, "kernel", {"demangledName", "shortName", "mangledName"},
              [this](const Row& row) { return kernelName(row); });
    gpuWork("CUPTI_ACTIVITY_KIND_MEMCPY", "gpu_memcpy", {"copyKind"}, [this](const Row& row) { return copyName(row); });
    gpuWork("CUPTI_ACTIVITY_KIND_MEMSET", "gpu_memset", {},
            [this](const Row&) { return m_builder.nameIndex("Memset"); });
    gpuWork("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "kernel", {"graphId"}, [this](const Row& row) {
      return m_builder.nameIndex("CUDA graph " + std::to_string(row.number(kFirstExtra).value_or(0)));
    });
    runtimeCalls();
    m_launches.finish(m_builder);
    nvtx();
    synchronization();
    threadSpans("OSRT_API", "osrt", "system call");
    threadSpans("PROFILER_OVERHEAD", "overhead", "profiler overhead");
    names();
    diagnostics();
    countUnusedTables();
    if (m_stop.stop_requested()) return cancelled();
    return std::make_shared<const ImportedTrace>(m_builder.finish("nsight", 0, std::nullopt));
  }

 private:
  using Row = SqliteFile::Row;
  /// A text of the file, and its place among the builder's names once a row has used it: many rows may refer to one
  /// long text.
  struct StoredText {
    std::string text;
    std::optional<std::uint32_t> name;
  };

  ReadImport failed(const Message& what) const {
    return Error::badInput("{} {}. Export the report {}.", m_path, what, kHow);
  }
  ReadImport cancelled() const { return Error::cancelled("{} was not imported: the import was cancelled.", m_path); }

  /// The rows of the table and of those with the number of a version behind the name.
  void rows(const std::string& table, const std::vector<std::string>& columns,
            const std::function<void(const Row&)>& visit) {
    for (const std::string& other : m_tables) {
      if (!isTable(other, table) || !m_read.insert(other).second) continue;
      if (!m_file.rows(other, columns, visit)) ++m_builder.problems()["damaged_table"];
    }
  }

  /// "TABLE", "TABLE2", "TABLE_V2" or "TABLE_2".
  static bool isTable(std::string_view name, std::string_view table) {
    if (!name.starts_with(table)) return false;
    name.remove_prefix(table.size());
    if (name.starts_with('_')) name.remove_prefix(1);
    if (name.starts_with('V') || name.starts_with('v')) name.remove_prefix(1);
    return name.find_first_not_of("0123456789") == std::string_view::npos;
  }

  void strings() {
    rows("StringIds", {"id", "value"}, [this](const Row& row) {
      const auto id = row.number(0);
      const auto value = row.text(1);
      if (id && value) m_strings.try_emplace(*id, StoredText{std::string(limited(*value)), std::nullopt});
    });
  }
  std::string_view limited(std::string_view text) { return limitedName(text, m_builder.problems()); }

  StoredText* storedAt(const Row& row, int column) {
    const auto id = row.number(column);
    const auto found = id ? m_strings.find(*id) : m_strings.end();
    return found == m_strings.end() ? nullptr : &found->second;
  }

  /// The name that a column holds or refers to; nothing when there is none.
  std::optional<std::uint32_t> nameAt(const Row& row, int column) {
    if (const auto text = row.text(column))
      return text->empty() ? std::nullopt : std::optional(m_builder.nameIndex(limited(*text)));
    StoredText* const stored = storedAt(row, column);
    if (stored == nullptr || stored->text.empty()) return std::nullopt;
    if (!stored->name) stored->name = m_builder.nameIndex(stored->text);
    return stored->name;
  }

  /// The same for a thread or process; "" when there is none.
  std::string ownerNameAt(const Row& row, int column) {
    const StoredText* const stored = storedAt(row, column);
    const std::string_view text = stored == nullptr ? row.text(column).value_or(std::string_view()) : stored->text;
    return std::string(limitedName(text, m_builder.problems(), kMostLabelBytes));
  }

  std::uint32_t kernelName(const Row& row) {
    for (int column = kFirstExtra; column < kFirstExtra + 3; ++column)
      if (const auto name = nameAt(row, column)) return *name;
    return m_builder.nameIndex("kernel");
  }

  std::uint32_t copyName(const Row& row) {
    const auto kind = row.number(kFirstExtra).value_or(0);
    const bool known = kind > 0 && kind < static_cast<std::int64_t>(kCopyKinds.size());
    return m_builder.nameIndex(known ? std::string("Memcpy ") + kCopyKinds[static_cast<std::size_t>(kind)] : "Memcpy");
  }

  /// Start and end from the first two columns; nothing when they make no span.
  std::optional<Span> spanOf(const Row& row, std::string_view category, std::uint32_t name) {
    const auto start = row.number(0);
    const auto end = row.number(1);
    if (!start || !end || *end < *start || !inReach(*start) || !inReach(*end)) {
      ++m_builder.problems()["bad_number"];
      return std::nullopt;
    }
    return ImportBuilder::spanOf(*start, *end, name, m_builder.categoryKey(category));
  }

  static constexpr int kFirstExtra = 7;
  void gpuWork(const std::string& table, std::string_view category, const std::vector<std::string>& extra,
               const std::function<std::uint32_t(const Row&)>& name_of) {
    std::vector<std::string> columns = {"start",    "end",           "deviceId", "contextId",
                                        "streamId", "correlationId", "globalPid"};
    columns.insert(columns.end(), extra.begin(), extra.end());
    rows(table, columns, [&](const Row& row) {
      if (row.number(0) == 0 && row.number(1) == 0) {  // CUPTI: the time was not collected
        ++m_builder.problems()["no_time"];
        return;
      }
      const auto span = spanOf(row, category, name_of(row));
      const auto stream =
          span ? m_streams.rowOf({row.number(2).value_or(0), row.number(4).value_or(0), row.number(6), row.number(3)})
               : std::nullopt;
      if (!stream) return;
      const std::int64_t correlation = row.number(5).value_or(-1);
      m_builder.addSpan(*stream, *span, correlation);
      m_launches.addWork({correlation, processKey(row.number(6)), span->start, *stream});
    });
  }

  /// The same for the process of a stream and that of a thread.
  static std::optional<std::int64_t> processKey(const std::optional<std::int64_t>& global) {
    return global ? std::optional(*global >> 24) : std::nullopt;
  }

  /// Nothing when there are too many.
  std::optional<std::uint32_t> threadRow(std::int64_t global) {
    const auto known = m_rows_of_threads.find(global);
    if (known != m_rows_of_threads.end()) return known->second;
    if (!hasRoomForRow(m_builder, m_rows_of_threads.size())) return std::nullopt;
    const std::uint32_t index =
        m_builder.rowIndex(m_builder.processIndex(processOfGlobal(global)), threadOfGlobal(global));
    m_rows_of_threads.emplace(global, index);
    return index;
  }

  void runtimeCalls() {
    rows("CUPTI_ACTIVITY_KIND_RUNTIME", {"start", "end", "globalTid", "correlationId", "nameId"},
         [this](const Row& row) {
           const auto name = nameAt(row, 4);
           const auto span = spanOf(row, "cuda_runtime", name ? *name : m_builder.nameIndex("runtime call"));
           const auto thread = span ? threadRow(row.number(2).value_or(0)) : std::nullopt;
           if (!thread) return;
           const std::int64_t correlation = row.number(3).value_or(-1);
           m_builder.addSpan(*thread, *span, correlation);
           m_launches.addCall({correlation, processKey(row.number(2)), span->start, *thread});
         });
  }

  /// Whether a row of a table that no answer depends on makes a span; if not it is counted as not used.
  bool isSpan(const Row& row, const std::string& table) {
    const auto start = row.number(0);
    const auto end = row.number(1);
    const bool good = start && end && *start <= *end && inReach(*start) && inReach(*end);
    m_builder.notes()[table] += good ? 0 : 1;
    return good;
  }

  /// Spans of what a thread does beside runtime calls.
  void threadSpans(const std::string& table, std::string_view category, std::string_view otherwise) {
    rows(table, {"start", "end", "globalTid", "nameId"}, [&](const Row& row) {
      if (!isSpan(row, table)) return;
      const auto name = nameAt(row, 3);
      const auto span = spanOf(row, category, name ? *name : m_builder.nameIndex(otherwise));
      const auto thread = threadRow(row.number(2).value_or(0));
      if (span && thread) m_builder.addSpan(*thread, *span);
    });
  }

  /// What the host waited for, on a row of its own of the device: on a stream's it would hide the work.
  void synchronization() {
    const std::string table = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
    rows(table, {"start", "end", "deviceId", "syncType"}, [&](const Row& row) {
      if (!isSpan(row, table)) return;
      const auto kind = static_cast<std::size_t>(std::clamp<std::int64_t>(row.number(3).value_or(0), 0, 4));
      const auto span = spanOf(row, "cuda_sync", m_builder.nameIndex(kSyncKinds[kind]));
      const std::int64_t device = row.number(2).value_or(0);
      const std::uint32_t process = m_streams.processOf(device >= 0 && device < 1 << 16 ? device : 0);
      const ImportedId tid{"synchronization", true};
      m_builder.thread(process, tid).name = tid.text;
      if (span) m_builder.addSpan(m_builder.rowIndex(process, tid), *span);
    });
  }

  /// Tables of events that are not read: samples of GPU metrics, scheduling, file access and others.
  void countUnusedTables() {
    for (const std::string& table : m_tables) {
      if (m_read.contains(table) || table.starts_with("TARGET_INFO_")) continue;
      const std::vector<std::string> columns = m_file.columns(table);
      const auto isTime = [](const std::string& column) { return column == "start" || column == "timestamp"; };
      if (std::ranges::none_of(columns, isTime)) continue;
      std::int64_t& count = m_builder.notes()[table];
      m_file.rows(table, {"start"}, [&](const Row&) { ++count; });
      if (count > 0 && table.find("KERNEL") != std::string::npos)
        m_builder.remarks().push_back("Table " + table + " has " + std::to_string(count) +
                                      " rows that are not read, so kernels may be missing.");
    }
    std::erase_if(m_builder.notes(), [](const auto& note) { return note.second == 0; });
  }

  /// What the recorder itself says went wrong, such as why there are no kernels.
  void diagnostics() {
    std::set<std::int64_t> plain;  // severities of what is no trouble
    rows("ENUM_DIAGNOSTIC_SEVERITY_LEVEL", {"id", "name"}, [&](const Row& row) {
      const std::string name = ownerNameAt(row, 1);
      if (row.number(0) && (name.starts_with("Info") || name.starts_with("INFO"))) plain.insert(*row.number(0));
    });
    constexpr std::size_t kMost = 8;
    std::set<std::string> told;
    rows("DIAGNOSTIC_EVENT", {"severity", "text"}, [&](const Row& row) {
      const std::string text = onOneLine(ownerNameAt(row, 1));
      if (text.empty() || told.size() >= kMost || plain.contains(row.number(0).value_or(-1))) return;
      if (told.insert(text).second) m_builder.remarks().push_back("Nsight Systems reports: " + text);
    });
  }

  void nvtx() {
    constexpr std::int64_t kMark = 34, kPushPop = 59, kStartEnd = 60;
    rows("NVTX_EVENTS", {"start", "end", "globalTid", "text", "textId", "eventType"}, [&](const Row& row) {
      const std::int64_t type = row.number(5).value_or(row.number(1) ? kPushPop : kMark);
      if (type != kMark && type != kPushPop && type != kStartEnd) return;  // names of domains and categories
      const auto thread = threadRow(row.number(2).value_or(0));
      if (!thread) return;
      auto name = nameAt(row, 3);
      if (!name) name = nameAt(row, 4);
      if (!name) name = m_builder.nameIndex("");
      if (type == kMark && row.number(0)) {
        addMark(*row.number(0), *name, *thread);
      } else if (type != kMark && row.number(0) && !row.number(1)) {
        ++m_builder.problems()["unmatched_begin"];
      } else if (const auto span = spanOf(row, "nvtx", *name)) {
        m_builder.addSpan(*thread, *span);
      }
    });
  }

  void addMark(std::int64_t time, std::uint32_t name, std::uint32_t thread) {
    if (inReach(time)) {
      m_builder.addInstant({time, name, thread, m_builder.labelIndex("nvtx"), 't'});
    } else {
      ++m_builder.problems()["bad_number"];
    }
  }

  void names() {
    rows("ThreadNames", {"nameId", "globalTid"}, [this](const Row& row) {
      const auto found = m_rows_of_threads.find(row.number(1).value_or(-1));
      const std::string name = ownerNameAt(row, 0);
      if (found == m_rows_of_threads.end() || name.empty()) return;
      m_builder.thread(m_builder.row(found->second).process, threadOfGlobal(found->first)).name = name;
    });
    std::size_t processes = 0;
    rows("PROCESSES", {"globalPid", "name"}, [&](const Row& row) {
      const std::string name = ownerNameAt(row, 1);
      if (!row.number(0) || name.empty() || !hasRoomForRow(m_builder, processes++)) return;
      m_builder.process(m_builder.processIndex(processOfGlobal(*row.number(0)))).setName(name);
    });
  }

  std::string m_path;
  std::stop_token m_stop;
  SqliteFile m_file;
  std::vector<std::string> m_tables;
  std::set<std::string> m_read;  ///< tables
  LaunchFlows m_launches;
  ImportBuilder m_builder;
  std::unordered_map<std::int64_t, StoredText> m_strings;
  NsightStreams m_streams{m_builder};
  std::map<std::int64_t, std::uint32_t> m_rows_of_threads;
};

}  // namespace

bool isNsightFile(const std::string& path, std::string_view head) {
  return isReport(path) || (!head.empty() && kMagic.starts_with(head.substr(0, kMagic.size())));
}

ReadImport importNsight(const std::string& path, const ImportLimits& limits, ProgressCount* progress) {
  if (isReport(path))
    return Error::badInput("{} is a report of Nsight Systems, which only its own tools read; export it {}.", path,
                           kHow);
  const OpenedFile opened = openRegularFile(path);
  if (!opened.file)
    return Error::badInput("{} could not be read: {}; choose an SQLite export that you may read.", path, opened.reason);
  if (isCut(opened.file.get()))
    return Error::badInput("{} is cut; copy it again, or export the report again {}.", path, kHow);
  return NsightReader(path, limits, progress).run();
}

}  // namespace lanelab
