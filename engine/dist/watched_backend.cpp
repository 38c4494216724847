// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/watched_backend.h"

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include <stdexcept>
#include <thread>
#include <utility>

#include "profiler/trace/trace_builder.h"

namespace lanelab {

namespace {

using at::ivalue::Future;

/// Done with its own future, which the backend's work or a fault completes.
class WatchedWork final : public c10d::Work {
 public:
  WatchedWork(c10d::OpType type, c10::intrusive_ptr<Future> future)
      : c10d::Work(-1, type), m_future(std::move(future)) {}

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

/// Passes on how the work ended, unless a fault came first. On the backend's thread, which may wait for the cause,
/// since its group is of no more use.
void passOn(const std::string& error, const at::IValue& value, Future& future, const GlooTransport& transport) {
  if (!error.empty()) return future.setErrorIfNeeded(sentence(transport.cause(error)));
  try {
    if (!future.completed()) future.markCompleted(value);
  } catch (const c10::Error&) {
    // The fault came between the question and the answer.
  }
}

}  // namespace

WatchedBackend::WatchedBackend(c10::intrusive_ptr<c10d::Backend> gloo, std::shared_ptr<const GlooTransport> transport)
    : c10d::Backend(gloo->getRank(), gloo->getSize()),
      m_backend(std::move(gloo)),
      m_transport(std::move(transport)),
      m_notes(std::make_shared<Notes>()) {}

WatchedBackend::WatchedBackend(c10::intrusive_ptr<c10d::Backend> nccl, std::shared_ptr<const GlooTransport> transport,
                               c10::Device device)
    : WatchedBackend(std::move(nccl), std::move(transport)) {
  m_device_work = std::make_unique<DeviceWorkWatch>(device, m_transport->timeout);
  // Aborting may wait for the other members, so the board's call leaves that to another thread.
  m_abort = std::make_unique<FaultBoard::Call>(
      *m_transport->board, [backend = m_backend, retired = m_transport->retired](const std::string&) {
        retired->retire([backend] { backend->abort(); });
      });
}

WatchedBackend::~WatchedBackend() {
  if (!m_device_work) {
    // After a fault Gloo's threads may wait for members that never answer, so another thread lets go of it then.
    if (m_transport->board->fault()) std::thread([group = std::move(m_backend)]() mutable { group.reset(); }).detach();
    m_backend.reset();
    return;
  }
  m_device_work.reset();
  m_abort.reset();
  const bool aborted = m_transport->board->fault().has_value();
  m_transport->retired->retire([backend = std::move(m_backend), aborted] {
    if (!aborted) backend->shutdown();
  });
}

c10::intrusive_ptr<c10d::Work> WatchedBackend::watched(c10d::OpType type,
                                                       const std::function<c10::intrusive_ptr<c10d::Work>()>& launch,
                                                       Done done) {
  auto begin = m_device_work ? m_device_work->now() : std::nullopt;
  const Nanoseconds start = monotonicNow();
  const auto work = launch();
  const auto launched = work->getFuture();
  auto future = c10::make_intrusive<Future>(c10::ListType::create(c10::TensorType::get()), launched->devices());
  // What waits for the end keeps the call on the board, since the Reducer keeps nothing of the work but its future.
  auto on_fault = std::make_shared<FaultBoard::Call>(
      *m_transport->board, [future](const std::string& fault) { future->setErrorIfNeeded(sentence(fault)); });
  if (m_device_work) {
    m_device_work->follow(work, std::move(begin),
                          [future, launched, transport = m_transport, on_fault, done](const DeviceWorkWatch::End& end) {
                            if (end.error.empty()) done(end.time);
                            passOn(end.error, end.error.empty() ? launched->constValue() : at::IValue(), *future,
                                   *transport);
                          });
  } else {
    launched->addCallback([future, transport = m_transport, on_fault, done, start](Future& ended) {
      if (!ended.hasError()) done({start, monotonicNow()});
      passOn(ended.hasError() ? ended.tryRetrieveErrorMessage() : "",
             ended.hasError() ? at::IValue() : ended.constValue(), *future, *transport);
    });
  }
  return c10::make_intrusive<WatchedWork>(type, std::move(future));
}

c10::intrusive_ptr<c10d::Work> WatchedBackend::allreduce(std::vector<at::Tensor>& tensors,
                                                         const c10d::AllreduceOptions& options) {
  std::int64_t bytes = 0;
  for (const at::Tensor& tensor : tensors) bytes += static_cast<std::int64_t>(tensor.nbytes());
  return watched(
      c10d::OpType::ALLREDUCE, [&] { return m_backend->allreduce(tensors, options); },
      [notes = m_notes, bytes](TimeRange time) {
        const std::lock_guard lock(notes->mutex);
        notes->reductions.push_back({time, bytes});
      });
}

c10::intrusive_ptr<c10d::Work> WatchedBackend::broadcast(std::vector<at::Tensor>& tensors,
                                                         const c10d::BroadcastOptions& options) {
  return watched(
      c10d::OpType::BROADCAST, [&] { return m_backend->broadcast(tensors, options); }, [](TimeRange) {});
}

c10::intrusive_ptr<c10d::Work> WatchedBackend::allgather(std::vector<std::vector<at::Tensor>>& outputs,
                                                         std::vector<at::Tensor>& inputs,
                                                         const c10d::AllgatherOptions& options) {
  return watched(
      c10d::OpType::ALLGATHER, [&] { return m_backend->allgather(outputs, inputs, options); }, [](TimeRange) {});
}

std::vector<Reduction> WatchedBackend::collectReductions() {
  const std::lock_guard lock(m_notes->mutex);
  return std::exchange(m_notes->reductions, {});
}

c10::intrusive_ptr<c10d::ProcessGroup> processGroupOver(c10::intrusive_ptr<WatchedBackend> host,
                                                        c10::intrusive_ptr<WatchedBackend> on_device,
                                                        c10::DeviceType device) {
  using Type = c10d::ProcessGroup::BackendType;
  auto group = c10::make_intrusive<c10d::ProcessGroup>(host->getRank(), host->getSize());
  group->setDefaultBackend(Type::GLOO);
  const c10::intrusive_ptr<c10d::Backend> any_host = std::move(host), any_device = std::move(on_device);
  group->setBackend(c10::DeviceType::CPU, Type::GLOO, any_host);
  if (device != c10::DeviceType::CPU)
    group->setBackend(device, any_device ? Type::NCCL : Type::GLOO, any_device ? any_device : any_host);
  return group;
}

}  // namespace lanelab
