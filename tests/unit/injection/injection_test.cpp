// SPDX-License-Identifier: GPL-3.0-only
// Hostile names through every output that is made without Qt; each output is read back by a strict reader.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/terminal_text.h"
#include "base/text.h"
#include "base/utf8.h"
#include "engine/advise/sweep.h"
#include "engine/placement/map_lookup.h"
#include "engine/placement/map_table.h"
#include "engine/record/run_store.h"
#include "engine/record/run_tables.h"
#include "engine/report/comparison_text.h"
#include "engine/report/run_notes.h"
#include "profiler/analysis/aligned_runs.h"
#include "profiler/io/import/import_folder.h"
#include "profiler/io/tables/causes_json.h"
#include "profiler/io/tables/csv_tables.h"
#include "profiler/io/tables/gap_tables.h"
#include "tests/support/resolved.h"
#include "tests/support/written_trace.h"
#include "tests/unit/injection/csv_cells.h"
#include "tests/unit/injection/hostile_names.h"
#include "tests/unit/injection/html_tags.h"
#include "tests/unit/injection/named_world.h"
#include "tests/unit/io/perfetto_decoder.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;

const std::string kHarmless = "harmless";

/// What a failure shows of a name.
std::string shown(const std::string& name) {
  return nlohmann::json(name.substr(0, 60)).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

MapTable mapNamed(const std::string& name) {
  MapTable table;
  table.entries = {{name, name, {MapDevice::Kind::Cpu, 0}, 100}};
  return table;
}

DeviceMap placesNamed(const std::string& name) {
  DeviceMap map;
  map.places[name] = {MapDevice::Kind::Gpu, 0};
  return map;
}

using Output = std::pair<const char*, std::function<std::string(const std::string&)>>;

const std::vector<Output>& tables() {
  static const std::vector<Output> all = {
      {"samples", [](const std::string& name) { return samplesCsv(recordNamed(name)); }},
      {"steps", [](const std::string& name) { return stepsCsv(recordNamed(name)); }},
      {"epochs", [](const std::string& name) { return epochsCsv(recordNamed(name)); }},
      {"lanes", [](const std::string& name) { return lanesCsv(recordNamed(name)); }},
      {"comparison", [](const std::string& name) { return comparisonCsv(recordNamed(name)); }},
      {"sweep", [](const std::string& name) { return sweepCsv(sweepPoints(recordNamed(name))); }},
      {"bookmarks", [](const std::string& name) { return bookmarksCsv(bookmarksNamed(name), traceNamed(name)); }},
      {"device map", [](const std::string& name) { return mapCsv(mapNamed(name)); }},
      {"spans", [](const std::string& name) { return spanTableCsv(importNamed(name)); }},
      {"gaps", [](const std::string& name) { return gapTableCsv(traceNamed(name), explainIdle(traceNamed(name)), 0); }},
      {"aligned",
       [](const std::string& name) { return alignedCsv(alignRuns(traceNamed(name), traceNamed(name)).cells); }},
  };
  return all;
}

const std::vector<Output>& jsonTexts() {
  static const std::vector<Output> all = {
      {"experiment", [](const std::string& name) { return toJson(recordNamed(name).experiment); }},
      {"record", [](const std::string& name) { return toJson(recordNamed(name)); }},
      {"bookmarks", [](const std::string& name) { return toJson(bookmarksNamed(name)); }},
      {"places", [](const std::string& name) { return placesJson(placesNamed(name)); }},
      {"device map", [](const std::string& name) { return deviceMapJson(placesNamed(name), {}); }},
      {"causes",
       [](const std::string& name) { return causesJson(traceNamed(name), explainIdle(traceNamed(name)), 0, ""); }},
      {"import summary", [](const std::string& name) { return importSummaryJson(importNamed(name)); }},
      {"trace", [](const std::string& name) { return toChromeJson(traceNamed(name)); }},
      {"imported trace", [](const std::string& name) { return toChromeJson(importNamed(name)); }},
  };
  return all;
}

bool beginsFormula(const std::string& cell) {
  const std::size_t begin = cell.find_first_not_of(' ');
  return begin != std::string::npos && std::string_view("=+-@\t\r\n").find(cell[begin]) != std::string_view::npos;
}

TEST(Injection, TheReportHasNoElementAndNoAttributeThatItsTemplateLacks) {
  const HtmlTags expected = tagsOf(htmlReport(recordNamed(kHarmless), figuresNamed(kHarmless)));
  ASSERT_EQ(expected.fault, "");
  ASSERT_GT(expected.tags.size(), 100u);
  for (const std::string& name : hostileNames()) {
    const HtmlTags found = tagsOf(htmlReport(recordNamed(name), figuresNamed(name)));
    EXPECT_EQ(found.fault, "") << shown(name);
    EXPECT_EQ(found.tags, expected.tags) << shown(name);
  }
}

TEST(Injection, TablesHoldTheSameCellsAndNoFormula) {
  for (const auto& [what, table] : tables()) {
    const CsvCells expected = cellsOf(table(kHarmless));
    ASSERT_EQ(expected.fault, "") << what;
    for (const std::string& name : hostileNames()) {
      const CsvCells found = cellsOf(table(name));
      EXPECT_EQ(found.fault, "") << what << " with " << shown(name);
      ASSERT_EQ(found.rows.size(), expected.rows.size()) << what << " with " << shown(name);
      for (std::size_t row = 0; row < found.rows.size(); ++row)
        for (std::size_t cell = 0; cell < found.rows[row].size(); ++cell)
          EXPECT_TRUE(found.rows[row][cell] == expected.rows[row].at(cell) || !beginsFormula(found.rows[row][cell]))
              << what << " with " << shown(name) << ": " << shown(found.rows[row][cell]);
    }
  }
}

TEST(Injection, JsonIsStrict) {
  for (const auto& [what, text] : jsonTexts())
    for (const std::string& name : hostileNames())
      EXPECT_TRUE(nlohmann::json::accept(text(name))) << what << " with " << shown(name);
}

TEST(Injection, JsonOfAnEmptyTraceIsStrict) {
  EXPECT_TRUE(nlohmann::json::accept(causesJson({}, explainIdle(Trace{}), 0, "")));
  EXPECT_TRUE(nlohmann::json::accept(toChromeJson(Trace{})));
}

TEST(Injection, NamesInARecordReadBack) {
  for (const std::string& name : hostileNames()) {
    const Result<RunRecord> back = parseRunRecord(toJson(recordNamed(name)), "run.json");
    ASSERT_TRUE(back.ok()) << shown(name) << ": " << back.error().message;
    if (validUtf8(name) != name) continue;
    EXPECT_EQ(back->experiment.name, name) << shown(name);
    EXPECT_EQ(back->variants.front().name, name) << shown(name);
  }
}

TEST(Injection, PerfettoTracesKeepTheirRules) {
  for (const std::string& name : hostileNames()) {
    const PerfettoTrace trace = decodePerfetto(toPerfetto(importNamed(name)));
    EXPECT_EQ(trace.fault, "") << shown(name);
    ASSERT_FALSE(trace.slices.empty()) << shown(name);
    for (const PerfettoSlice& slice : trace.slices) EXPECT_EQ(slice.name, validUtf8(name));
  }
}

std::string printed(const std::vector<std::string>& texts) {
  std::ostringstream out;
  {
    const TerminalStream escaping(out);
    for (const std::string& text : texts) out << text;
  }
  return out.str();
}

/// Tables in text form, whose rows a name must not break.
std::vector<std::string> textTables(const std::string& name) {
  const RunRecord record = recordNamed(name);
  return {comparisonTable(record), memoryTable(record)};
}

TEST(Injection, ATerminalGetsNoControlCharacter) {
  for (const std::string& name : hostileNames()) {
    std::vector<std::string> texts = textTables(name);
    texts.push_back(headline(recordNamed(name)).message);
    using enum RunNote::Kind;
    for (std::string& note : noteSentences(runNotes(recordNamed(name)), {Suggestion, Modes, Statistics}))
      texts.push_back(std::move(note));
    for (const ExperimentProblem& problem : test::problemsIn(recordNamed(name).experiment))
      texts.push_back(problem.where + problem.message);
    for (const TableRows& rows : {gapRows(traceNamed(name), explainIdle(traceNamed(name)), 9, std::nullopt, 0)})
      for (const auto& row : rows) texts.insert(texts.end(), row.begin(), row.end());
    const std::string text = printed(texts);
    for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(firstCharacter(rest).bytes)) {
      const Character first = firstCharacter(rest);
      const bool blank = first.code == '\n' || first.code == '\t';
      ASSERT_TRUE(first.valid && (blank || !isControl(first.code)) && !isBidiOverride(first.code)) << shown(name);
    }
  }
}

TEST(Injection, TextTablesKeepTheirRows) {
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  for (const std::string& name : hostileNames()) {
    const std::vector<std::string> expected = textTables(kHarmless), found = textTables(name);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(lines(found[i]), lines(expected[i])) << shown(name);
  }
}

TEST(Injection, FilesLieInTheRunFolderUnderShortNames) {
  TemporaryFolder temporary;
  std::vector<std::string> names = hostileNames();
  names.push_back(std::string(10'000, 'n'));
  names.push_back("通" + std::string(10'000, 'n') + "道");
  for (const std::string& name : names) {
    const std::string file = slug(name);
    EXPECT_LE(file.size(), 80u) << shown(name);
    EXPECT_EQ(file.find_first_of(std::string_view("/\0", 2)), std::string::npos) << shown(name);
    EXPECT_NE(file.front(), '.') << shown(name);
    for (std::string_view rest = file; !rest.empty(); rest.remove_prefix(firstCharacter(rest).bytes)) {
      const Character first = firstCharacter(rest);
      ASSERT_TRUE(first.valid && !isControl(first.code) && !isBidiMark(first.code) && !isNonCharacter(first.code))
          << shown(name);
    }
    Result<RunFolder> folder = RunFolder::create(defaultRunPath(temporary.path(), name));
    ASSERT_TRUE(folder.ok()) << shown(name) << ": " << folder.error().message;
    EXPECT_EQ(fs::path(folder->path()).parent_path(), fs::path(temporary.path())) << shown(name);
    for (const std::string& path : {folder->tracePath(name), folder->liveTracePath(name), folder->weightsPath(name),
                                    folder->checkpointPath(name)}) {
      EXPECT_EQ(fs::path(path).parent_path(), fs::path(folder->path())) << shown(name);
      EXPECT_TRUE(std::ofstream(path) << "x") << shown(name);
    }
  }
}

TEST(Injection, LongNamesThatDifferGetFilesThatDiffer) {
  std::set<std::string> files;
  for (int i = 0; i < 1000; ++i) files.insert(slug(std::string(200, 'a') + std::to_string(i)));
  EXPECT_EQ(files.size(), 1000u);
}

}  // namespace
}  // namespace lanelab
