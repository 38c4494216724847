// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/nsight/sqlite_rows.h"

#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "base/regular_file.h"

namespace lanelab {

namespace {

constexpr int kMostValueBytes = 16'000'000;
constexpr std::int64_t kMostMemory = std::int64_t{256} << 20;  ///< of SQLite: its schema and the pages that it holds
constexpr int kStepsBetweenLooks = 200;

std::int64_t sizeOf(const std::string& path) {
  std::error_code none;
  const auto size = std::filesystem::file_size(path, none);
  return none ? 0 : static_cast<std::int64_t>(size);
}

/// Whether rows may lie in a write-ahead log. With a rollback journal beside it, SQLite would want to write to the file
/// first.
bool hasLog(const std::string& path) {
  std::error_code none;
  return whyNotRegularFile(path + "-wal").empty() && sizeOf(path + "-wal") > 0 &&
         !std::filesystem::exists(path + "-journal", none);
}

/// `immutable` keeps SQLite from making lock and journal files, and from reading the log. "unix-none" reads the log
/// without locks and the file of shared memory that they need.
std::string uriOf(const std::string& path) {
  constexpr std::string_view kHexDigits = "0123456789ABCDEF";
  std::error_code none;
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path, none).string()) {
    if (c == '?' || c == '#' || c == '%') {
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', kHexDigits[byte >> 4], kHexDigits[byte & 15]};
    } else {
      uri += c;
    }
  }
  return uri + (hasLog(path) ? "?mode=ro&vfs=unix-none" : "?mode=ro&immutable=1");
}

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

/// SQLite stores the statement that made a table in this form, and checks type and name in it against its row of the
/// schema.
bool makesTable(std::string_view sql) {
  constexpr std::string_view kStatement = "CREATE TABLE";
  return sql.size() > kStatement.size() &&
         std::equal(kStatement.begin(), kStatement.end(), sql.begin(), [](char expected, char found) {
           return expected == std::toupper(static_cast<unsigned char>(found));
         });
}

}  // namespace

std::optional<std::int64_t> SqliteFile::Row::number(int column) const {
  if (sqlite3_column_type(m_statement, column) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_int64(m_statement, column);
}

std::optional<double> SqliteFile::Row::real(int column) const {
  if (sqlite3_column_type(m_statement, column) != SQLITE_FLOAT) return std::nullopt;
  return sqlite3_column_double(m_statement, column);
}

std::optional<std::string_view> SqliteFile::Row::text(int column) const {
  if (sqlite3_column_type(m_statement, column) != SQLITE_TEXT) return std::nullopt;
  const unsigned char* const text = sqlite3_column_text(m_statement, column);
  if (text == nullptr) return std::nullopt;
  return std::string_view(reinterpret_cast<const char*>(text),
                          static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column)));
}

SqliteFile::SqliteFile(const std::string& path, std::stop_token stop, ProgressCount* progress)
    : m_stop(std::move(stop)), m_progress(progress) {
  m_error = whyNotRegularFile(path);
  if (m_error.empty()) open(path);
}

SqliteFile::~SqliteFile() { sqlite3_close(m_database); }

void SqliteFile::open(const std::string& path) {
  m_memory_before = sqlite3_memory_used();
  if (sqlite3_open_v2(uriOf(path).c_str(), &m_database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr) != SQLITE_OK)
    m_error = m_database == nullptr ? "out of memory" : sqlite3_errmsg(m_database);
  if (!m_error.empty()) return;
  // A row takes at least six bytes, and its instructions are one a column and four; a text is stored once, and may grow
  // when it becomes UTF-8.
  const std::int64_t size = sizeOf(path) + (hasLog(path) ? sizeOf(path + "-wal") : 0);
  m_left = {1'000'000 + 4 * size, 100'000 + size / 6, 1'000'000 + 2 * size};
  restrict();
}

void SqliteFile::restrict() {
  constexpr std::pair<int, int> kOptions[] = {
      {SQLITE_DBCONFIG_DEFENSIVE, 1},        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},   {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
      {SQLITE_DBCONFIG_DQS_DML, 0},          {SQLITE_DBCONFIG_DQS_DDL, 0},
      {SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1}, {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0}};
  for (const auto& [option, value] : kOptions) sqlite3_db_config(m_database, option, value, nullptr);
  constexpr std::pair<int, int> kLimits[] = {
      {SQLITE_LIMIT_LENGTH, kMostValueBytes}, {SQLITE_LIMIT_SQL_LENGTH, 100'000}, {SQLITE_LIMIT_COLUMN, 1000},
      {SQLITE_LIMIT_EXPR_DEPTH, 100},         {SQLITE_LIMIT_VDBE_OP, 25'000},     {SQLITE_LIMIT_ATTACHED, 0},
      {SQLITE_LIMIT_WORKER_THREADS, 0},       {SQLITE_LIMIT_TRIGGER_DEPTH, 1}};
  for (const auto& [limit, value] : kLimits) sqlite3_limit(m_database, limit, value);
  sqlite3_progress_handler(m_database, kStepsBetweenLooks, whileStepping, this);
  // Without the second a log would need a file of shared memory.
  for (const char* pragma : {"PRAGMA cell_size_check = ON", "PRAGMA locking_mode = EXCLUSIVE"})
    query(pragma, [](const Row&) {});
}

/// Each page of a table is fetched once; of a larger cache than the file's it is the first time that counts.
void SqliteFile::countPages() {
  constexpr std::int64_t kPageBytes = 4096;  // of Nsight's exports
  int misses = 0, highest = 0;
  sqlite3_db_status(m_database, SQLITE_DBSTATUS_CACHE_MISS, &misses, &highest, 0);
  const std::int64_t bytes = misses * kPageBytes;
  if (bytes - m_counted < (std::int64_t{1} << 20)) return;
  m_progress->add(bytes - std::exchange(m_counted, bytes));
}

/// SQLite calls it now and then; what is not 0 interrupts the statement.
int SqliteFile::whileStepping(void* handle) {
  SqliteFile& file = *static_cast<SqliteFile*>(handle);
  file.m_left.steps -= kStepsBetweenLooks;
  if (file.m_progress != nullptr) file.countPages();
  const bool full = sqlite3_memory_used() - file.m_memory_before > kMostMemory;
  return full || file.m_left.steps < 0 || file.m_stop.stop_requested() ? 1 : 0;
}

/// Takes the row that the statement has come to from what is left.
bool SqliteFile::affords(sqlite3_stmt* row) {
  for (int column = 0; column < sqlite3_column_count(row); ++column) {
    const int type = sqlite3_column_type(row, column);
    if (type == SQLITE_TEXT || type == SQLITE_BLOB) m_left.bytes -= sqlite3_column_bytes(row, column);
  }
  return --m_left.rows >= 0 && m_left.bytes >= 0 && !m_stop.stop_requested();
}

bool SqliteFile::query(const std::string& sql, const std::function<void(const Row&)>& visit) {
  sqlite3_stmt* prepared = nullptr;
  if (sqlite3_prepare_v2(m_database, sql.c_str(), -1, &prepared, nullptr) != SQLITE_OK) return false;
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> closer(prepared, sqlite3_finalize);
  int state = sqlite3_step(prepared);
  for (; state == SQLITE_ROW && affords(prepared); state = sqlite3_step(prepared)) visit(Row(prepared));
  return state == SQLITE_DONE;
}

std::vector<std::string> SqliteFile::tables() {
  std::vector<std::string> names;
  const bool whole =
      m_error.empty() && query("SELECT name, sql FROM sqlite_master WHERE type = 'table'", [&](const Row& row) {
        const auto name = row.text(0);
        const auto sql = row.text(1);
        if (name && sql && makesTable(*sql)) names.emplace_back(*name);
      });
  if (!whole && m_error.empty()) m_error = sqlite3_errmsg(m_database);
  return names;
}

std::vector<std::string> SqliteFile::columns(const std::string& table) {
  std::vector<std::string> names;
  // table_info, unlike table_xinfo, leaves generated columns out.
  query("PRAGMA table_info(" + quoted(table) + ")", [&](const Row& row) {
    if (const auto name = row.text(1)) names.emplace_back(*name);
  });
  return names;
}

/// Without an index: a damaged one would lead elsewhere.
std::string SqliteFile::selection(const std::string& table, const std::vector<std::string>& wanted) {
  const std::vector<std::string> there = columns(table);
  std::string sql = "SELECT ";
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (i > 0) sql += ", ";
    sql += std::find(there.begin(), there.end(), wanted[i]) == there.end() ? "NULL" : quoted(wanted[i]);
  }
  return sql + " FROM " + quoted(table) + " NOT INDEXED";
}

bool SqliteFile::rows(const std::string& table, const std::vector<std::string>& wanted,
                      const std::function<void(const Row&)>& visit) {
  return query(selection(table, wanted), visit);
}

bool SqliteFile::rowsWith(const std::string& table, const std::vector<std::string>& wanted, const std::string& column,
                          std::int64_t number, const std::function<void(const Row&)>& visit) {
  const std::vector<std::string> there = columns(table);
  if (std::find(there.begin(), there.end(), column) == there.end()) return true;
  return query(selection(table, wanted) + " WHERE " + quoted(column) + " = " + std::to_string(number), visit);
}

}  // namespace lanelab
