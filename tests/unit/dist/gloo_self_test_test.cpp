// SPDX-License-Identifier: GPL-3.0-only
// What does not fit is refused with a sentence: other numbers, other sizes, calls that fail or hang, other versions.
#include "engine/dist/gloo_self_test.h"

#include <gmock/gmock.h>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "engine/dist/gloo_group.h"

namespace lanelab {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Member = c10::intrusive_ptr<c10d::Backend>;
using Work = c10::intrusive_ptr<c10d::Work>;
using Tensors = std::vector<at::Tensor>;

constexpr std::chrono::seconds kLimit(60);

Member glooMember(const c10::intrusive_ptr<c10d::Store>& store, int rank) {
  auto options = c10d::ProcessGroupGloo::Options::create(std::chrono::seconds(5));
  options->devices = glooDevicesWithin();
  return c10::make_intrusive<c10d::ProcessGroupGloo>(store, rank, 2, options);
}

/// What is done to what one of the calls received.
struct Damage {
  std::string call;
  std::function<void(at::Tensor& received)> of_received;
};

/// What Gloo has done already; it waits for a recv once only.
struct Done final : c10d::Work {
  bool wait(std::chrono::milliseconds) override { return true; }
};

/// Gloo with one call that is not as it should be.
class Damaged final : public c10d::Backend {
 public:
  Damaged(Member gloo, Damage damage)
      : c10d::Backend(gloo->getRank(), gloo->getSize()), m_gloo(std::move(gloo)), m_damage(std::move(damage)) {}

  Work send(Tensors& tensors, int to, int tag) override { return m_gloo->send(tensors, to, tag); }
  Work recv(Tensors& tensors, int from, int tag) override {
    // The last recv is aborted and gets nothing.
    return tag == 0 ? done(m_gloo->recv(tensors, from, tag), "recv", tensors[0]) : m_gloo->recv(tensors, from, tag);
  }
  Work allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) override {
    return done(m_gloo->allreduce(tensors, options), "allreduce", tensors[0]);
  }
  Work broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) override {
    return done(m_gloo->broadcast(tensors, options), "broadcast", tensors[0]);
  }
  Work allgather(std::vector<Tensors>& outputs, Tensors& inputs, const c10d::AllgatherOptions& options) override {
    return done(m_gloo->allgather(outputs, inputs, options), "allgather", outputs[0][1]);
  }

 private:
  Work done(Work work, const char* call, at::Tensor& received) const {
    if (m_damage.call != call) return work;
    work->wait(kLimit);
    m_damage.of_received(received);
    return c10::make_intrusive<Done>();
  }

  Member m_gloo;
  Damage m_damage;
};

MemberMaker damagedBy(const Damage& damage) {
  return [damage](const c10::intrusive_ptr<c10d::Store>& store, int rank) -> Member {
    return c10::make_intrusive<Damaged>(glooMember(store, rank), damage);
  };
}

void oneNumber(at::Tensor& received) { received.view({-1})[5].add_(1); }
/// As if the sender's elements were larger: the next bytes are written, too.
void oneBehind(at::Tensor& received) {
  received.as_strided({1}, {1}, received.storage_offset() + received.numel()).fill_(0);
}
void oneBefore(at::Tensor& received) { received.as_strided({1}, {1}, received.storage_offset() - 1).fill_(0); }

TEST(GlooSelfTest, ThisPyTorchFits) { EXPECT_EQ(glooFault(), ""); }

TEST(GlooSelfTest, AGroupThatDoesAsItShouldHasNoFault) { EXPECT_EQ(groupFault(damagedBy({}), kLimit), ""); }

TEST(GlooSelfTest, OtherNumbersOrSizesNameTheCallAndTheRemedy) {
  for (const auto& damage : {oneNumber, oneBehind, oneBefore}) {
    for (const std::string call : {"recv", "allreduce", "broadcast", "allgather"}) {
      EXPECT_THAT(
          groupFault(damagedBy({call, damage}), kLimit),
          AllOf(StartsWith("The loaded PyTorch does not fit this build of LaneLab: "),
                HasSubstr("Gloo's " + call + " gives other numbers or sizes"), HasSubstr("LANELAB_TORCH_ROOT")));
    }
  }
}

TEST(GlooSelfTest, AGroupThatIsNotMadeSaysWhy) {
  const auto refuses = [](const c10::intrusive_ptr<c10d::Store>&, int) -> Member {
    throw std::runtime_error("its ProcessGroupGloo is larger than that of the headers");
  };
  EXPECT_THAT(groupFault(refuses, kLimit), HasSubstr("its ProcessGroupGloo is larger than that of the headers. Build"));
}

TEST(GlooSelfTest, ACallThatHangsIsAFaultWithinTheLimit) {
  struct Gate {
    std::mutex mutex;
    std::condition_variable changed;
    bool open = false;
  };
  const auto gate = std::make_shared<Gate>();
  const auto hangs = [gate](const c10::intrusive_ptr<c10d::Store>&, int) -> Member {
    std::unique_lock lock(gate->mutex);
    gate->changed.wait_for(lock, kLimit, [&] { return gate->open; });
    throw std::runtime_error("opened");
  };
  EXPECT_THAT(groupFault(hangs, std::chrono::milliseconds(50)), HasSubstr("a call of Gloo does not return"));
  const std::lock_guard lock(gate->mutex);
  gate->open = true;
  gate->changed.notify_all();
}

TEST(GlooSelfTest, VersionsMayDifferInThePatchLevelOnly) {
  EXPECT_EQ(versionFault("2.15.0", "2.15.0"), "");
  EXPECT_EQ(versionFault("2.15.0", "2.15.1+cu132"), "");
  EXPECT_EQ(versionFault("2.15.0", ""), "") << "a library that does not say";
  EXPECT_THAT(versionFault("2.15.0", "2.11.0"), HasSubstr("it is 2.11.0"));
  EXPECT_THAT(versionFault("2.1.0", "2.15.0"), HasSubstr("it is 2.15.0"));
}

}  // namespace
}  // namespace lanelab
