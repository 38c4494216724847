// SPDX-License-Identifier: GPL-3.0-only
// What the benchmarks share: series of seconds from interleaved rounds, and how they are printed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/lanes/executor.h"
#include "engine/record/recording_cost.h"

namespace lanelab::bench {

/// Seconds of one contestant, a round each.
struct Series {
  std::string name;
  std::vector<double> seconds;

  double min() const;
  double median() const;
};

/// What the pipeline benchmarks train.
struct Workload {
  std::string arch = "resnet50";
  std::string file;  ///< an exported network in place of `arch`; its own file has the sizes of a sample
  int image = 64;
  int batch = 64;
  int micro_batches = 8;
  std::string schedule = "1f1b";
  Layout layout = Layout::ChannelsLast;
  std::string cut =
      "layer3.1";  ///< first block of the second lane; several, joined by commas, alternate between the lanes
  std::string interleaved = "layer1.0,layer2.0,layer3.0,layer3.3,layer4.1";  ///< three stages a lane
  std::string quarters = "layer1.2,layer2.3,layer3.4";                       ///< two stages a lane
  bool fastest_cuts = true;  ///< `pipeline` measures the blocks and begins its search for cuts with these
  int rounds = 5;
  int steps = 2;  ///< a round, of which the fastest counts

  Experiment experiment() const;
  std::string name() const;  ///< of the network
  int splitSize() const { return batch / micro_batches; }
  VariantConfig oneLane(const std::string& order) const;  ///< the same micro-batches on lane 0
  VariantConfig twoLanes() const;
};

/// Neighbouring steps with and without recording.
struct MeasuredRecording {
  RecordingCost cost;
  double by_fastest = 0;  ///< the fastest step with, over the fastest without, less one: noise only ever adds
  double spans_a_step = 0;
};

/// Session and its name; runRound() gives the fastest step of a round.
class Contestant {
 public:
  Contestant(std::string name, Executor& executor, const Experiment& experiment, const VariantConfig& variant);
  double runRound(TraceBuilder* trace = nullptr);
  /// The seconds of each step of a round.
  std::vector<double> runSteps(TraceBuilder* trace = nullptr);
  /// In each step of a round but its first: how many pages the system handed to this process.
  std::vector<std::int64_t> pageFaults();
  /// What recording as the experiment says costs; `pairs` at least 5.
  MeasuredRecording measureRecording(int pairs);
  const std::string& name() const { return m_name; }

 private:
  std::string m_name;
  std::vector<LaneInfo> m_lanes;
  std::unique_ptr<Session> m_session;
};

/// One lane that has all threads, with the whole batch in one pass.
struct SingleWorkload {
  Workload model;
  int threads = 2;
  bool compiled = true;  ///< torch.compile is a peer, too

  Contestant contestant(Kernels kernels, Executor& executor, std::vector<Rule> rules_off = {}) const;
};

/// A table of min and median, and their ratios to the first series: above 1 is faster than it.
void printTable(const std::string& title, const std::vector<Series>& series);
/// The first over the second by neighbouring rounds, as geometric mean with Student's interval on the logarithms: what
/// slows the machine down slows both of a round.
std::string speedUpText(const Series& slower, const Series& faster);
nlohmann::json toJson(const std::vector<Series>& series);

}  // namespace lanelab::bench
