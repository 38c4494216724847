// SPDX-License-Identifier: GPL-3.0-only
// The one writer of CSV tables (RFC 4180: CRLF, quotes if needed; UTF-8). Cells that a spreadsheet would run as a
// formula begin with a ' instead. Threads: each table is used by one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lanelab {

/// Appends `text` as a cell. A ' goes before a cell that begins with = + - @ (also full-width), tab, newline or
/// carriage return, if spaces precede them, too. Other control characters and bytes that are not valid UTF-8 become
/// U+FFFD.
void appendCsvText(std::string& out, std::string_view text);

/// A table written cell by cell at the end of a text that must outlive it.
class CsvTable {
 public:
  /// `columns` are the titles as one line, such as "name,start_us".
  CsvTable(std::string& out, std::string_view columns) : m_out(out) { (m_out += columns) += "\r\n"; }

  /// Words, names: all that is not a number of this program.
  CsvTable& text(std::string_view cell) {
    appendCsvText(this->cell(), cell);
    return *this;
  }
  /// A number in its final form, or "" for none; never a text that somebody else chose.
  CsvTable& number(std::string_view digits) {
    cell() += digits;
    return *this;
  }
  /// Exactly; empty unless `known` and finite.
  CsvTable& exact(double value, bool known = true);
  CsvTable& integer(std::int64_t value) { return number(std::to_string(value)); }
  CsvTable& index(std::size_t value) { return number(std::to_string(value)); }
  /// Cells that appendCsvText() made, with commas between them.
  CsvTable& ready(std::string_view cells) { return number(cells); }
  /// Begins a cell and returns the text, for a number to be appended.
  std::string& cell() {
    if (m_in_row) m_out += ',';
    m_in_row = true;
    return m_out;
  }
  void endRow() {
    m_out += "\r\n";
    m_in_row = false;
  }

 private:
  std::string& m_out;
  bool m_in_row = false;
};

}  // namespace lanelab
