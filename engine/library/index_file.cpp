// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/index_file.h"

#include <sqlite3.h>

#include <filesystem>
#include <type_traits>
#include <utility>

#include "base/text.h"
#include "engine/library/own_folder.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileName = "runs.sqlite";
constexpr int kVersion = 2;     ///< of what the columns mean; other columns are noticed by themselves
constexpr int kPatience = 500;  ///< milliseconds, while another process writes
constexpr int kMostBytes = 4 << 20;
constexpr std::string_view kBetweenTags = "\x1f";

// One list of columns for making the tables, writing and reading: `column` is called with each name and value.
void columnsOf(auto& column, auto& stamp, auto& entry) {
  column("record_time", stamp.record.time);
  column("record_size", stamp.record.size);
  column("labels_time", stamp.labels.time);
  column("labels_size", stamp.labels.size);
  column("name", entry.labels.name);
  column("tags", entry.labels.tags);
  column("note", entry.labels.note);
  column("star", entry.labels.star);
  column("experiment", entry.experiment);
  column("model", entry.work.arch);
  column("classes", entry.work.classes);
  column("source", entry.work.source);
  column("path", entry.work.path);
  column("shape", entry.work.shape);
  column("batch", entry.work.batch);
  column("steps", entry.work.steps);
  column("epochs", entry.work.epochs);
  column("rows", entry.work.rows);
  column("tokens", entry.unit.tokens);
  column("other_samples", entry.unit.others);
  column("status", entry.status);
  column("damaged", entry.damaged);
  column("error", entry.error);
  column("started", entry.started);
  column("finished", entry.finished);
  column("machine", entry.machine);
  column("baseline", entry.baseline);
  column("shown", entry.shown);
}

void columnsOf(auto& column, auto& variant) {
  variantFields(column, variant);
  column("log_mean", variant.per_sample.mean);
  column("log_error", variant.per_sample.squared_error);
  column("log_repeats", variant.per_sample.n);
}

struct ColumnNames {
  std::vector<std::string> names;
  void operator()(const char* name, const auto&) { names.emplace_back(name); }
};

std::vector<std::string> runColumns() {
  ColumnNames columns{{"folder"}};
  const RunStamp stamp;
  const RunEntry entry;
  columnsOf(columns, stamp, entry);
  return columns.names;
}

std::vector<std::string> variantColumns() {
  ColumnNames columns{{"folder", "place"}};
  const VariantEntry variant;
  columnsOf(columns, variant);
  return columns.names;
}

std::string tableSql(const char* table, const std::vector<std::string>& columns, const char* key) {
  return std::string("CREATE TABLE ") + table + " (" + joined(columns, ", ") + ", PRIMARY KEY (" + key + "))";
}
std::string runsSql() { return tableSql("runs", runColumns(), "folder"); }
std::string variantsSql() { return tableSql("variants", variantColumns(), "folder, place"); }

std::string insertSql(const char* table, std::size_t columns) {
  const std::vector<std::string> places(columns, "?");
  return std::string("INSERT OR REPLACE INTO ") + table + " VALUES (" + joined(places, ", ") + ")";
}

/// A prepared statement. One that cannot be prepared does nothing.
class Statement {
 public:
  Statement(sqlite3* database, const std::string& sql) {
    sqlite3_prepare_v2(database, sql.c_str(), static_cast<int>(sql.size()), &m_statement, nullptr);
  }
  ~Statement() { sqlite3_finalize(m_statement); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// Whether there is a row.
  bool step() { return m_statement != nullptr && (m_state = sqlite3_step(m_statement)) == SQLITE_ROW; }
  bool done() const { return m_state == SQLITE_DONE; }
  /// Runs it with what was bound, and makes it ready for the next values.
  bool run() {
    step();
    const bool fine = done();
    sqlite3_reset(m_statement);
    m_next = 1;
    return fine;
  }

  void bind(const std::string& text) {
    sqlite3_bind_text(m_statement, m_next++, text.c_str(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  void bind(std::int64_t number) { sqlite3_bind_int64(m_statement, m_next++, number); }
  void bind(double number) { sqlite3_bind_double(m_statement, m_next++, number); }
  void bindNull() { sqlite3_bind_null(m_statement, m_next++); }

  bool isNull(int column) const { return sqlite3_column_type(m_statement, column) == SQLITE_NULL; }
  std::int64_t number(int column) const { return sqlite3_column_int64(m_statement, column); }
  double real(int column) const { return sqlite3_column_double(m_statement, column); }
  std::string text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
    return bytes == nullptr ? std::string()
                            : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column)));
  }

 private:
  sqlite3_stmt* m_statement = nullptr;
  int m_state = SQLITE_ERROR;
  int m_next = 1;
};

struct Binder {
  Statement& statement;

  void operator()(const char*, const std::string& text) { statement.bind(text); }
  void operator()(const char*, const std::vector<std::string>& texts) { statement.bind(joined(texts, kBetweenTags)); }
  void operator()(const char*, RunStatus status) { statement.bind(toWord(status)); }
  template <class T>
  void operator()(const char* name, const std::optional<T>& value) {
    if (value)
      (*this)(name, *value);
    else
      statement.bindNull();
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(const char*, T number) {
    if constexpr (std::is_floating_point_v<T>)
      statement.bind(static_cast<double>(number));
    else
      statement.bind(static_cast<std::int64_t>(number));
  }
};

struct Loader {
  const Statement& statement;
  int next;

  void operator()(const char*, std::string& text) { text = statement.text(next++); }
  void operator()(const char*, std::vector<std::string>& texts) {
    const std::string all = statement.text(next++);
    const std::vector<std::string_view> parts = partsBetween(all, kBetweenTags);
    texts.assign(parts.begin(), parts.end());
  }
  void operator()(const char*, RunStatus& status) {
    status = fromWord<RunStatus>(statement.text(next++)).value_or(RunStatus::Failed);
  }
  template <class T>
  void operator()(const char* name, std::optional<T>& value) {
    if (statement.isNull(next))
      ++next;
    else
      (*this)(name, value.emplace());
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(const char*, T& number) {
    if constexpr (std::is_floating_point_v<T>)
      number = static_cast<T>(statement.real(next++));
    else
      number = static_cast<T>(statement.number(next++));
  }
};

bool execute(sqlite3* database, const std::string& sql) {
  return sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
}

/// The file may have come with a folder that somebody else made: what a database could run is switched off.
void restrictDatabase(sqlite3* database) {
  constexpr std::pair<int, int> kOptions[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                              {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                              {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                              {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                              {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0}};
  for (const auto& [option, value] : kOptions) sqlite3_db_config(database, option, value, nullptr);
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, kMostBytes);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_busy_timeout(database, kPatience);
  execute(database, "PRAGMA synchronous = OFF; PRAGMA cell_size_check = ON");  // losing it in a crash costs a rebuild
}

/// Whether it has exactly the tables of this version, and nothing else that SQLite would compute with.
bool hasOwnTables(sqlite3* database) {
  Statement version(database, "PRAGMA user_version");
  if (!version.step() || version.number(0) != kVersion) return false;
  std::vector<std::string> found;
  Statement tables(database, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name");
  while (tables.step()) found.push_back(tables.text(0));
  return tables.done() && found == std::vector<std::string>{runsSql(), variantsSql()};
}

bool makeTables(sqlite3* database) {
  return execute(database, "BEGIN; " + runsSql() + "; " + variantsSql() +
                               "; PRAGMA user_version = " + std::to_string(kVersion) + "; COMMIT");
}

/// Without links to folders on the way: SQLite would refuse those as it refuses a link in the place of the file.
std::string indexPath(const std::string& root) {
  std::error_code error;
  const fs::path folder = ownFolder(root, "index");
  const fs::path real = fs::weakly_canonical(folder, error);
  return ((error ? folder : real) / kFileName).string();
}

bool isPlainName(const std::string& name) {
  return !name.empty() && !name.starts_with('.') && name.find('/') == std::string::npos;
}

/// Whether all could be read.
bool loadRuns(sqlite3* database, const std::string& root, IndexedRuns& runs) {
  Statement rows(database, "SELECT " + joined(runColumns(), ", ") + " FROM runs NOT INDEXED");
  while (rows.step()) {
    const std::string name = rows.text(0);
    if (!isPlainName(name)) return false;
    IndexedRun run;
    Loader loader{rows, 1};
    columnsOf(loader, run.stamp, run.entry);
    run.entry.id = name;
    run.entry.folder = (fs::path(root) / name).string();
    runs.emplace(name, std::move(run));
  }
  return rows.done();
}

bool loadVariants(sqlite3* database, IndexedRuns& runs) {
  Statement rows(database, "SELECT " + joined(variantColumns(), ", ") + " FROM variants ORDER BY folder, place");
  while (rows.step()) {
    const auto run = runs.find(rows.text(0));
    if (run == runs.end()) return false;
    Loader loader{rows, 2};
    columnsOf(loader, run->second.entry.variants.emplace_back());
  }
  return rows.done();
}

bool areSound(const IndexedRuns& runs) {
  for (const auto& [name, run] : runs) {
    const auto count = static_cast<int>(run.entry.variants.size());
    if (run.entry.shown < -1 || run.entry.shown >= count) return false;
  }
  return true;
}

}  // namespace

void IndexFile::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

IndexFile::IndexFile(std::string root) : m_root(std::move(root)) {}

/// Null if there is none that can be used.
IndexFile::Database IndexFile::open(const std::string& path, bool make) {
  sqlite3* opened = nullptr;
  const int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | (make ? SQLITE_OPEN_CREATE : 0);
  const bool is_open = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr) == SQLITE_OK;
  Database database(opened);
  if (!is_open) return nullptr;
  restrictDatabase(database.get());
  if (hasOwnTables(database.get())) return database;
  return make && makeTables(database.get()) ? std::move(database) : nullptr;
}

sqlite3* IndexFile::opened(bool make) {
  if (m_database || m_unusable) return m_database.get();
  std::error_code error;
  const std::string path = indexPath(m_root);
  if (fs::exists(path, error)) {
    m_database = open(path, false);
    if (!m_database) fs::remove(path, error);  // damaged, or of another version
  }
  if (m_database || !make) return m_database.get();
  if (makeOwnFolder(m_root, "index").ok()) m_database = open(path, true);
  m_unusable = !m_database;
  return m_database.get();
}

IndexedRuns IndexFile::load() {
  IndexedRuns runs;
  sqlite3* database = opened(false);
  if (database == nullptr) return runs;
  if (loadRuns(database, m_root, runs) && loadVariants(database, runs) && areSound(runs)) return runs;
  m_database.reset();
  std::error_code error;
  fs::remove(indexPath(m_root), error);
  return {};
}

void IndexFile::store(const std::vector<const IndexedRun*>& runs, const std::vector<std::string>& gone) {
  if (runs.empty() && gone.empty()) return;
  sqlite3* database = opened(true);
  if (database == nullptr || !execute(database, "BEGIN IMMEDIATE")) return;
  bool fine = true;
  {
    Statement forget(database, "DELETE FROM runs WHERE folder = ?");
    Statement forget_variants(database, "DELETE FROM variants WHERE folder = ?");
    const auto remove = [&](const std::string& name) {
      for (Statement* statement : {&forget, &forget_variants}) {
        statement->bind(name);
        fine = statement->run() && fine;
      }
    };
    Statement add(database, insertSql("runs", runColumns().size()));
    Statement add_variant(database, insertSql("variants", variantColumns().size()));
    for (const std::string& name : gone) remove(name);
    for (const IndexedRun* run : runs) {
      remove(run->entry.id);
      add.bind(run->entry.id);
      Binder binder{add};
      columnsOf(binder, run->stamp, run->entry);
      fine = add.run() && fine;
      for (std::size_t i = 0; i < run->entry.variants.size(); ++i) {
        add_variant.bind(run->entry.id);
        add_variant.bind(static_cast<std::int64_t>(i));
        Binder variant_binder{add_variant};
        columnsOf(variant_binder, run->entry.variants[i]);
        fine = add_variant.run() && fine;
      }
    }
  }
  execute(database, fine ? "COMMIT" : "ROLLBACK");
}

}  // namespace lanelab
