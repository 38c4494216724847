// A group's backend whose work ends with the first fault, and which notes when its reductions began and ended.
//
// c10d's Reducer waits without limit for what it has launched, and Gloo's own work ends at the earliest when a connection breaks or its timeout is over. So
// the Reducer is given this backend: everything is passed to Gloo, and the work that comes back is done when Gloo's is done or a fault is raised.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/dist/gloo_group.h"
#include "profiler/trace/span.h"

namespace lanelab {

/// From launch to end, as one lane sees it.
struct Reduction {
  TimeRange time;
  std::int64_t bytes = 0;
};

/// Collectives from one thread. Work throws std::runtime_error with the fault, or the cause of what broke.
class WatchedBackend final : public c10d::Backend {
 public:
  WatchedBackend(c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo, std::shared_ptr<const GlooWays> ways);
  ~WatchedBackend() override;

  const std::string getBackendName() const override { return "gloo"; }
  c10::intrusive_ptr<c10d::Work> allreduce(std::vector<at::Tensor>& tensors, const c10d::AllreduceOptions& options) override;
  c10::intrusive_ptr<c10d::Work> broadcast(std::vector<at::Tensor>& tensors, const c10d::BroadcastOptions& options) override;
  c10::intrusive_ptr<c10d::Work> allgather(std::vector<std::vector<at::Tensor>>& outputs, std::vector<at::Tensor>& inputs,
                                           const c10d::AllgatherOptions& options) override;

  /// All reductions that ended since the last call.
  std::vector<Reduction> takeReductions();

 private:
  struct Notes {
    std::mutex mutex;
    std::vector<Reduction> reductions;
  };
  c10::intrusive_ptr<c10d::ProcessGroupGloo> m_gloo;
  std::shared_ptr<const GlooWays> m_ways;
  std::shared_ptr<Notes> m_notes;
};

/// A c10d process group over it, for tensors on the CPU and on `device`, which Gloo takes by way of the host.
c10::intrusive_ptr<c10d::ProcessGroup> processGroupOver(c10::intrusive_ptr<WatchedBackend> backend, c10::DeviceType device);

}  // namespace lanelab
