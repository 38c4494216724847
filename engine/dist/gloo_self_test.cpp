// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/gloo_self_test.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <torch/version.h>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include <algorithm>
#include <cstring>
#include <future>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engine/dist/gloo_group.h"
#include "engine/dist/rendezvous/limited_call.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/devices/torch_version.h"

namespace lanelab {

namespace {

constexpr std::chrono::seconds kLimit(60), kLimitOfCall(30);
constexpr std::size_t kGuardBytes = 1024;
constexpr unsigned char kGuard = 0xA5;
/// More than one of Gloo's segments holds, and no multiple of anything.
constexpr std::int64_t kLength = 100'003;
constexpr std::int64_t kMargin = 16;  ///< elements before and behind what is received, which must stay as they are

std::string refusal(const std::string& what) {
  return "The loaded PyTorch does not fit this build of LaneLab: " + what +
         ". Build LaneLab against the PyTorch that it is to run with (LANELAB_TORCH_ROOT), or run it with the one "
         "against which it was built, " TORCH_VERSION ".";
}

/// A call that did not do as it should, rather than one that failed since the other member had.
class WrongCall : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws WrongCall where a call did not leave what it should.
void expect(bool right, const char* call) {
  if (!right) throw WrongCall(std::string("Gloo's ") + call + " gives other numbers or sizes than it should");
}

void await(const c10::intrusive_ptr<c10d::Work>& work, const char* call) {
  expect(work && work->wait(kLimitOfCall), call);
}

/// Where something is received, with a margin on both sides.
struct Landing {
  explicit Landing(at::ScalarType type) : whole(at::full({kLength + 2 * kMargin}, 7, type)) {}
  at::Tensor inner() const { return whole.narrow(0, kMargin, kLength); }
  bool marginsStand() const {
    const at::Tensor margin = at::full({kMargin}, 7, whole.scalar_type());
    return at::equal(whole.narrow(0, 0, kMargin), margin) &&
           at::equal(whole.narrow(0, kMargin + kLength, kMargin), margin);
  }
  at::Tensor whole;
};

/// What member `rank` has: numbers that no sum of two rounds.
at::Tensor numbersOf(int rank, at::ScalarType type) { return at::arange(kLength, type) * (rank + 1) + rank; }

void trySending(c10d::Backend& group, int rank) {
  std::vector<at::Tensor> mine{numbersOf(rank, at::kFloat)};
  const Landing landing(at::kFloat);
  std::vector<at::Tensor> other{landing.inner()};
  const auto sent = group.send(mine, 1 - rank, 0);
  const auto received = group.recv(other, 1 - rank, 0);
  await(received, "recv");
  await(sent, "send");
  expect(at::equal(other[0], numbersOf(1 - rank, at::kFloat)) && landing.marginsStand(), "recv");
}

void tryReducing(c10d::Backend& group, int rank) {
  const Landing landing(at::kFloat);
  landing.inner().copy_(numbersOf(rank, at::kFloat));
  std::vector<at::Tensor> tensors{landing.inner()};
  await(group.allreduce(tensors, c10d::AllreduceOptions()), "allreduce");
  expect(at::equal(tensors[0], numbersOf(0, at::kFloat) + numbersOf(1, at::kFloat)) && landing.marginsStand(),
         "allreduce");
}

void tryBroadcasting(c10d::Backend& group, int rank) {
  const Landing landing(at::kLong);
  landing.inner().copy_(numbersOf(rank, at::kLong));
  std::vector<at::Tensor> tensors{landing.inner()};
  await(group.broadcast(tensors, c10d::BroadcastOptions()), "broadcast");
  expect(at::equal(tensors[0], numbersOf(0, at::kLong)) && landing.marginsStand(), "broadcast");
}

void tryGathering(c10d::Backend& group, int rank) {
  const Landing first(at::kLong), second(at::kLong);
  std::vector<std::vector<at::Tensor>> outputs{{first.inner(), second.inner()}};
  std::vector<at::Tensor> inputs{numbersOf(rank, at::kLong)};
  await(group.allgather(outputs, inputs, c10d::AllgatherOptions()), "allgather");
  expect(at::equal(outputs[0][0], numbersOf(0, at::kLong)) && at::equal(outputs[0][1], numbersOf(1, at::kLong)) &&
             first.marginsStand() && second.marginsStand(),
         "allgather");
}

/// On one member, when both have done all else: a lane that ends gives up what it waits for.
void tryAborting(c10d::Backend& group) {
  std::vector<at::Tensor> never{at::full({1}, 0, at::kFloat)};
  const auto work = group.recv(never, 1 - group.getRank(), 1);
  work->abort();
  expect(!work->wait(kLimitOfCall), "abort of a recv");
}

using Member = c10::intrusive_ptr<c10d::Backend>;

/// All other calls that groups of a run make, on one member.
Member tryMember(const MemberMaker& make, const c10::intrusive_ptr<c10d::Store>& store, int rank) {
  Member group = make(store, rank);
  expect(group->getRank() == rank && group->getSize() == 2, "group");
  trySending(*group, rank);
  tryReducing(*group, rank);
  tryBroadcasting(*group, rank);
  tryGathering(*group, rank);
  return group;
}

/// What went wrong on one of the members; empty if nothing did.
std::string faultOfMembers(const MemberMaker& make) {
  const c10::intrusive_ptr<c10d::Store> store = c10::make_intrusive<c10d::HashStore>();
  std::vector<std::future<Member>> members;
  for (int rank = 0; rank < 2; ++rank)
    members.push_back(std::async(std::launch::async, [&make, store, rank] { return tryMember(make, store, rank); }));
  std::vector<Member> groups;  // until both have done: one that ends closes the connections of the other
  std::string wrong, failed;
  for (std::future<Member>& member : members) {
    try {
      groups.push_back(member.get());
      if (groups.size() == members.size()) tryAborting(*groups.back());
    } catch (const WrongCall& error) {
      wrong = error.what();
    } catch (const std::exception& error) {
      failed = plainMessage(error);
    }
  }
  return wrong.empty() ? failed : wrong;
}

/// A member whose memory is followed by bytes that must stay as they are: what the wheel's constructor writes behind
/// the size that the headers give tells that its class is larger.
c10::intrusive_ptr<c10d::Backend> guardedMember(const c10::intrusive_ptr<c10d::Store>& store, int rank) {
  using Group = c10d::ProcessGroupGloo;
  auto options = Group::Options::create(kLimitOfCall);
  options->devices = glooDevicesWithin();
  auto* const memory = static_cast<unsigned char*>(::operator new(sizeof(Group) + kGuardBytes));
  std::memset(memory + sizeof(Group), kGuard, kGuardBytes);
  auto* const group = new (memory) Group(store, rank, /*size=*/2, options);
  const std::span<const unsigned char> guard(memory + sizeof(Group), kGuardBytes);
  const bool stands = std::all_of(guard.begin(), guard.end(), [](unsigned char byte) { return byte == kGuard; });
  // Its destructor may be as wrong as its constructor, so that memory stays.
  if (!stands) throw std::runtime_error("its ProcessGroupGloo is larger than that of the headers");
  return c10::intrusive_ptr<Group>::unsafe_steal_from_new(group);
}

std::string majorAndMinor(const std::string& version) {
  const std::size_t first = version.find('.');
  return first == std::string::npos ? version : version.substr(0, version.find('.', first + 1));
}

}  // namespace

std::string groupFault(const MemberMaker& make, std::chrono::milliseconds limit) {
  const std::optional<std::string> fault = withinLimit<std::string>(limit, [make] { return faultOfMembers(make); });
  if (!fault) return refusal("a call of Gloo does not return");
  return fault->empty() ? std::string() : refusal(*fault);
}

std::string versionFault(const std::string& built, const std::string& loaded) {
  if (loaded.empty() || majorAndMinor(built) == majorAndMinor(loaded)) return {};
  return refusal("it is " + loaded);
}

const std::string& glooFault() {
  static const std::string fault = [] {
    const std::string version = versionFault(TORCH_VERSION, loadedTorchVersion());
    return version.empty() ? groupFault(guardedMember, kLimit) : version;
  }();
  return fault;
}

}  // namespace lanelab
