// SQLite databases read row by row, as far as a trace export needs it: opened read-only, tables and columns probed before they are asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanelab {

class SqliteFile {
 public:
  /// A row's values, in the order in which the columns were asked for; views until the next row.
  class Row {
   public:
    explicit Row(void* statement) : m_statement(statement) {}
    std::optional<std::int64_t> number(int column) const;  ///< nothing when it is NULL, missing or no number
    std::optional<std::string_view> text(int column) const;

   private:
    void* m_statement;
  };

  /// Nothing is written beside the file either. error() tells why it could not be opened.
  explicit SqliteFile(const std::string& path);
  ~SqliteFile();
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;

  const std::string& error() const { return m_error; }
  std::vector<std::string> tables();
  std::vector<std::string> columns(const std::string& table);
  /// Calls `visit` for each row; columns that the table lacks read as NULL. False when damage ended it.
  bool rows(const std::string& table, const std::vector<std::string>& columns, const std::function<void(const Row&)>& visit);

 private:
  bool query(const std::string& sql, const std::function<void(const Row&)>& visit);

  void* m_database = nullptr;
  std::string m_error;
};

}  // namespace lanelab
