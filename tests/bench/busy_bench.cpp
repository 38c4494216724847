// SPDX-License-Identifier: GPL-3.0-only
// Two lanes, and PyTorch in one process of two threads, each alone and beside processes that compute without end.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/record/statistics.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/bench/benches.h"
#include "tests/bench/peer_process.h"

namespace lanelab::bench {
namespace {

/// A process that computes until it is destroyed, on whatever core the system gives it.
class BusyProcess {
 public:
  BusyProcess() : m_pid(::fork()) {
    if (m_pid < 0) throw std::runtime_error("a busy process could not be started");
    if (m_pid > 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // it may not outlive a benchmark that is stopped
    for (std::atomic<unsigned> n{0};; ++n) {
    }
  }
  ~BusyProcess() {
    ::kill(m_pid, SIGKILL);
    ::waitpid(m_pid, nullptr, 0);
  }
  BusyProcess(const BusyProcess&) = delete;
  BusyProcess& operator=(const BusyProcess&) = delete;

 private:
  pid_t m_pid;
};

/// Steps of one contestant, alone and beside the busy processes.
struct Disturbed {
  std::string name;
  std::vector<double> alone, beside;

  double slowdown() const { return summarise(beside).median / summarise(alone).median; }
};

/// Half the 95 % interval of the mean, in percent of it.
double halfWidth(const std::vector<double>& seconds) {
  const Summary summary = summarise(seconds);
  return summary.ci95 ? 50 * (summary.ci95->high - summary.ci95->low) / summary.mean : 0;
}

void add(std::vector<double>& all, const std::vector<double>& more) { all.insert(all.end(), more.begin(), more.end()); }

std::vector<double> ask(PeerProcess& peer, int steps) {
  std::vector<double> seconds;
  for (int step = 0; step < steps; ++step) seconds.push_back(std::stod(peer.ask("go")));
  return seconds;
}

nlohmann::json rowOf(const Disturbed& one) {
  return {{"name", one.name},
          {"alone_seconds", one.alone},
          {"beside_seconds", one.beside},
          {"slowdown", one.slowdown()},
          {"alone_half_width_percent", halfWidth(one.alone)},
          {"beside_half_width_percent", halfWidth(one.beside)}};
}

}  // namespace

nlohmann::json benchBusy(const Workload& workload, int processes, const std::string& python, bool print) {
  const auto executor = makeTorchExecutor();
  const VariantConfig lanes = workload.twoLanes();
  Contestant ours(lanes.name, *executor, workload.experiment(), lanes);
  PeerProcess peer({python, peerScript("single_peer"), "--arch", workload.arch, "--image",
                    std::to_string(workload.image), "--batch", std::to_string(workload.batch), "--steps", "1",
                    "--threads", "2", "--layout", "channels_last"});
  ours.runSteps();
  peer.ask("go");
  std::vector<Disturbed> all{{"LaneLab, " + lanes.name, {}, {}}, {"PyTorch eager, two threads", {}, {}}};
  const auto measure = [&](std::vector<double> Disturbed::*into) {
    add(all[0].*into, ours.runSteps());
    add(all[1].*into, ask(peer, workload.steps));
  };
  for (int round = 0; round < workload.rounds; ++round) {
    measure(&Disturbed::alone);
    std::vector<std::unique_ptr<BusyProcess>> busy;
    for (int i = 0; i < processes; ++i) busy.push_back(std::make_unique<BusyProcess>());
    measure(&Disturbed::beside);
  }
  nlohmann::json rows = nlohmann::json::array();
  for (const Disturbed& one : all) rows.push_back(rowOf(one));
  if (!print) return rows;
  std::printf(
      "%s, %d px, batch %d, %d busy process(es), rounds in turns; median s, half of the mean's 95 %% interval\n",
      workload.arch.c_str(), workload.image, workload.batch, processes);
  for (const Disturbed& one : all)
    std::printf("%-44s alone %.4f (%.1f %%)   beside %.4f (%.1f %%)   %.2f times as long\n", one.name.c_str(),
                summarise(one.alone).median, halfWidth(one.alone), summarise(one.beside).median, halfWidth(one.beside),
                one.slowdown());
  return rows;
}

}  // namespace lanelab::bench
