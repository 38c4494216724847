// SPDX-License-Identifier: GPL-3.0-only
// A Llama with all its weights on disk: ours against accelerate's disk_offload, on the same numbers, turn by turn.
#include <ATen/Parallel.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/text.h"
#include "engine/torch/inference/inference.h"
#include "tests/bench/benches.h"
#include "tests/bench/peer_process.h"
#include "tests/support/temporary_folder.h"

namespace lanelab::bench {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> largeFilesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.file_size() > 100'000) files.push_back(entry.path());
  return files;
}

/// Asks the system to forget what it has of a file in memory, and says which share of it stayed all the same.
double forget(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw std::runtime_error(path.string() + " cannot be opened");
  ::fsync(fd);
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  const auto bytes = static_cast<std::size_t>(fs::file_size(path)),
             page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> in_memory((bytes + page - 1) / page);
  void* const data = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd, 0);
  ::close(fd);
  if (data == MAP_FAILED) throw std::runtime_error(path.string() + " cannot be mapped");
  ::mincore(data, bytes, in_memory.data());
  ::munmap(data, bytes);
  return static_cast<double>(
             std::count_if(in_memory.begin(), in_memory.end(), [](unsigned char flags) { return flags & 1; })) /
         static_cast<double>(in_memory.size());
}

LlamaConfig configIn(const fs::path& folder) {
  std::ifstream file(folder / "config.json");
  const auto config = parseLlamaConfig(std::string(std::istreambuf_iterator<char>(file), {}), "config.json");
  if (!config.ok()) throw std::runtime_error(config.error().message);
  return *config;
}

class Contest {
 public:
  Contest(const OffloadWorkload& workload, const std::string& python)
      : m_workload(workload),
        m_folder(workload.folder.empty() ? fs::temp_directory_path() : fs::path(workload.folder)),
        m_peer({python, peerScript("accelerate_peer"), m_folder.path(), "--layers", std::to_string(workload.layers),
                "--tokens", std::to_string(workload.tokens), "--generate", std::to_string(workload.generate),
                "--threads", std::to_string(workload.threads)}) {
    m_peer.ask("ready");
  }

  /// Both once, for a prompt or for generation, with the files in memory or not.
  void round(bool generate, bool cold, Series& theirs, Series& ours) {
    if (cold) forgetAll();
    theirs.seconds.push_back(std::stod(m_peer.ask(generate ? "generate" : "prompt")));
    if (cold) forgetAll();
    ours.seconds.push_back(infer(generate));
  }
  double stayed() const { return m_stayed; }
  double offloadedBytes() const { return m_offloaded; }

 private:
  void forgetAll() {
    for (const fs::path& path : largeFilesIn(m_folder.path())) m_stayed = std::max(m_stayed, forget(path));
  }

  double infer(bool generate) {
    const fs::path folder = m_folder.path();
    LlamaQuestion question;
    question.config = configIn(folder);
    question.weights = (folder / "model.safetensors").string();
    question.map.places[""] = {MapDevice::Kind::Disk, 0};
    question.generate = generate ? m_workload.generate : 0;
    const auto report =
        inferLlama(question, (folder / (generate ? "start.safetensors" : "prompt.safetensors")).string(),
                   (folder / "out.safetensors").string());
    if (!report.ok()) throw std::runtime_error(report.error().message);
    m_offloaded = static_cast<double>(report->offloaded_bytes);
    return report->seconds;
  }

  OffloadWorkload m_workload;
  test::TemporaryFolder m_folder;
  PeerProcess m_peer;
  double m_stayed = 0, m_offloaded = 0;
};

/// "2.31 times as fast (median; 2.20 to 2.45 over 7 rounds)".
std::string ratioText(const Series& theirs, const Series& ours) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours.seconds.size(); ++i) ratios.push_back(theirs.seconds[i] / ours.seconds[i]);
  const Series sorted{"", ratios};
  return formatNumber(sorted.median()) + " times as fast (median; " +
         formatNumber(*std::min_element(ratios.begin(), ratios.end())) + " to " +
         formatNumber(*std::max_element(ratios.begin(), ratios.end())) + " over " + std::to_string(ratios.size()) +
         " rounds)";
}

}  // namespace

nlohmann::json benchOffload(const OffloadWorkload& workload, const std::string& python, bool print) {
  at::set_num_threads(workload.threads);
  Contest contest(workload, python);
  std::vector<Series> series;
  for (const char* const cache : {"files in memory", "files forgotten"}) {
    for (const std::string& work : {std::to_string(workload.tokens) + " tokens at once",
                                    std::to_string(workload.generate) + " tokens generated"}) {
      for (const char* const who : {"accelerate, ", "LaneLab, "}) series.push_back({who + work + ", " + cache, {}});
    }
  }
  for (int round = -1; round < workload.rounds; ++round) {
    for (std::size_t i = 0; i < series.size(); i += 2) {
      Series first, second;  // the first round warms up
      contest.round(i % 4 == 2, i >= 4, round < 0 ? first : series[i], round < 0 ? second : series[i + 1]);
    }
  }
  if (print) {
    std::printf(
        "A Llama with %s of fp32 weights on disk, %d computing thread(s) each and LaneLab's fetching thread, turn by "
        "turn\n",
        formatBytes(static_cast<std::int64_t>(contest.offloadedBytes())).c_str(), workload.threads);
    for (std::size_t i = 0; i < series.size(); i += 2) {
      printTable(series[i].name.substr(std::string("accelerate, ").size()),
                 {{"accelerate", series[i].seconds}, {"LaneLab", series[i + 1].seconds}});
      std::printf("LaneLab is %s\n", ratioText(series[i], series[i + 1]).c_str());
    }
    if (contest.stayed() > 0)
      std::printf("Up to %s of a file stayed in memory although the system was asked to forget it.\n",
                  formatPercent(contest.stayed()).c_str());
  }
  return toJson(series);
}

}  // namespace lanelab::bench
