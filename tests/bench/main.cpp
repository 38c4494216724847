// SPDX-License-Identifier: GPL-3.0-only
// lanelab-bench: measures what the README claims, with a peer in the same run wherever there is one.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/bench/benches.h"
#include "tests/support/source_folder.h"

namespace {

using lanelab::bench::Workload;

void addModel(CLI::App& command, Workload& w) {
  command.add_option("--arch", w.arch, "Architecture")->capture_default_str();
  command.add_option("--image", w.image, "Pixels of an image's side")->capture_default_str();
  command.add_option("--batch", w.batch, "Images a step")->capture_default_str()->check(CLI::PositiveNumber);
  command.add_option("--schedule", w.schedule, "gpipe or 1f1b")->capture_default_str();
  command
      .add_option("--cut", w.cut,
                  "First block of the second lane; several, joined by commas, alternate between the lanes")
      ->capture_default_str();
  command.add_option("--rounds", w.rounds, "Interleaved rounds")->capture_default_str()->check(CLI::PositiveNumber);
}

void addWorkload(CLI::App& command, Workload& w) {
  addModel(command, w);
  command.add_option("--micro-batches", w.micro_batches, "Must divide the batch")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--interleaved", w.interleaved, "The cuts of the row with three stages a lane (pipeline)")
      ->capture_default_str();
  command.add_option("--steps", w.steps, "Steps a round; the fastest counts")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
}

#ifdef LANELAB_WITH_QT
/// The program beside this one that has Qt, so that this one also runs where there is none.
[[noreturn]] void becomeTimelineProgram(int events, bool json) {
  const auto program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "lanelab-bench-timeline";
  ::execl(program.c_str(), program.c_str(), std::to_string(events).c_str(), json ? "--json" : nullptr, nullptr);
  throw std::runtime_error(program.string() + " cannot be started: " + std::strerror(errno));
}
#endif

int run(int argc, char** argv) {
  CLI::App app("Benchmarks of LaneLab. Run them on an idle machine.");
  app.require_subcommand(1);
  bool json = false;
  Workload workload;
  std::string python = lanelab::test::sourceFolder() + "/.venv/bin/python";
  CLI::App* const executor = app.add_subcommand("executor", "Cost of the loop an action, with no-op stages");
  CLI::App* const pipeline = app.add_subcommand("pipeline", "Two CPU lanes against one with the same micro-batches");
  bool as_given = false;
  pipeline->add_flag("--as-given", as_given,
                     "Cut where the options say, instead of where the step is predicted to be the shortest");
  CLI::App* const barrier = app.add_subcommand(
      "barrier", "Two CPU lanes that begin each step together against lanes that go on by themselves");
  CLI::App* const peer = app.add_subcommand("peer", "The same against torch.distributed.pipelining over gloo");
  lanelab::bench::SingleWorkload single;
  bool in_one_process = false;
  peer->add_flag("--single", in_one_process,
                 "One lane of several threads instead, against PyTorch in one process, eager and compiled");
  peer->add_option("--threads", single.threads, "Threads of each, with --single")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  peer->add_option("--file", workload.file, "With --single: this exported network (.pt2), eager and compiled as it is")
      ->check(CLI::ExistingFile);
  bool no_compile = false;
  peer->add_flag("--no-compile", no_compile, "With --single: leave torch.compile out");
  std::vector<std::string> more_pythons;
  peer->add_option("--also-python", more_pythons,
                   "With --single: a Python with another version of PyTorch, in turns with the others");
  CLI::App* const rules = app.add_subcommand("rules", "What each rule over a network's graph gains");
  std::vector<std::string> ruled_files;
  rules->add_option("FILES", ruled_files, "Exported networks (.pt2)")->required()->check(CLI::ExistingFile);
  rules->add_option("--threads", single.threads, "Threads of the lane")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  rules->add_option("--batch", workload.batch, "Samples a step")->capture_default_str()->check(CLI::PositiveNumber);
  rules->add_option("--rounds", workload.rounds, "Rounds, in turns")->capture_default_str()->check(CLI::PositiveNumber);
  CLI::App* const norms = app.add_subcommand("norms", "Batch norm with ReLU, fused and by PyTorch's operators");
  CLI::App* const convolutions =
      app.add_subcommand("convolutions", "Parts of convolutions by PyTorch's operator and as matrix products");
  int images = 64, pixels = 64;
  for (CLI::App* const command : {norms, convolutions})
    command->add_option("--batch", images, "Images")->capture_default_str()->check(CLI::PositiveNumber);
  convolutions->add_option("--image", pixels, "Pixels of an image's side")->capture_default_str();
  CLI::App* const operators =
      app.add_subcommand("operators", "Operators of a training step: time, bytes and share, by kind of kernels");
  addModel(*operators, single.model);
  operators->add_option("--steps", single.model.steps, "Steps")->capture_default_str()->check(CLI::PositiveNumber);
  operators->add_option("--file", single.model.file, "An exported network (.pt2) in place of --arch")
      ->check(CLI::ExistingFile);
  CLI::App* const machine = app.add_subcommand("machine", "Memory bandwidth and arithmetic of this machine");
  int threads = 2;
  CLI::App* const optimizers =
      app.add_subcommand("optimizers", "Updates of a network's parameters against torch.optim");
  optimizers->add_option("--arch", workload.arch, "Architecture")->capture_default_str();
  optimizers->add_option("--rounds", workload.rounds, "Interleaved rounds")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  for (CLI::App* const command : {norms, convolutions, machine, optimizers})
    command->add_option("--threads", threads, "Threads")->capture_default_str()->check(CLI::PositiveNumber);
  operators->add_option("--threads", single.threads, "Threads")->capture_default_str()->check(CLI::PositiveNumber);
  CLI::App* const ddp =
      app.add_subcommand("ddp", "Replicas on two CPU lanes against DistributedDataParallel over gloo");
  CLI::App* const recorder = app.add_subcommand("recorder", "Cost of recording");
  CLI::App* const graph =
      app.add_subcommand("graph", "Cost of a node of an exported graph; with --file an exported network's training");
  std::string exported;
  graph->add_option("--file", exported, "A .pt2 file of --arch, to train beside the built-in network");
  CLI::App* const blocks = app.add_subcommand("blocks", "Times of blocks and operators on one lane");
  CLI::App* const partition = app.add_subcommand("partition", "Times of the exact partition of a chain of blocks");
  CLI::App* const placing =
      app.add_subcommand("placing", "Prediction of a placement while blocks are dragged on the board");
  CLI::App* const memory = app.add_subcommand("memory", "Memory forecasts against measured peaks");
  std::vector<std::string> networks;
  memory->add_option("--file", networks, "Exported networks (.pt2), instead of built-in ResNets");
  CLI::App* const sweep = app.add_subcommand(
      "sweep", "Predicted against measured steps over the tutorial's split sizes, each round calibrated again");
  CLI::App* const gaps = app.add_subcommand("gaps", "Speed at which idle time gets its causes");
  std::int64_t gap_events = 1'000'000;
  gaps->add_option("--events", gap_events, "Events of the trace, at least")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000'000));
  CLI::App* const stats = app.add_subcommand("stats", "Speed at which the spans of a trace are added up by group");
  std::int64_t stats_events = 1'000'000;
  stats->add_option("--events", stats_events, "Events of the trace, about")
      ->capture_default_str()
      ->check(CLI::Range(1000, 100'000'000));
  CLI::App* const drag = app.add_subcommand(
      "drag", "Changes of a span: how long an answer takes, and predicted steps against lanes that have the change");
  int drag_spans = 10'000;
  drag->add_option("--spans", drag_spans, "Spans of the trace, at least")
      ->capture_default_str()
      ->check(CLI::Range(100, 10'000'000));
  CLI::App* const trace = app.add_subcommand("trace", "What a span costs while a run is recorded: time, memory, polls");
  std::int64_t trace_events = 1'000'000;
  trace->add_option("--events", trace_events, "Spans before the first poll")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000'000));
  CLI::App* const runs = app.add_subcommand("runs", "Opening and rebuilding the list of stored runs");
  int stored_runs = 5000;
  runs->add_option("--runs", stored_runs, "Run folders that are made in a temporary folder")->capture_default_str();
  CLI::App* const import = app.add_subcommand("import", "Reading a large trace of another program");
  int events = 1'000'000;
  import->add_option("--events", events, "Events of the generated file")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  std::vector<int> split_sizes = {1, 3, 5, 8, 10, 12, 20, 40, 60};
  for (CLI::App* const command : {pipeline, peer, recorder, graph, blocks}) addWorkload(*command, workload);
  Workload swept;
  swept.batch = 120;
  swept.schedule = "gpipe";
  swept.rounds = 3;
  addModel(*sweep, swept);
  sweep->add_option("--steps", swept.steps, "Steps a round, of which the median counts")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  sweep->add_option("--split-sizes", split_sizes, "Split sizes")->delimiter(',')->capture_default_str();
  Workload streamed;
  streamed.micro_batches = 4;
  streamed.steps = 8;
  addWorkload(*barrier, streamed);
  CLI::App* const busy = app.add_subcommand("busy", "Two CPU lanes, and PyTorch, beside processes that compute");
  Workload disturbed;
  disturbed.steps = 4;
  int processes = 1;
  addWorkload(*busy, disturbed);
  busy->add_option("--processes", processes, "That compute beside it")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  Workload replicas;
  replicas.batch = 32;
  replicas.steps = 3;
  replicas.rounds = 9;
  ddp->add_option("--arch", replicas.arch, "Architecture")->capture_default_str();
  ddp->add_option("--image", replicas.image, "Pixels of an image's side")->capture_default_str();
  ddp->add_option("--batch", replicas.batch, "Images a step, of both replicas together")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  ddp->add_option("--rounds", replicas.rounds, "Interleaved rounds")->capture_default_str()->check(CLI::PositiveNumber);
  ddp->add_option("--steps", replicas.steps, "Steps a round, after one that is not counted; the median counts")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  CLI::App* const offload =
      app.add_subcommand("offload", "A Llama with its weights on disk against accelerate's disk_offload");
  lanelab::bench::OffloadWorkload offloaded;
  offload->add_option("--layers", offloaded.layers, "Layers of 49 MiB")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  offload->add_option("--tokens", offloaded.tokens, "Tokens computed at once")
      ->capture_default_str()
      ->check(CLI::Range(8, 1'000'000));
  offload->add_option("--generate", offloaded.generate, "Tokens generated")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  offload->add_option("--threads", offloaded.threads, "Threads that compute, for each")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  offload->add_option("--rounds", offloaded.rounds, "Interleaved rounds")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  offload->add_option("--folder", offloaded.folder,
                      "Where the files go for the time (1.2 GB with 8 layers); default: the system's temporary folder");
  offload->add_option("--python", python, "A Python with torch, transformers and accelerate")->capture_default_str();
  for (CLI::App* const command :
       {executor, pipeline, barrier, peer,         ddp,       recorder,   graph, blocks, partition,
        placing,  memory,   norms,   convolutions, operators, machine,    sweep, gaps,   stats,
        trace,    runs,     import,  offload,      busy,      optimizers, drag})
    command->add_flag("--json", json, "One JSON object on stdout");
  for (CLI::App* const command : {peer, ddp, busy, optimizers})
    command->add_option("--python", python, "A Python with torch and torchvision")->capture_default_str();
  std::string torchgpipe;
  partition->add_option("--torchgpipe", torchgpipe,
                        "A Python with torchgpipe 0.0.5, to solve the same chains with its block partition");
#ifdef LANELAB_HAS_CUPTI
  std::int64_t cupti_records = 3'000'000;
  CLI::App* const cupti =
      app.add_subcommand("cupti", "Records of GPU activity a second, from hand-built CUPTI buffers into a trace");
  cupti->add_option("--records", cupti_records, "Records, at least")
      ->capture_default_str()
      ->check(CLI::Range(1, 20'000'000));
  cupti->add_flag("--json", json, "One JSON object on stdout");
#endif
#ifdef LANELAB_WITH_QT
  int timeline_events = 1'000'000;
  CLI::App* const timeline =
      app.add_subcommand("timeline", "Frames and hover of a timeline with many actions, offscreen");
  timeline->add_option("--events", timeline_events, "Actions, over 40 lanes")
      ->capture_default_str()
      ->check(CLI::Range(100, 100'000'000));
  timeline->add_flag("--json", json, "One JSON object on stdout, these figures alone");
#endif
  CLI11_PARSE(app, argc, argv);
  nlohmann::json result;
  if (executor->parsed()) result["executor"] = lanelab::bench::benchExecutor(!json);
  workload.fastest_cuts = !as_given;
  if (pipeline->parsed()) result["pipeline"] = lanelab::bench::benchPipeline(workload, !json);
  if (barrier->parsed()) result["barrier"] = lanelab::bench::benchBarrier(streamed, !json);
  if (busy->parsed()) result["busy"] = lanelab::bench::benchBusy(disturbed, processes, python, !json);
  if (peer->parsed() && !in_one_process) result["peer"] = lanelab::bench::benchPeer(workload, python, !json);
  if (peer->parsed() && in_one_process) {
    single.compiled = !no_compile;
    single.model = workload;
    more_pythons.insert(more_pythons.begin(), python);
    result["single"] = lanelab::bench::benchSingle(single, more_pythons, !json);
  }
  if (norms->parsed()) result["norms"] = lanelab::bench::benchNorms(images, threads, !json);
  if (convolutions->parsed())
    result["convolutions"] = lanelab::bench::benchConvolutions(pixels, images, threads, !json);
  if (rules->parsed()) {
    single.model = workload;
    result["rules"] = lanelab::bench::benchRules(single, ruled_files, !json);
  }
  if (operators->parsed()) result["operators"] = lanelab::bench::benchOperators(single, !json);
  if (optimizers->parsed()) result["optimizers"] = lanelab::bench::benchOptimizers(workload, threads, python, !json);
  if (machine->parsed()) result["machine"] = lanelab::bench::benchMachine(threads, !json);
  if (ddp->parsed()) result["ddp"] = lanelab::bench::benchDdp(replicas, python, !json);
  if (recorder->parsed()) result["recorder"] = lanelab::bench::benchRecorder(workload, !json);
  if (graph->parsed()) {
    workload.layout = lanelab::Layout::Contiguous;
    result["graph"] = lanelab::bench::benchGraph(workload, exported, !json);
  }
  if (blocks->parsed()) result["blocks"] = lanelab::bench::benchBlocks(workload, !json);
  if (sweep->parsed()) result["sweep"] = lanelab::bench::benchSweep(swept, split_sizes, !json);
  if (partition->parsed()) result["partition"] = lanelab::bench::benchPartition(torchgpipe, !json);
  if (placing->parsed()) result["placing"] = lanelab::bench::benchPlacing(!json);
  if (memory->parsed()) result["memory"] = lanelab::bench::benchMemory(networks, !json);
  if (gaps->parsed()) result["gaps"] = lanelab::bench::benchGaps(gap_events, !json);
  if (stats->parsed()) result["stats"] = lanelab::bench::benchStats(stats_events, !json);
  if (drag->parsed()) result["drag"] = lanelab::bench::benchDrag(drag_spans, !json);
  if (trace->parsed()) result["trace"] = lanelab::bench::benchTrace(trace_events, !json);
  if (offload->parsed()) result["offload"] = lanelab::bench::benchOffload(offloaded, python, !json);
  if (runs->parsed()) result["runs"] = lanelab::bench::benchRuns(stored_runs, !json);
  if (import->parsed()) result["import"] = lanelab::bench::benchImport(events, !json);
#ifdef LANELAB_HAS_CUPTI
  if (cupti->parsed()) result["cupti"] = lanelab::bench::benchCupti(cupti_records, !json);
#endif
#ifdef LANELAB_WITH_QT
  if (timeline->parsed()) becomeTimelineProgram(timeline_events, json);
#endif
  if (json) std::printf("%s\n", result.dump(2).c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lanelab-bench: %s\n", error.what());
    return 1;
  }
}
