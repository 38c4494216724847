// SPDX-License-Identifier: GPL-3.0-only
// SQLite databases read row by row, as far as a trace export needs it. A database is a program as well: views,
// generated columns and virtual tables compute what they return, so that a small file may fill the memory or never end.
// Only values that are stored in tables are read here, and no more of them than the file has room for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"

struct sqlite3;
struct sqlite3_stmt;

namespace lanelab {

/// Used by one thread at a time.
class SqliteFile {
 public:
  /// A row's values, in the order in which the columns were asked for; views until the next row.
  class Row {
   public:
    explicit Row(sqlite3_stmt* statement) : m_statement(statement) {}
    std::optional<std::int64_t> number(int column) const;  ///< nothing when it is NULL, missing or no number
    std::optional<double> real(int column) const;  ///< nothing when it is NULL, missing or no floating-point number
    std::optional<std::string_view> text(int column) const;

   private:
    sqlite3_stmt* m_statement;
  };

  /// Opens a regular file read-only; nothing is written beside it either. error() says why it could not be opened.
  /// `stop` ends all reading. `progress` counts bytes of the pages that were read.
  explicit SqliteFile(const std::string& path, std::stop_token stop = {}, ProgressCount* progress = nullptr);
  ~SqliteFile();
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;

  const std::string& error() const { return m_error; }
  /// Without views and virtual tables.
  std::vector<std::string> tables();
  /// Without generated columns.
  std::vector<std::string> columns(const std::string& table);
  /// Calls `visit` for each row; columns that the table lacks read as NULL. False when damage, a value of more than 16
  /// MB, `stop` or more rows or bytes than the file has room for ended it.
  bool rows(const std::string& table, const std::vector<std::string>& columns,
            const std::function<void(const Row&)>& visit);
  /// Only the rows whose `column` is that number; a table without the column has none.
  bool rowsWith(const std::string& table, const std::vector<std::string>& columns, const std::string& column,
                std::int64_t number, const std::function<void(const Row&)>& visit);

 private:
  /// What reading may still cost. All of it is in proportion to the file: damaged or hostile pages may refer to each
  /// other again and again.
  struct Budget {
    std::int64_t steps = 0;  ///< instructions of SQLite's virtual machine
    std::int64_t rows = 0;
    std::int64_t bytes = 0;  ///< of texts and blobs
  };

  std::string selection(const std::string& table, const std::vector<std::string>& wanted);
  void open(const std::string& path);
  void restrict();
  bool query(const std::string& sql, const std::function<void(const Row&)>& visit);
  bool affords(sqlite3_stmt* row);
  void countPages();
  static int whileStepping(void* file);

  sqlite3* m_database = nullptr;
  std::stop_token m_stop;
  ProgressCount* m_progress;
  std::int64_t m_counted = 0;  ///< bytes in m_progress
  Budget m_left;
  std::int64_t m_memory_before = 0;
  std::string m_error;
};

}  // namespace lanelab
