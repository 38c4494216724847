// SPDX-License-Identifier: GPL-3.0-only
#include <sys/resource.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "profiler/io/import/import_folder.h"
#include "profiler/io/import/trace_import.h"
#include "tests/bench/benches.h"
#include "tests/support/stopwatch.h"
#include "tests/support/temporary_folder.h"

namespace lanelab::bench {

namespace {

double peakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// A file as torch.profiler writes it, about 250 bytes an event: operators with their launches, kernels, and the arrows
/// between them.
void writeKineto(const std::string& path, int events) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
  if (!file) throw std::runtime_error(path + " could not be written");
  std::FILE* const out = file.get();
  std::fputs(
      "{\n\"schemaVersion\": 1,\n\"deviceProperties\": [{\"id\": 0}],\n\"baseTimeNanoseconds\": "
      "1790000000000000000,\n\"traceEvents\": [\n",
      out);
  for (int i = 0; i < events / 5; ++i) {
    const int us = i * 20;
    const int thread = 4711 + i % 4;
    std::fprintf(out,
                 "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::cudnn_convolution_%d\", \"pid\": 4711, "
                 "\"tid\": %d, \"ts\": %d.%03d, \"dur\": "
                 "18.250, \"args\": {\"External id\": %d, \"Sequence number\": %d, \"Fwd thread id\": 0, \"Record "
                 "function id\": 0, \"Concrete Inputs\": "
                 "[\"\", \"[1, 1]\", \"[3, 3]\"], \"Input Dims\": [[20, 256, 14, 14], [256, 256, 3, 3], []], \"Input "
                 "type\": [\"float\", \"float\", "
                 "\"Scalar\"], \"Ev Idx\": %d}},\n",
                 i % 200, thread, us, i % 1000, i, i, i);
    std::fprintf(out,
                 "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 4711, \"tid\": "
                 "%d, \"ts\": %d.%03d, \"dur\": 4.125, "
                 "\"args\": {\"External id\": %d, \"cbid\": 211, \"correlation\": %d}},\n",
                 thread, us + 3, i % 1000, i, i + 1);
    std::fprintf(out,
                 "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"void "
                 "cutlass__5x_cudnn::Kernel<cutlass_tensorop_s1688fprop_optimized_tf32_%d>(Params)\", "
                 "\"pid\": 0, \"tid\": %d, \"ts\": %d.%03d, \"dur\": 15.500, \"args\": {\"External id\": %d, "
                 "\"queued\": 0, \"device\": 0, \"context\": 1, "
                 "\"stream\": %d, \"correlation\": %d, \"registers per thread\": 230, \"shared memory\": 98304, "
                 "\"blocks per SM\": 1.5, \"warps per SM\": "
                 "12.0, \"grid\": [49, 4, 1], \"block\": [256, 1, 1], \"est. achieved occupancy %%\": 13}},\n",
                 i % 300, 7 + i % 3, us + 9, i % 1000, i, 7 + i % 3, i + 1);
    std::fprintf(out,
                 "{\"ph\": \"s\", \"id\": %d, \"pid\": 4711, \"tid\": %d, \"ts\": %d.%03d, \"cat\": \"ac2g\", "
                 "\"name\": \"ac2g\", \"bp\": \"e\"},\n",
                 i + 1, thread, us + 3, i % 1000);
    std::fprintf(out,
                 "{\"ph\": \"f\", \"id\": %d, \"pid\": 0, \"tid\": %d, \"ts\": %d.%03d, \"cat\": \"ac2g\", \"name\": "
                 "\"ac2g\", \"bp\": \"e\"},\n",
                 i + 1, 7 + i % 3, us + 9, i % 1000);
  }
  std::fputs(
      "{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 0, \"tid\": 0, \"args\": {\"name\": \"python\"}}\n], "
      "\"traceName\": \"bench\"}\n",
      out);
}

}  // namespace

nlohmann::json benchImport(int events, bool print) {
  namespace fs = std::filesystem;
  const test::TemporaryFolder folder;
  const std::string path = folder.file("trace.json");
  writeKineto(path, events);
  const double before = peakMegabytes();
  const auto megabytes = static_cast<double>(fs::file_size(path)) / 1e6;

  const test::Stopwatch read_watch;
  const ReadImport read = importTrace(path);
  const double seconds = read_watch.seconds();
  if (!read.ok()) throw std::runtime_error(read.error().message);
  const double peak = peakMegabytes();

  const test::Stopwatch write_watch;
  const Status written = writeImport(**read, path, folder.file("import"));
  const double writing = write_watch.seconds();
  if (!written.ok()) throw std::runtime_error(written.error().message);
  const double all = peakMegabytes();

  const ImportCounts& counts = (*read)->counts;
  const double bytes = (peak - before) * 1024 * 1024 / events;
  if (print) {
    std::printf("import: %d events, %.0f MB of JSON as torch.profiler writes it\n", events, megabytes);
    std::printf("  read      %6.2f s  %4.0f MB/s  peak %.0f MB, %.0f bytes an event more than before\n", seconds,
                megabytes / seconds, peak, bytes);
    std::printf("  write     %6.2f s  trace.json.gz and import.json, peak %.0f MB\n", writing, all);
    std::printf("  %lld spans, %lld flows, %zu kinds of problems\n", static_cast<long long>(counts.spans),
                static_cast<long long>(counts.flows), counts.problems.size());
  }
  return {{"events", events},         {"megabytes", megabytes},
          {"seconds", seconds},       {"megabytes_per_second", megabytes / seconds},
          {"peak_megabytes", peak},   {"bytes_an_event", bytes},
          {"write_seconds", writing}, {"peak_megabytes_written", all}};
}

}  // namespace lanelab::bench
