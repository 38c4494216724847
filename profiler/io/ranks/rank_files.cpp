// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/ranks/rank_files.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <utility>

#include "base/parse_number.h"
#include "base/text.h"
#include "profiler/io/import/import_folder.h"
#include "profiler/io/import/trace_import.h"
#include "profiler/io/ranks/joined_ranks.h"
#include "profiler/io/ranks/rank_clocks.h"
#include "profiler/trace/process_rank.h"
#include "profiler/trace/profiler_step.h"

namespace lanelab {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNumerals = "0123456789";

/// Texts and numbers by turns, so that rank 10 follows rank 9.
std::vector<std::pair<std::string, std::int64_t>> naturalKey(const std::string& text) {
  std::vector<std::pair<std::string, std::int64_t>> key;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t number = std::min(text.find_first_of(kNumerals, at), text.size());
    const std::size_t end = std::min(text.find_first_not_of(kNumerals, number), text.size());
    key.emplace_back(text.substr(at, number - at),
                     parseNumber<std::int64_t>(std::string_view(text).substr(number, end - number)).value_or(-1));
    at = end;
  }
  return key;
}

bool isNamedAsTrace(const std::string& name) {
  constexpr std::string_view kEnds[] = {".json",           ".json.gz", ".pftrace",          ".pftrace.gz",
                                        ".perfetto-trace", ".sqlite",  ".perfetto-trace.gz"};
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); });
}

std::vector<std::string> filesIn(const std::string& folder) {
  if (holdsImport(folder)) return {importedTracePath(folder)};
  std::vector<std::string> files;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (entry.is_regular_file(ignored) && isNamedAsTrace(entry.path().filename().string()))
      files.push_back(entry.path().string());
  std::ranges::sort(files, {}, naturalKey);
  return files;
}

/// What was read of one file.
struct ReadFile {
  std::string path;
  std::shared_ptr<const ImportedTrace> trace;
  std::optional<int> rank;
};

/// 3 of "rank 3".
std::optional<int> numberOfRank(std::string_view rank) {
  constexpr std::string_view kWord = "rank ";
  return rank.starts_with(kWord) ? parseNumber<int>(rank.substr(kWord.size())) : std::nullopt;
}

std::optional<int> rankOfProcesses(const ImportedTrace& imported) {
  std::set<std::string> ranks;
  for (const ImportedProcess& process : imported.processes)
    if (std::string rank = rankOf(process); !rank.empty()) ranks.insert(std::move(rank));
  return ranks.size() == 1 ? numberOfRank(*ranks.begin()) : std::nullopt;
}

std::optional<int> rankOfFile(const ReadFile& file) {
  if (file.trace->rank.rank) return file.trace->rank.rank;
  if (const auto rank = rankOfFileName(file.path)) return rank;
  return rankOfProcesses(*file.trace);
}

std::string fileName(const std::string& path) { return fs::path(path).filename().string(); }

std::vector<std::string> numberTexts(const std::set<int>& numbers) {
  constexpr std::size_t kMost = 20;
  std::vector<std::string> texts;
  for (const int number : numbers) {
    if (texts.size() == kMost) {
      texts.push_back(std::to_string(numbers.size() - kMost) + " more");
      break;
    }
    texts.push_back(std::to_string(number));
  }
  return texts;
}

/// Where no file says its rank, all are numbered in their order; a file without a rank among others is left out, as is
/// a second one of a rank.
void setRanks(std::vector<ReadFile>& files, std::vector<std::string>& remarks) {
  const bool any = std::ranges::any_of(files, [](const ReadFile& file) { return file.rank.has_value(); });
  if (!any) {
    for (std::size_t i = 0; i < files.size(); ++i) files[i].rank = static_cast<int>(i);
    remarks.push_back("No file says its rank, so they are numbered in the order of their names.");
  }
  std::map<int, std::string> taken;
  std::erase_if(files, [&](const ReadFile& file) {
    if (!file.rank) {
      remarks.push_back(fileName(file.path) +
                        " says no rank, while others do, and is left out. Write it into its name, as in rank3.json.");
      return true;
    }
    const auto [first, is_new] = taken.try_emplace(*file.rank, fileName(file.path));
    if (!is_new)
      remarks.push_back(fileName(file.path) + " is of rank " + std::to_string(*file.rank) + " as " + first->second +
                        " is, and is left out. Import it into a folder of its own.");
    return !is_new;
  });
  std::ranges::stable_sort(files, {}, [](const ReadFile& file) { return *file.rank; });
}

std::set<int> stepsOf(const Trace& trace) {
  std::set<int> steps;
  for (const std::string& name : trace.names)
    if (const auto step = profilerStepOf(name)) steps.insert(*step);
  if (steps.empty())
    for (const StepWindow& window : stepWindows(trace)) steps.insert(window.step);
  return steps;
}

void noteMissing(const std::vector<ReadFile>& files, std::vector<std::string>& remarks) {
  std::optional<int> size;
  std::set<int> missing;
  for (const ReadFile& file : files)
    if (file.trace->rank.world_size) size = std::max(size.value_or(0), *file.trace->rank.world_size);
  if (!size) return;
  for (int rank = 0; rank < *size; ++rank) missing.insert(rank);
  for (const ReadFile& file : files) missing.erase(*file.rank);
  if (missing.empty()) return;
  const bool one = missing.size() == 1;
  remarks.push_back("Of the " + std::to_string(*size) + " ranks of the job " + (one ? "rank " : "ranks ") +
                    joinAnd(numberTexts(missing)) + (one ? " is" : " are") + " missing.");
}

/// Against the steps that most ranks have.
void noteOtherSteps(const std::vector<ReadFile>& files, std::vector<std::string>& remarks) {
  std::map<std::set<int>, std::size_t> counts;
  std::vector<std::set<int>> steps;
  for (const ReadFile& file : files) ++counts[steps.emplace_back(stepsOf(*file.trace->trace))];
  const auto usual = std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (steps[i] == usual->first) continue;
    const auto text = [](const std::set<int>& some) {
      return some.empty() ? std::string("no steps")
                          : (some.size() == 1 ? "step " : "steps ") + joinAnd(numberTexts(some));
    };
    remarks.push_back("Rank " + std::to_string(*files[i].rank) + " recorded " + text(steps[i]) + ", others " +
                      text(usual->first) + ".");
  }
}

void noteClocks(const std::vector<JoinedRank>& ranks, std::vector<std::string>& remarks) {
  std::set<int> unknown;
  for (const JoinedRank& rank : ranks)
    if (rank.clock == JoinedRank::Clock::Unknown) unknown.insert(rank.rank);
  if (unknown.empty()) return;
  const bool one = unknown.size() == 1;
  remarks.push_back(
      std::string(one ? "Rank " : "Ranks ") + joinAnd(numberTexts(unknown)) + (one ? " shares" : " share") +
      " neither collectives nor enough sends and receives with the others, and no file says when its clock "
      "began. Times of different ranks do not compare.");
}

constexpr std::size_t kMostReaders = 8;  ///< files at a time, since each takes the memory of its trace

/// Of parts that are done at the same time, which count alike.
class SharedProgress {
 public:
  SharedProgress(ReportProgress whole, std::size_t parts) : m_whole(std::move(whole)), m_shares(parts, 0.0) {}

  ReportProgress ofPart(std::size_t part) {
    if (!m_whole) return {};
    return [this, part](const Progress& progress) {
      constexpr double kUnits = 1000;
      const std::lock_guard lock(m_mutex);
      m_shares[part] = std::max(m_shares[part], progress.share());
      const double done = std::accumulate(m_shares.begin(), m_shares.end(), 0.0);
      m_whole({progress.phase, static_cast<std::int64_t>(done * kUnits),
               static_cast<std::int64_t>(static_cast<double>(m_shares.size()) * kUnits)});
    };
  }

 private:
  std::mutex m_mutex;
  ReportProgress m_whole;
  std::vector<double> m_shares;
};

class RankImport {
 public:
  RankImport(const std::vector<std::string>& places, const ImportLimits& limits) : m_limits(limits) {
    for (const std::string& place : places) {
      std::error_code ignored;
      m_folders = m_folders || fs::is_directory(place, ignored);
    }
    m_paths = traceFilesOf(places);
    m_places = places;
  }

  ReadImport run() {
    if (m_paths.empty())
      return Error::badInput(
          "{} holds no trace files. Choose a folder with the traces of a job's ranks (.json, .json.gz, .pftrace, "
          ".sqlite), or the files themselves.",
          joinAnd(m_places));
    if (m_paths.size() == 1) return importTrace(m_paths.front(), m_limits);
    if (const Status read = readAll(); !read.ok()) return read.error();
    if (m_files.size() == 1) return m_files.front().trace;
    return joined();
  }

 private:
  Status readAll() {
    std::vector<ReadImport> reads = readInParallel();
    std::optional<Error> first;
    for (std::size_t i = 0; i < m_paths.size(); ++i) {
      if (reads[i].ok()) {
        m_files.push_back({m_paths[i], *reads[i], std::nullopt});
        m_files.back().rank = rankOfFile(m_files.back());
        continue;
      }
      if (!m_folders || reads[i].error().kind == Error::Kind::Cancelled) return reads[i].error();
      if (!first) first = reads[i].error();
      m_remarks.push_back(fileName(m_paths[i]) + " holds no trace and is left out.");
    }
    if (m_files.empty()) return *first;
    return {};
  }

  /// Each core reads one file after the other.
  std::vector<ReadImport> readInParallel() const {
    std::vector<ReadImport> reads(m_paths.size(), ReadImport(std::shared_ptr<const ImportedTrace>()));
    SharedProgress progress(m_limits.report, m_paths.size());
    std::atomic<std::size_t> next{0};
    const bool any_rank =
        std::ranges::any_of(m_paths, [](const std::string& path) { return rankOfFileName(path).has_value(); });
    const auto read = [&] {
      for (std::size_t i = next++; i < m_paths.size(); i = next++) {
        ImportLimits limits = m_limits;
        limits.report = progress.ofPart(i);
        limits.rank = any_rank ? rankOfFileName(m_paths[i]) : std::optional(static_cast<int>(i));
        reads[i] = importTrace(m_paths[i], limits);
      }
    };
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < std::min({cores, kMostReaders, m_paths.size()}); ++i) threads.emplace_back(read);
    read();
    return reads;
  }

  ReadImport joined() {
    setRanks(m_files, m_remarks);
    if (m_files.size() == 1) return m_files.front().trace;
    noteMissing(m_files, m_remarks);
    noteOtherSteps(m_files, m_remarks);
    std::vector<std::shared_ptr<const ImportedTrace>> traces;
    for (const ReadFile& file : m_files) traces.push_back(file.trace);
    const std::vector<RankClock> clocks = clocksOf(traces);
    std::vector<RankPart> parts;
    for (std::size_t i = 0; i < m_files.size(); ++i)
      parts.push_back({m_files[i].trace,
                       {*m_files[i].rank, fileName(m_files[i].path), clocks[i].clock, clocks[i].offset,
                        clocks[i].residual, clocks[i].shared}});
    m_files.clear();
    traces.clear();
    ImportedTrace trace = joinRanks(parts);
    noteClocks(trace.ranks, m_remarks);
    std::ranges::move(m_remarks, std::back_inserter(trace.counts.remarks));
    return std::make_shared<const ImportedTrace>(std::move(trace));
  }

  const ImportLimits& m_limits;
  std::vector<std::string> m_places, m_paths;
  bool m_folders = false;  ///< other files in them are left out
  std::vector<ReadFile> m_files;
  std::vector<std::string> m_remarks;
};

}  // namespace

std::vector<std::string> traceFilesOf(const std::vector<std::string>& places) {
  std::vector<std::string> files;
  for (const std::string& place : places) {
    std::error_code ignored;
    if (fs::is_directory(place, ignored)) {
      std::ranges::move(filesIn(place), std::back_inserter(files));
    } else {
      files.push_back(place);
    }
  }
  return files;
}

std::optional<int> rankOfFileName(const std::string& path) {
  const std::string name = smallLetters(fileName(path));
  if (const std::string rank = rankIn(name); rank.starts_with("rank ")) return numberOfRank(rank);
  // "pp_r3.json": the letter alone, between other characters than letters.
  for (std::size_t at = name.find('r'); at != std::string::npos; at = name.find('r', at + 1)) {
    const bool begins = at == 0 || std::string_view("_-. ").find(name[at - 1]) != std::string_view::npos;
    const std::size_t end = std::min(name.find_first_not_of(kNumerals, at + 1), name.size());
    if (!begins || end == at + 1) continue;
    if (end < name.size() && std::string_view("_-. ").find(name[end]) == std::string_view::npos) continue;
    return parseNumber<int>(std::string_view(name).substr(at + 1, end - at - 1));
  }
  return std::nullopt;
}

ReadImport importRanks(const std::vector<std::string>& places, const ImportLimits& limits) {
  return RankImport(places, limits).run();
}

ReadImport importRanksByEnvironment(const std::vector<std::string>& places, const WorkControl& control) {
  ImportLimits limits{.stop = control.stop, .report = control.report};
  if (const Status known = readEnvironment(limits); !known.ok()) return known.error();
  return importRanks(places, limits);
}

}  // namespace lanelab
