#include "profiler/io/sqlite_rows.h"

#include <sqlite3.h>

#include <algorithm>
#include <filesystem>

namespace lanelab {

namespace {

sqlite3* database(void* handle) { return static_cast<sqlite3*>(handle); }
sqlite3_stmt* statement(void* handle) { return static_cast<sqlite3_stmt*>(handle); }

/// `immutable` keeps SQLite from making lock and journal files; it must not be said where a write-ahead log belongs to the file.
std::string uriOf(const std::string& path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::error_code none;
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path, none).string()) {
    if (c == '?' || c == '#' || c == '%') {
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', digits[byte >> 4], digits[byte & 15]};
    } else {
      uri += c;
    }
  }
  return uri + (std::filesystem::exists(path + "-wal", none) ? "?mode=ro" : "?mode=ro&immutable=1");
}

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

}  // namespace

std::optional<std::int64_t> SqliteFile::Row::number(int column) const {
  if (sqlite3_column_type(statement(m_statement), column) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_int64(statement(m_statement), column);
}

std::optional<std::string_view> SqliteFile::Row::text(int column) const {
  if (sqlite3_column_type(statement(m_statement), column) != SQLITE_TEXT) return std::nullopt;
  const unsigned char* const text = sqlite3_column_text(statement(m_statement), column);
  if (text == nullptr) return std::nullopt;
  return std::string_view(reinterpret_cast<const char*>(text), static_cast<std::size_t>(sqlite3_column_bytes(statement(m_statement), column)));
}

SqliteFile::SqliteFile(const std::string& path) {
  sqlite3* opened = nullptr;
  if (sqlite3_open_v2(uriOf(path).c_str(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr) != SQLITE_OK)
    m_error = opened == nullptr ? "out of memory" : sqlite3_errmsg(opened);
  m_database = opened;
}

SqliteFile::~SqliteFile() { sqlite3_close(database(m_database)); }

bool SqliteFile::query(const std::string& sql, const std::function<void(const Row&)>& visit) {
  sqlite3_stmt* prepared = nullptr;
  if (sqlite3_prepare_v2(database(m_database), sql.c_str(), -1, &prepared, nullptr) != SQLITE_OK) return false;
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> closer(prepared, sqlite3_finalize);
  int state = sqlite3_step(prepared);
  for (; state == SQLITE_ROW; state = sqlite3_step(prepared)) visit(Row(prepared));
  return state == SQLITE_DONE;
}

std::vector<std::string> SqliteFile::tables() {
  std::vector<std::string> names;
  const bool whole = query("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')", [&](const Row& row) {
    if (const auto name = row.text(0)) names.emplace_back(*name);
  });
  if (!whole) m_error = sqlite3_errmsg(database(m_database));
  return names;
}

std::vector<std::string> SqliteFile::columns(const std::string& table) {
  std::vector<std::string> names;
  query("PRAGMA table_info(" + quoted(table) + ")", [&](const Row& row) {
    if (const auto name = row.text(1)) names.emplace_back(*name);
  });
  return names;
}

bool SqliteFile::rows(const std::string& table, const std::vector<std::string>& wanted, const std::function<void(const Row&)>& visit) {
  const std::vector<std::string> there = columns(table);
  std::string sql = "SELECT ";
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (i > 0) sql += ", ";
    sql += std::find(there.begin(), there.end(), wanted[i]) == there.end() ? "NULL" : quoted(wanted[i]);
  }
  return query(sql + " FROM " + quoted(table), visit);
}

}  // namespace lanelab
