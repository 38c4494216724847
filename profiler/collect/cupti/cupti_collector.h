// SPDX-License-Identifier: GPL-3.0-only
// GPU activity of a run: kernels, copies, memsets and synchronisation by CUPTI, as spans on the run's clock, each with
// the action that launched it.
//
// Each CUDA stream becomes a track "stream 7" of the lane it belongs to; its synchronisation, which is time of the host
// and would hide kernels, lies on "stream 7 sync"; what CUPTI itself took of a lane's thread lies on "profiler", and
// what CUDA took to load and compile code on "CUDA's own work". A thread of its own fetches what CUPTI has about every
// 100 ms. Only one collector works at a time, and none beside another CUPTI client (Nsight, torch.profiler): CUDA 13.0
// has one subscriber's place.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "profiler/collect/collector.h"
#include "profiler/collect/cupti/cupti_decoder.h"

namespace lanelab {

class CuptiApi;

/// A CUDA stream by CUPTI's numbers; the stream is RawActivity::none for what concerns a whole context.
struct CudaStream {
  std::uint32_t context = 0;
  std::uint32_t stream = 0;
  auto operator<=>(const CudaStream&) const = default;
};

/// CUPTI's numbers of a CUcontext and a CUstream, so that lanes can say which streams are theirs; nothing where CUPTI
/// does not know them.
std::optional<CudaStream> cudaStreamOf(void* context, void* stream);

/// The functions are called on the collector's thread and in stop().
struct CuptiOptions {
  /// -1: no lane's; then its work is drawn with the lane that launched it.
  std::function<int(CudaStream)> lane_of_stream;
  /// Of a green context, for streams that no lane named; -1: no lane's.
  std::function<int(std::uint32_t context)> lane_of_context;
  bool call_rows = false;  ///< CUDA calls of the lanes' threads as spans of their own
  std::chrono::milliseconds flush_period{100};
  /// How many fetches a kernel waits for its launch call, whose record comes late when a long call before it holds back
  /// its buffer.
  int rounds_for_launch = 20;
};

class CuptiCollector final : public Collector {
 public:
  explicit CuptiCollector(CuptiOptions options);
  CuptiCollector(CuptiOptions options, std::shared_ptr<CuptiApi> api);
  ~CuptiCollector() override;

  /// The sentence says which tool is in the way, that there is no driver, or what CUPTI said.
  std::string start(TraceBuilder& builder) override;
  /// Call it when the lanes' devices are synchronised, else what still runs is lost. Lost records are in the builder's
  /// `dropped`.
  void stop() override;

  void launchesBegin(const LaunchOwner& owner) override;
  void launchesEnd() override;

  GpuActivity counts() const override { return m_counts; }
  std::string notice() const override { return m_notice; }

 private:
  class Session;
  CuptiOptions m_options;
  std::shared_ptr<CuptiApi> m_api;
  std::unique_ptr<Session> m_session;
  GpuActivity m_counts;
  std::string m_notice;
};

}  // namespace lanelab
