#include "profiler/io/nsight_import.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <unordered_map>

#include "profiler/io/foreign_id.h"
#include "profiler/io/import_builder.h"
#include "profiler/io/sqlite_rows.h"

namespace lanelab {

namespace {

constexpr std::string_view magic{"SQLite format 3\0", 16};
constexpr const char* how = "with: nsys export --type sqlite REPORT.nsys-rep";

bool isReport(const std::string& path) { return path.ends_with(".nsys-rep") || path.ends_with(".qdrep") || path.ends_with(".qdstrm"); }

std::uint32_t bigEndian(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = at; i < at + 4; ++i) number = number << 8U | static_cast<unsigned char>(bytes[i]);
  return number;
}

/// Whether the file is shorter than its header says (SQLite's file format, section 1.3).
bool isCut(const std::string& path) {
  std::string header(100, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(header.data(), static_cast<std::streamsize>(header.size()));
  if (static_cast<std::size_t>(file.gcount()) < header.size()) return true;
  const std::uint32_t written = bigEndian(header, 16) >> 16U;  // two bytes
  const std::uint64_t page = written == 1 ? 65536 : written;
  const bool size_holds = bigEndian(header, 24) == bigEndian(header, 92);
  std::error_code none;
  return size_holds && std::filesystem::file_size(path, none) < page * bigEndian(header, 28);
}

constexpr std::array<const char*, 11> copy_kinds = {"",     "HtoD", "DtoH", "HtoA", "AtoH", "AtoA",
                                                    "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"};  // CUpti_ActivityMemcpyKind

/// Nsight packs process and thread into one number.
std::int64_t processOfGlobal(std::int64_t global) { return global >> 24 & 0xFFFFFF; }
std::int64_t threadOfGlobal(std::int64_t global) { return global & 0xFFFFFF; }

class NsightReader {
 public:
  explicit NsightReader(const std::string& path) : m_path(path), m_file(path) {}

  ReadImport run() {
    const std::vector<std::string> tables = m_file.tables();
    if (!m_file.error().empty()) return failed(" is cut or damaged (" + m_file.error() + "); export the report again ");
    m_tables = tables;
    const auto known = [](const std::string& table) {
      return table == "StringIds" || table == "NVTX_EVENTS" || table.starts_with("CUPTI_ACTIVITY_KIND_") || table.starts_with("TARGET_INFO_");
    };
    if (std::none_of(tables.begin(), tables.end(), known)) return failed(" is an SQLite database, but no export of Nsight Systems; export a report ");
    strings();
    gpuWork("CUPTI_ACTIVITY_KIND_KERNEL", "kernel", {"demangledName", "shortName", "mangledName"},
            [this](const SqliteFile::Row& row) { return kernelName(row); });
    gpuWork("CUPTI_ACTIVITY_KIND_MEMCPY", "gpu_memcpy", {"copyKind"}, copyName);
    gpuWork("CUPTI_ACTIVITY_KIND_MEMSET", "gpu_memset", {}, [](const SqliteFile::Row&) { return std::string("Memset"); });
    runtimeCalls();
    nvtx();
    names();
    return {std::make_shared<const ImportedTrace>(m_builder.finish("nsight", 0, std::nullopt)), {}};
  }

 private:
  ReadImport failed(const std::string& what) const { return {nullptr, m_path + what + how + "."}; }

  void rows(const std::string& table, const std::vector<std::string>& columns, const std::function<void(const SqliteFile::Row&)>& visit) {
    if (std::find(m_tables.begin(), m_tables.end(), table) == m_tables.end()) return;
    if (!m_file.rows(table, columns, visit)) ++m_builder.problems()["damaged_table"];
  }

  void strings() {
    rows("StringIds", {"id", "value"}, [this](const SqliteFile::Row& row) {
      const auto id = row.number(0);
      const auto value = row.text(1);
      if (id && value) m_strings.emplace(*id, *value);
    });
  }

  /// The text that a column holds or refers to; "" when there is none.
  std::string textAt(const SqliteFile::Row& row, int column) const {
    if (const auto text = row.text(column)) return std::string(*text);
    const auto id = row.number(column);
    const auto found = id ? m_strings.find(*id) : m_strings.end();
    return found == m_strings.end() ? std::string() : found->second;
  }

  std::string kernelName(const SqliteFile::Row& row) const {
    for (int column = first_extra; column < first_extra + 3; ++column)
      if (std::string name = textAt(row, column); !name.empty()) return name;
    return "kernel";
  }

  static std::string copyName(const SqliteFile::Row& row) {
    const auto kind = row.number(first_extra).value_or(0);
    const bool known = kind > 0 && kind < static_cast<std::int64_t>(copy_kinds.size());
    return known ? std::string("Memcpy ") + copy_kinds[static_cast<std::size_t>(kind)] : "Memcpy";
  }

  /// Start and end from the first two columns; nothing when they make no span.
  std::optional<Span> spanOf(const SqliteFile::Row& row, std::string_view category, std::string_view name) {
    const auto start = row.number(0);
    const auto end = row.number(1);
    constexpr std::int64_t reach = std::int64_t{1} << 61;
    if (!start || !end || *end < *start || *start < -reach || *end > reach) {
      ++m_builder.problems()["bad_number"];
      return std::nullopt;
    }
    Span span = ImportBuilder::blankSpan();
    span.start = *start;
    span.end = *end;
    span.name = m_builder.nameOf(name);
    const auto key = m_builder.categoryOf(category);
    span.category = key.category;
    span.label = key.label;
    return span;
  }

  static constexpr int first_extra = 7;
  void gpuWork(const std::string& table, std::string_view category, const std::vector<std::string>& extra,
               const std::function<std::string(const SqliteFile::Row&)>& name_of) {
    std::vector<std::string> columns = {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid"};
    columns.insert(columns.end(), extra.begin(), extra.end());
    rows(table, columns, [&](const SqliteFile::Row& row) {
      const auto span = spanOf(row, category, name_of(row));
      if (span) m_builder.addSpan(streamRow(row), *span, row.number(5).value_or(-1));
    });
  }

  /// Whose stream it is: global process id and context, each if the table tells it.
  struct Owner {
    std::optional<std::int64_t> process;
    std::optional<std::int64_t> context;
    bool mayBe(const Owner& other) const {
      return (!process || !other.process || process == other.process) && (!context || !other.context || context == other.context);
    }
  };
  struct Stream {
    Owner owner;
    std::uint32_t row = 0;
  };

  /// A stream is its device, owner and number; where two owners use one number the second says so.
  std::uint32_t streamRow(const SqliteFile::Row& row) {
    const std::int64_t device = row.number(2).value_or(0);
    const std::int64_t number = row.number(4).value_or(0);
    const Owner owner{row.number(6), row.number(3)};
    std::vector<Stream>& streams = m_streams[{device, number}];
    for (const Stream& stream : streams)
      if (stream.owner.mayBe(owner)) return stream.row;
    const std::string name = "stream " + std::to_string(number);
    const std::string further = name + " of context " + std::to_string(owner.context.value_or(0)) + " in process " +
                                std::to_string(processOfGlobal(owner.process.value_or(0)));
    streams.push_back({owner, addStream(device, number, streams.empty() ? std::to_string(number) : further, streams.empty() ? name : further)});
    return streams.back().row;
  }

  std::uint32_t addStream(std::int64_t device, std::int64_t number, const std::string& tid, const std::string& name) {
    const std::string gpu = "GPU " + std::to_string(device);
    const std::uint32_t process = m_builder.processOf({gpu, true});
    m_builder.process(process).known.name = gpu;
    m_builder.process(process).known.sort_index = device + 1;
    m_builder.process(process).named = true;
    const std::uint32_t index = m_builder.rowOf(process, foreignId(tid));
    m_builder.nameThread(process, foreignId(tid), name);
    m_builder.row(index).device = device >= 0 && device < 1 << 16 ? static_cast<int>(device) : 0;
    m_builder.row(index).stream = number;
    return index;
  }

  std::uint32_t threadRow(std::int64_t global) {
    const auto [place, fresh] = m_rowsOfThreads.try_emplace(global, 0);
    if (fresh) {
      const std::uint32_t process = m_builder.processOf(foreignId(std::to_string(processOfGlobal(global))));
      place->second = m_builder.rowOf(process, foreignId(std::to_string(threadOfGlobal(global))));
    }
    return place->second;
  }

  void runtimeCalls() {
    rows("CUPTI_ACTIVITY_KIND_RUNTIME", {"start", "end", "globalTid", "correlationId", "nameId"}, [this](const SqliteFile::Row& row) {
      const std::string name = textAt(row, 4);
      const auto span = spanOf(row, "cuda_runtime", name.empty() ? "runtime call" : name);
      if (span) m_builder.addSpan(threadRow(row.number(2).value_or(0)), *span, row.number(3).value_or(-1));
    });
  }

  void nvtx() {
    constexpr std::int64_t mark = 34, push_pop = 59, start_end = 60;
    rows("NVTX_EVENTS", {"start", "end", "globalTid", "text", "textId", "eventType"}, [&](const SqliteFile::Row& row) {
      const std::int64_t type = row.number(5).value_or(row.number(1) ? push_pop : mark);
      if (type != mark && type != push_pop && type != start_end) return;  // names of domains and categories
      std::string name = textAt(row, 3);
      if (name.empty()) name = textAt(row, 4);
      const std::uint32_t thread = threadRow(row.number(2).value_or(0));
      if (type == mark && row.number(0)) {
        m_builder.addInstant({*row.number(0), m_builder.nameOf(name), thread, m_builder.labelOf("nvtx"), 't'});
      } else if (type != mark && row.number(0) && !row.number(1)) {
        ++m_builder.problems()["unmatched_begin"];
      } else if (const auto span = spanOf(row, "nvtx", name)) {
        m_builder.addSpan(thread, *span);
      }
    });
  }

  void names() {
    rows("ThreadNames", {"nameId", "globalTid"}, [this](const SqliteFile::Row& row) {
      const auto found = m_rowsOfThreads.find(row.number(1).value_or(-1));
      const std::string name = textAt(row, 0);
      if (found == m_rowsOfThreads.end() || name.empty()) return;
      m_builder.nameThread(m_builder.row(found->second).process, foreignId(std::to_string(threadOfGlobal(found->first))), name);
    });
    rows("PROCESSES", {"globalPid", "name"}, [this](const SqliteFile::Row& row) {
      const std::string name = textAt(row, 1);
      if (!row.number(0) || name.empty()) return;
      DraftProcess& process = m_builder.process(m_builder.processOf(foreignId(std::to_string(processOfGlobal(*row.number(0))))));
      process.known.name = name;
      process.named = true;
    });
  }

  std::string m_path;
  SqliteFile m_file;
  std::vector<std::string> m_tables;
  ImportBuilder m_builder;
  std::unordered_map<std::int64_t, std::string> m_strings;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Stream>> m_streams;  ///< by device and number
  std::map<std::int64_t, std::uint32_t> m_rowsOfThreads;
};

}  // namespace

bool isNsightFile(const std::string& path, std::string_view head) {
  return isReport(path) || (!head.empty() && magic.starts_with(head.substr(0, magic.size())));
}

ReadImport importNsight(const std::string& path) {
  if (isReport(path)) return {nullptr, path + " is a report of Nsight Systems, which only its own tools read; export it " + how + "."};
  if (isCut(path)) return {nullptr, path + " is cut; copy it again, or export the report again " + how + "."};
  return NsightReader(path).run();
}

}  // namespace lanelab
