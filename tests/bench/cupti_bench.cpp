// SPDX-License-Identifier: GPL-3.0-only
#include <cupti.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

#include "profiler/collect/cupti/activity_sink.h"
#include "profiler/collect/cupti/cupti_decoder.h"
#include "tests/bench/benches.h"
#include "tests/support/cupti_records.h"

namespace lanelab::bench {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{512} << 10U;
constexpr int kRounds = 9;
constexpr std::uint8_t kRun = 1;
constexpr std::uint32_t kThread = 4711;
constexpr int kStreams = 2;

const char* const kKernels[] = {"_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15CUDAFunctor_addIfEEEEviT0_",
                                "_ZN5cudnn3cnn4conv17implicit_gemm_128x64_nhwc_kernelEPfPKfS2_iiii",
                                "sm90_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x128x32",
                                "bn_fw_tr_1C11_kernel_NCHW"};

/// Buffers as CUPTI fills them while a network trains on two streams: for each launch an external id and the runtime
/// call in one buffer, the kernel or every eighth time a copy in another.
class ActivityMaker {
 public:
  explicit ActivityMaker(std::int64_t records) {
    for (std::uint32_t launch = 1; m_records < records; ++launch) addLaunch(launch);
  }

  std::int64_t records() const { return m_records; }
  std::vector<ActivityBuffer> buffers() {
    std::vector<ActivityBuffer> all;
    for (std::vector<std::uint64_t>& words : m_buffers)
      all.push_back({reinterpret_cast<std::uint8_t*>(words.data()), words.size() * 8});
    return all;
  }

 private:
  void addLaunch(std::uint32_t launch) {
    const std::uint64_t time = 1'000'000 + std::uint64_t{5'000} * launch;
    const auto micro_batch = static_cast<std::int16_t>(launch / 64 % 8);
    CUpti_ActivityExternalCorrelation id{};
    id.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
    id.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
    id.externalId = externalIdOf(
        {static_cast<int>(launch % kStreams), static_cast<std::int32_t>(launch / 4096), 0, micro_batch, Phase::Forward},
        kRun);
    id.correlationId = launch;
    CUpti_ActivityAPI call{};
    call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    call.cbid = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000;
    call.start = time;
    call.end = time + 3'000;
    call.threadId = kThread;
    call.correlationId = launch;
    add(m_host, id);
    add(m_host, call);
    if (launch % 8 == 0) {
      addWork(CUpti_ActivityMemcpy6{}, CUPTI_ACTIVITY_KIND_MEMCPY, launch, time);
    } else {
      test::CuptiKernel kernel{};
      kernel.name = kKernels[launch % 4];
      addWork(kernel, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, launch, time);
    }
  }

  template <class Record>
  void addWork(Record record, CUpti_ActivityKind kind, std::uint32_t launch, std::uint64_t time) {
    record.kind = kind;
    record.start = time + 20'000;
    record.end = time + 24'000;
    record.contextId = 1;
    record.streamId = 7 + launch % kStreams;
    record.correlationId = launch;
    add(m_device, record);
  }

  template <class Record>
  void add(std::size_t& open, const Record& record) {
    static_assert(sizeof(Record) % 8 == 0);
    if (open == kNone || (m_buffers[open].size() * 8 + sizeof(Record)) > kBufferBytes) {
      open = m_buffers.size();
      m_buffers.emplace_back();
      m_buffers.back().reserve(kBufferBytes / 8);
    }
    std::vector<std::uint64_t>& words = m_buffers[open];
    const std::size_t at = words.size();
    words.resize(at + sizeof(Record) / 8);
    std::memcpy(words.data() + at, &record, sizeof(Record));
    ++m_records;
  }

  static constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<std::vector<std::uint64_t>> m_buffers;
  std::size_t m_host = kNone;
  std::size_t m_device = kNone;
  std::int64_t m_records = 0;
};

/// Of this thread on its core, so that what else runs on the machine counts less.
double secondsSince(Nanoseconds from) { return static_cast<double>(threadCpuNow() - from) * 1e-9; }

/// The clock's samples of a run, one each 100 ms, on the records' own times.
ClockPairing clockOver(Nanoseconds until) {
  ClockPairing clock;
  for (Nanoseconds now = 0; now < until; now += 100'000'000) clock.sample([&] { return now; }, [&] { return now; });
  return clock;
}

struct Times {
  double decode = 0;
  double place = 0;
  std::size_t spans = 0;
};

/// Eight buffers a round, as the collector's thread takes them.
Times ingest(const std::vector<ActivityBuffer>& buffers, const ClockPairing& clock) {
  constexpr std::size_t kARound = 8;
  TraceBuilder builder("bench", {{"a", "cuda:0"}, {"b", "cuda:0"}});
  CuptiOptions options;
  options.lane_of_stream = [](CudaStream stream) { return static_cast<int>(stream.stream) - 7; };
  CuptiDecoder decoder(test::recordLibrary());
  ActivitySink sink(builder, options, decoder, kRun, true);
  const LaunchOwners owners;
  std::vector<RawActivity> activities;
  Times times;
  for (std::size_t at = 0; at < buffers.size(); at += kARound) {
    activities.clear();
    const Nanoseconds begin = threadCpuNow();
    decoder.decode({buffers.data() + at, std::min(kARound, buffers.size() - at)}, activities);
    times.decode += secondsSince(begin);
    const Nanoseconds decoded = threadCpuNow();
    sink.add(activities, clock, owners);
    times.place += secondsSince(decoded);
  }
  const Nanoseconds last = threadCpuNow();
  sink.finish(clock, owners);
  times.place += secondsSince(last);
  times.spans = builder.spanCount();
  return times;
}

}  // namespace

nlohmann::json benchCupti(std::int64_t records, bool print) {
  ActivityMaker maker(records);
  const std::vector<ActivityBuffer> buffers = maker.buffers();
  const ClockPairing clock = clockOver(maker.records() / 3 * 5'000 + 1'000'000'000);
  std::vector<double> rates;
  Times fastest;
  for (int round = 0; round < kRounds; ++round) {
    const Times times = ingest(buffers, clock);
    rates.push_back(static_cast<double>(maker.records()) / (times.decode + times.place));
    if (rates.back() == *std::max_element(rates.begin(), rates.end())) fastest = times;
  }
  std::sort(rates.begin(), rates.end());
  const double median = rates[rates.size() / 2];
  if (print) {
    std::printf(
        "%lld records in %zu buffers, %zu spans, decoded, joined with their launch and action, and placed in a trace\n",
        static_cast<long long>(maker.records()), buffers.size(), fastest.spans);
    std::printf(
        "records a second of one core: median %.1f M, of %d rounds from %.1f M to %.1f M; the fastest took %.0f ms to "
        "decode and %.0f ms to place\n",
        median * 1e-6, kRounds, rates.front() * 1e-6, rates.back() * 1e-6, fastest.decode * 1e3, fastest.place * 1e3);
  }
  return {{"records", maker.records()},
          {"spans", fastest.spans},
          {"records_per_second", median},
          {"fastest_per_second", rates.back()}};
}

}  // namespace lanelab::bench
