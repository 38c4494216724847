#include "engine/dist/watched_backend.h"

#include <stdexcept>
#include <utility>

#include "profiler/trace/trace_builder.h"

namespace lanelab {

namespace {

using at::ivalue::Future;

/// Done with its own future, which Gloo's work or a fault completes.
class WatchedWork final : public c10d::Work {
 public:
  WatchedWork(c10d::OpType type, c10::intrusive_ptr<Future> future) : c10d::Work(-1, type), m_future(std::move(future)) {}

  bool isCompleted() override { return m_future->completed(); }
  bool isSuccess() const override { return m_future->completed() && !m_future->hasError(); }
  bool wait(std::chrono::milliseconds) override {
    m_future->waitAndThrow();
    return true;
  }
  c10::intrusive_ptr<Future> getFuture() override { return m_future; }
  std::vector<at::Tensor> result() override { return m_future->value().toTensorVector(); }

 private:
  c10::intrusive_ptr<Future> m_future;
};

std::exception_ptr sentence(const std::string& text) { return std::make_exception_ptr(std::runtime_error(text)); }

/// Passes on how Gloo's work ended, unless a fault came first. On Gloo's thread, which may wait for the cause, since its group is of no more use.
void passOn(const Future& ended, Future& future, const GlooWays& ways) {
  if (ended.hasError()) return future.setErrorIfNeeded(sentence(ways.cause(ended.tryRetrieveErrorMessage())));
  try {
    if (!future.completed()) future.markCompleted(ended.constValue());
  } catch (const c10::Error&) {
    // The fault came between the question and the answer.
  }
}

/// What is the same for all collectives: `done` is called on Gloo's thread when the work has ended well.
template <class Done>
c10::intrusive_ptr<c10d::Work> watched(c10::intrusive_ptr<c10d::Work> work, c10d::OpType type, std::shared_ptr<const GlooWays> ways, Done done) {
  auto future = c10::make_intrusive<Future>(c10::ListType::create(c10::TensorType::get()), work->getFuture()->devices());
  // Gloo's future keeps the call on the board, since the Reducer keeps nothing of the work but its future.
  auto on_fault = std::make_shared<FaultBoard::Call>(*ways->board, [future](const std::string& fault) { future->setErrorIfNeeded(sentence(fault)); });
  work->getFuture()->addCallback([future, ways, on_fault = std::move(on_fault), done = std::move(done)](Future& ended) {
    if (!ended.hasError()) done();
    passOn(ended, *future, *ways);
  });
  return c10::make_intrusive<WatchedWork>(type, std::move(future));
}

}  // namespace

WatchedBackend::WatchedBackend(c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo, std::shared_ptr<const GlooWays> ways)
    : c10d::Backend(gloo->getRank(), gloo->getSize()), m_gloo(std::move(gloo)), m_ways(std::move(ways)), m_notes(std::make_shared<Notes>()) {}

WatchedBackend::~WatchedBackend() { letGo(std::move(m_gloo), *m_ways->board); }

c10::intrusive_ptr<c10d::Work> WatchedBackend::allreduce(std::vector<at::Tensor>& tensors, const c10d::AllreduceOptions& options) {
  std::int64_t bytes = 0;
  for (const at::Tensor& tensor : tensors) bytes += static_cast<std::int64_t>(tensor.nbytes());
  const Nanoseconds start = monotonicNow();
  return watched(m_gloo->allreduce(tensors, options), c10d::OpType::ALLREDUCE, m_ways, [notes = m_notes, start, bytes] {
    const std::lock_guard lock(notes->mutex);
    notes->reductions.push_back({{start, monotonicNow()}, bytes});
  });
}

c10::intrusive_ptr<c10d::Work> WatchedBackend::broadcast(std::vector<at::Tensor>& tensors, const c10d::BroadcastOptions& options) {
  return watched(m_gloo->broadcast(tensors, options), c10d::OpType::BROADCAST, m_ways, [] {});
}

c10::intrusive_ptr<c10d::Work> WatchedBackend::allgather(std::vector<std::vector<at::Tensor>>& outputs, std::vector<at::Tensor>& inputs,
                                                         const c10d::AllgatherOptions& options) {
  return watched(m_gloo->allgather(outputs, inputs, options), c10d::OpType::ALLGATHER, m_ways, [] {});
}

std::vector<Reduction> WatchedBackend::takeReductions() {
  const std::lock_guard lock(m_notes->mutex);
  return std::exchange(m_notes->reductions, {});
}

c10::intrusive_ptr<c10d::ProcessGroup> processGroupOver(c10::intrusive_ptr<WatchedBackend> backend, c10::DeviceType device) {
  auto group = c10::make_intrusive<c10d::ProcessGroup>(backend->getRank(), backend->getSize());
  group->setDefaultBackend(c10d::ProcessGroup::BackendType::GLOO);
  const c10::intrusive_ptr<c10d::Backend> any_backend = std::move(backend);
  group->setBackend(c10::DeviceType::CPU, c10d::ProcessGroup::BackendType::GLOO, any_backend);
  if (device != c10::DeviceType::CPU) group->setBackend(device, c10d::ProcessGroup::BackendType::GLOO, any_backend);
  return group;
}

}  // namespace lanelab
