// GPU activity of a run: kernels, copies, memsets and synchronisation by CUPTI, as spans on the run's clock.
//
// Each CUDA stream becomes a track "stream 7" of the lane it belongs to; its synchronisation, which is time of the host and would hide
// kernels, lies on "stream 7 sync". A thread of its own fetches what CUPTI has about every 100 ms. Only one collector works at a time, and
// none beside another CUPTI client (Nsight, torch.profiler): CUDA 13.0 has one subscriber's place.
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

/// CUPTI's numbers of a CUcontext and a CUstream, so that lanes can say which streams are theirs; nothing where CUPTI does not know them.
std::optional<CudaStream> cudaStreamOf(void* context, void* stream);

struct CuptiOptions {
  /// The lane of a stream, or -1 to leave its activity out. Called on the collector's thread and in stop().
  std::function<int(CudaStream)> lane_of_stream;
  /// The lane of a host thread (gettid), or -1. When set, CUDA calls are recorded too, a span each; it costs the lanes' host threads time.
  std::function<int(std::uint32_t thread)> lane_of_thread;
  std::chrono::milliseconds flush_period{100};
};

class CuptiCollector final : public Collector {
 public:
  explicit CuptiCollector(CuptiOptions options);
  CuptiCollector(CuptiOptions options, std::shared_ptr<CuptiApi> api);
  ~CuptiCollector() override;

  /// The sentence says which tool is in the way, that there is no driver, or what CUPTI said.
  std::string start(TraceBuilder& builder) override;
  /// Call it when the lanes' devices are synchronised, else what still runs is lost. Lost records are in the builder's `dropped`.
  void stop() override;

  CuptiCounts counts() const;       ///< of the last start; call it after stop()
  std::int64_t clockJumps() const;  ///< times that the system's clock was set during the run; call it after stop()

 private:
  class Session;
  CuptiOptions m_options;
  std::shared_ptr<CuptiApi> m_api;
  std::unique_ptr<Session> m_session;
  CuptiCounts m_counts;
  std::int64_t m_clockJumps = 0;
};

}  // namespace lanelab
