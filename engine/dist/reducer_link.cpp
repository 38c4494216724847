// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/reducer_link.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/distributed/c10d/reducer.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "engine/dist/carrier.h"
#include "engine/dist/rendezvous/process_id.h"
#include "engine/dist/rendezvous/text_exchange.h"
#include "engine/dist/watched_backend.h"
#include "engine/torch/devices/cuda_platform.h"

namespace lanelab {

namespace {

constexpr std::int64_t kBroadcastBytes = 250 * 1024 * 1024;  ///< as DistributedDataParallel's

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// A backward pass that goes to all parameters with no gradient: their own stay as they are, and the Reducer's hooks
/// are called.
class CallHooks : public torch::autograd::Function<CallHooks> {
 public:
  static at::Tensor forward(AutogradContext* context, at::TensorList parameters) {
    context->saved_data["count"] = static_cast<std::int64_t>(parameters.size());
    return at::zeros({});
  }
  static variable_list backward(AutogradContext* context, const variable_list&) {
    return variable_list(static_cast<std::size_t>(context->saved_data["count"].toInt()));
  }
};

/// One line a parameter: name, type and shape.
std::string listOf(const ReplicaMember& member) {
  std::ostringstream list;
  for (std::size_t i = 0; i < member.parameters.size(); ++i) {
    const at::Tensor& parameter = member.parameters[i];
    list << (i < member.names.size() ? member.names[i] : "parameter " + std::to_string(i)) << " "
         << parameter.scalar_type() << " " << parameter.sizes() << "\n";
  }
  return list.str();
}

/// The first line that differs, or what is missing there.
std::string firstDifference(const std::string& mine, const std::string& other) {
  std::istringstream lines(mine), other_lines(other);
  std::string line, other_line;
  while (std::getline(lines, line)) {
    if (!std::getline(other_lines, other_line)) return line + " against nothing";
    if (line != other_line) return line + " against " + other_line;
  }
  return std::getline(other_lines, other_line) ? "nothing against " + other_line : "";
}

/// c10d then starts no thread of its own that looks after NCCL's work: after an error that one ends the process, and
/// while a member is gone it may. The lane's own watch does it instead (device_work.h, watched_backend.h). Said before
/// main(), where no other thread can be reading the environment.
[[maybe_unused]] const int no_watchdog = ::setenv("TORCH_NCCL_BLOCKING_WAIT", "1", 0);

bool ncclWanted() {
  const char* const value = std::getenv("LANELAB_NCCL");
  return !value || std::strcmp(value, "0") != 0;
}

ReplicaPlace placeOf(const ReplicaMember& member) {
  ReplicaPlace place;
  const std::string machine = ProcessId::ofThisProcess().machine;
  place.machine = machine.substr(0, machine.find('/'));
  place.lanes = member.lanes_on_device;
  place.nccl_wanted = ncclWanted();
  if (const CudaPlatform* const platform = member.device.is_cuda() ? cudaPlatform() : nullptr) {
    place.gpu = platform->devices().at(static_cast<std::size_t>(member.device.index())).bus;
  }
  return place;
}

Carrier agreedCarrier(const ReplicaMember& member, WatchedBackend& host, const GlooTransport& transport) {
  std::vector<ReplicaPlace> places;
  for (const std::string& line :
       namingLostPeers(transport, [&] { return exchangeTexts(host, placeOf(member).line()); }))
    places.push_back(ReplicaPlace::fromLine(line));
  return chooseCarrier(places);
}

/// The group that carries the tensors of replicas on GPUs.
struct DeviceGroup {
  c10::intrusive_ptr<WatchedBackend> backend;  ///< NCCL's; null: the host's group carries them too
  std::string notice;                          ///< why so, where a replica is on a GPU
};

/// All members of the group call it, with the group that joins them on the host, and find the same. Returns when NCCL
/// has connected them. Throws std::runtime_error with a sentence. `name` is the group's.
DeviceGroup joinOnDevices(const ReplicaMember& member, const std::string& name, WatchedBackend& host,
                          std::shared_ptr<const GlooTransport> transport) {
  const Carrier carrier = agreedCarrier(member, host, *transport);
  if (!carrier.nccl) return {nullptr, carrier.why_not};
  const auto make = [transport, rank = member.replica, size = member.replicas,
                     device = member.device.index()](const c10::intrusive_ptr<c10d::Store>& store) {
    return cudaPlatform()->ncclGroup(store, rank, size, device, transport->timeout);
  };
  auto group = GroupConnection(transport, name + "/nccl", make).group();
  return {c10::make_intrusive<WatchedBackend>(std::move(group), std::move(transport), member.device), ""};
}

class ReducerLink final : public ReplicaLink {
 public:
  ReducerLink(const ReplicaMember& member, std::shared_ptr<const GlooTransport> transport)
      : m_member(member), m_transport(std::move(transport)) {
    const std::string name = "replicas/" + member.group;
    m_backend = c10::make_intrusive<WatchedBackend>(
        GroupConnection(m_transport, name, member.replica, member.replicas).group(), m_transport);
    m_on_device = joinOnDevices(member, name, *m_backend, m_transport);
    m_group = processGroupOver(m_backend, m_on_device.backend, member.device.type());
    compareParameters();
    namingLostPeers(*m_transport, [this] {
      std::vector<at::Tensor> all;
      for (const at::Tensor& parameter : m_member.parameters) all.push_back(parameter.detach());
      for (const at::Tensor& buffer : m_member.buffers) all.push_back(buffer.detach());
      broadcast(all);
      makeReducer();
    });
  }

  ~ReducerLink() override {
    try {
      m_reducer.reset();
    } catch (const std::exception&) {
      // Its destructor may throw; what broke was reported where it broke.
    }
  }

  void beginStep() override {
    namingLostPeers(*m_transport, [this] {
      if (m_reducer) {
        m_reducer->prepare_for_forward();
        m_reducer->rebuild_buckets();
      }
      broadcast(m_member.buffers);
    });
  }

  void beforeLastBackward() override {
    if (!m_reducer) return;
    namingLostPeers(*m_transport, [this] { m_reducer->prepare_for_backward({}); });
    m_reducing = true;
  }

  /// Without beforeLastBackward(), as after the weight parts of split backwards, all gradients are reduced now.
  void afterLastBackward() override {
    if (!m_reducer) return;
    std::vector<Reduction> reductions = namingLostPeers(*m_transport, [this] {
      const TensorList unused = withoutGradient();
      const bool reducing = std::exchange(m_reducing, false);
      if (!reducing) m_reducer->prepare_for_backward({});
      const TensorList& waiting = reducing ? unused : m_member.parameters;
      if (!waiting.empty()) CallHooks::apply(at::TensorList(waiting)).backward();
      for (const at::Tensor& parameter : unused) parameter.mutable_grad().reset();
      return (m_on_device.backend ? m_on_device.backend : m_backend)->collectReductions();
    });
    if (!m_member.reduced) return;
    std::sort(reductions.begin(), reductions.end(),
              [](const Reduction& a, const Reduction& b) { return a.time.start < b.time.start; });
    for (const Reduction& reduction : reductions) m_member.reduced(reduction.time, reduction.bytes);
  }

  std::string notice() const override { return m_on_device.notice; }

 private:
  /// Parameters that the loss does not use have none in any replica. As with find_unused_parameters, the Reducer must
  /// not wait for them, and they stay without one: the optimizer leaves them as they are.
  TensorList withoutGradient() const {
    TensorList unused;
    for (const at::Tensor& parameter : m_member.parameters)
      if (!parameter.grad().defined()) unused.push_back(parameter);
    return unused;
  }

  void broadcast(const std::vector<at::Tensor>& tensors) {
    const at::NoGradGuard no_grad;
    if (!tensors.empty()) c10d::broadcast_coalesced(m_group, tensors, kBroadcastBytes);
  }

  /// All replicas must have the same parameters; else a sentence names the first that differs.
  void compareParameters() {
    const std::string mine = listOf(m_member);
    const std::string first = namingLostPeers(*m_transport, [&] { return exchangeTexts(*m_backend, mine).front(); });
    if (mine == first) return;
    throw std::runtime_error("Replica " + std::to_string(m_member.replica) + " of " + m_member.group +
                             " has other parameters than replica 0: " + firstDifference(mine, first) +
                             ". All processes must run the same experiment.");
  }

  void makeReducer() {
    const std::vector<at::Tensor>& parameters = m_member.parameters;
    if (parameters.empty()) return;  // a stage with nothing to train
    const std::vector<bool> sparse(parameters.size(), false);
    auto buckets = std::get<0>(
        c10d::compute_bucket_assignment_by_size(parameters, {std::numeric_limits<std::size_t>::max()}, sparse));
    std::reverse(buckets.begin(), buckets.end());
    std::unordered_map<std::size_t, std::string> names;
    for (std::size_t i = 0; i < m_member.names.size(); ++i) names.emplace(i, m_member.names[i]);
    m_reducer = std::make_unique<c10d::Reducer>(
        parameters, std::move(buckets), m_group, sparse, c10d::kDefaultBucketBytesCap,
        /*find_unused_parameters=*/false, /*gradient_as_bucket_view=*/false, std::move(names),
        c10d::kDefaultFirstBucketBytes, /*skip_all_reduce_unused_params=*/false, /*use_python_reducer=*/false,
        std::vector<std::int64_t>());
  }

  ReplicaMember m_member;
  std::shared_ptr<const GlooTransport> m_transport;
  c10::intrusive_ptr<WatchedBackend> m_backend;  ///< Gloo's
  DeviceGroup m_on_device;
  c10::intrusive_ptr<c10d::ProcessGroup> m_group;
  std::unique_ptr<c10d::Reducer> m_reducer;  ///< null where nothing is trained
  bool m_reducing = false;                   ///< since beforeLastBackward()
};

}  // namespace

std::unique_ptr<ReplicaLink> joinByReducer(const ReplicaMember& member,
                                           std::shared_ptr<const GlooTransport> transport) {
  return std::make_unique<ReducerLink>(member, std::move(transport));
}

}  // namespace lanelab
