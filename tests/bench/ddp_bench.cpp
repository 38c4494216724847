// Replicas on two lanes of one process against DistributedDataParallel over gloo in two processes: same network, batch, buckets, threads and cores.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/dist/run_processes.h"
#include "engine/run/statistics.h"
#include "engine/torch/torch_executor.h"
#include "tests/bench/benches.h"
#include "tests/bench/peer_process.h"

namespace lanelab::bench {
namespace {

/// Both in one layout of the tensors in memory.
class Pair {
 public:
  Pair(Workload workload, const std::string& layout, Executor& executor, const std::string& python)
      : series{{"DistributedDataParallel, " + layout, {}}, {"LaneLab, " + layout, {}}}, m_peer(commandOf(workload, layout, python)),
        m_ours(series[1].name, executor, experimentOf(workload, layout), variant()) {}

  void round(bool counts) {
    const double theirs = std::stod(m_peer.ask("go")), ours = secondsOfOurs();
    if (!counts) return;
    series[0].seconds.push_back(theirs);
    series[1].seconds.push_back(ours);
  }

  std::vector<Series> series;  ///< theirs, ours

 private:
  static std::vector<std::string> commandOf(const Workload& w, const std::string& layout, const std::string& python) {
    return {python, LANELAB_SOURCE_DIR "/tests/bench/ddp_peer.py", "--arch", w.arch, "--image", std::to_string(w.image), "--batch", std::to_string(w.batch),
            "--steps", std::to_string(w.steps), "--layout", layout};
  }
  /// One step more, as the peer does: the first of a round has all gradients in one bucket.
  static Experiment experimentOf(Workload workload, const std::string& layout) {
    workload.layout = layout;
    ++workload.steps;
    return workload.experiment();
  }
  static VariantConfig variant() {
    VariantConfig variant;
    variant.name = "ddp";
    variant.strategy = "ddp";
    return variant;
  }
  double secondsOfOurs() {
    std::vector<double> seconds = m_ours.runSteps();
    seconds.erase(seconds.begin());
    return medianOf(seconds);
  }

  PeerProcess m_peer;
  Contestant m_ours;
};

}  // namespace

nlohmann::json benchDdp(const Workload& workload, const std::string& python, bool print) {
  const auto executor = makeTorchExecutor(peersOfLanes());
  std::vector<std::unique_ptr<Pair>> pairs;
  for (const char* const layout : {"contiguous", "channels_last"}) pairs.push_back(std::make_unique<Pair>(workload, layout, *executor, python));
  for (int round = -1; round < workload.rounds; ++round) {
    for (const auto& pair : pairs) pair->round(round >= 0);  // the first warms up
  }
  if (print) {
    std::printf("%s, %d px, batch %d over two replicas of one thread on the same cores, medians of %d steps a round, %d interleaved rounds\n", workload.arch.c_str(),
                workload.image, workload.batch, workload.steps, workload.rounds);
  }
  std::vector<Series> all;
  for (const auto& pair : pairs) {
    if (print) {
      printTable("", pair->series);
      std::printf("LaneLab on two lanes of a process against two processes: %s\n", compareTimes(pair->series[0].seconds, pair->series[1].seconds).verdict.c_str());
    }
    all.insert(all.end(), pair->series.begin(), pair->series.end());
  }
  return toJson(all);
}

}  // namespace lanelab::bench
