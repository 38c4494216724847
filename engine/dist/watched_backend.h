// SPDX-License-Identifier: GPL-3.0-only
// A group's backend whose work ends with the first fault, and which notes when its reductions began and ended.
//
// c10d's Reducer waits without limit for what it has launched, Gloo's own work ends at the earliest when a connection
// breaks or its timeout is over, and NCCL's not at all when a member is gone. So the Reducer is given this backend:
// everything is passed to Gloo or NCCL, and the work that comes back is done when theirs is done or a fault is raised.
// A fault also aborts NCCL's communicator, whose kernels would wait on the GPU for ever.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/dist/device_work.h"
#include "engine/dist/gloo_group.h"
#include "profiler/trace/span.h"

namespace c10d {
class ProcessGroup;
}  // namespace c10d

namespace lanelab {

/// From launch to end, as one lane sees it; on a GPU from when its turn came there.
struct Reduction {
  TimeRange time;
  std::int64_t bytes = 0;
};

/// Collectives from one thread. Work throws std::runtime_error with the fault, or the cause of what broke.
class WatchedBackend final : public c10d::Backend {
 public:
  /// Of Gloo: its work tells itself when it has ended.
  WatchedBackend(c10::intrusive_ptr<c10d::Backend> gloo, std::shared_ptr<const GlooTransport> transport);
  /// Of NCCL on `device`: its work is asked whether it has ended.
  WatchedBackend(c10::intrusive_ptr<c10d::Backend> nccl, std::shared_ptr<const GlooTransport> transport,
                 c10::Device device);
  ~WatchedBackend() override;

  const std::string getBackendName() const override { return m_backend->getBackendName(); }
  c10::intrusive_ptr<c10d::Work> allreduce(std::vector<at::Tensor>& tensors,
                                           const c10d::AllreduceOptions& options) override;
  c10::intrusive_ptr<c10d::Work> broadcast(std::vector<at::Tensor>& tensors,
                                           const c10d::BroadcastOptions& options) override;
  c10::intrusive_ptr<c10d::Work> allgather(std::vector<std::vector<at::Tensor>>& outputs,
                                           std::vector<at::Tensor>& inputs,
                                           const c10d::AllgatherOptions& options) override;

  /// All reductions that ended since the last call.
  std::vector<Reduction> collectReductions();

 private:
  struct Notes {
    std::mutex mutex;
    std::vector<Reduction> reductions;
  };
  /// `done` is called on another thread when the work has ended well.
  using Done = std::function<void(TimeRange time)>;
  c10::intrusive_ptr<c10d::Work> watched(c10d::OpType type,
                                         const std::function<c10::intrusive_ptr<c10d::Work>()>& launch, Done done);

  c10::intrusive_ptr<c10d::Backend> m_backend;
  std::shared_ptr<const GlooTransport> m_transport;
  std::shared_ptr<Notes> m_notes;
  std::unique_ptr<DeviceWorkWatch> m_device_work;  ///< null: Gloo's
  std::unique_ptr<FaultBoard::Call> m_abort;       ///< of NCCL's
};

/// A c10d process group for tensors on the CPU, by `host`, and on `device`: by `on_device`, or where that is null by
/// `host` too, by way of the host's memory.
c10::intrusive_ptr<c10d::ProcessGroup> processGroupOver(c10::intrusive_ptr<WatchedBackend> host,
                                                        c10::intrusive_ptr<WatchedBackend> on_device,
                                                        c10::DeviceType device);

}  // namespace lanelab
