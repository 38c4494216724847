// SPDX-License-Identifier: GPL-3.0-only
// Work that goes on after its future is done, as NCCL's: lanes wait for its end, for an error, for a fault or for the
// time to be over.
#include "engine/dist/device_work.h"

#include <ATen/ops/ones.h>
#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <stdexcept>

#include "engine/dist/watched_backend.h"

namespace lanelab {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// As ProcessGroupNCCL's: the future is done at once, the work when the test says so.
class LaunchedWork final : public c10d::Work {
 public:
  explicit LaunchedWork(std::vector<at::Tensor> outputs)
      : m_future(c10::make_intrusive<c10::ivalue::Future>(c10::ListType::create(c10::TensorType::get()))) {
    m_future->markCompleted(at::IValue(std::move(outputs)));
  }
  bool isCompleted() override { return m_done; }
  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override { return m_future; }
  void end(const std::string& error = "") {
    if (!error.empty()) exception_ = std::make_exception_ptr(std::runtime_error(error));
    m_done = true;
  }

 private:
  c10::intrusive_ptr<c10::ivalue::Future> m_future;
  std::atomic<bool> m_done = false;
};

/// A group of one whose work never ends by itself.
class LaunchingBackend final : public c10d::Backend {
 public:
  LaunchingBackend() : c10d::Backend(0, 1) {}
  const std::string getBackendName() const override { return "launching"; }
  c10::intrusive_ptr<c10d::Work> allreduce(std::vector<at::Tensor>& tensors, const c10d::AllreduceOptions&) override {
    works.push_back(c10::make_intrusive<LaunchedWork>(tensors));
    return works.back();
  }
  void abort() override { aborted.set_value(); }
  void shutdown() override { was_shut_down.set_value(); }

  std::vector<c10::intrusive_ptr<LaunchedWork>> works;
  std::promise<void> aborted, was_shut_down;
};

struct Group {
  explicit Group(std::chrono::milliseconds timeout = 1min)
      : transport(std::make_shared<GlooTransport>(GlooTransport{{},
                                                                timeout,
                                                                board,
                                                                {},
                                                                [board_of = board](const std::string& what) {
                                                                  const auto fault = board_of->fault();
                                                                  return fault ? *fault : "Broken: " + what;
                                                                }})),
        watched(c10::make_intrusive<WatchedBackend>(backend, transport, at::Device(at::kCPU))) {}

  c10::intrusive_ptr<c10d::Work> reduce() {
    std::vector<at::Tensor> tensors{at::ones({4})};
    return watched->allreduce(tensors, {});
  }
  static std::string errorOf(const c10::intrusive_ptr<c10d::Work>& work) {
    try {
      work->wait();
      return "";
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  std::shared_ptr<FaultBoard> board = std::make_shared<FaultBoard>();
  c10::intrusive_ptr<LaunchingBackend> backend = c10::make_intrusive<LaunchingBackend>();
  std::shared_ptr<const GlooTransport> transport;
  c10::intrusive_ptr<WatchedBackend> watched;
};

TEST(DeviceWork, IsDoneWhenTheWorkIsAndNotWhenItIsLaunched) {
  Group group;
  const auto first = group.reduce(), second = group.reduce();
  EXPECT_FALSE(first->isCompleted());
  group.backend->works[0]->end();
  EXPECT_EQ(Group::errorOf(first), "");
  EXPECT_TRUE(first->isSuccess());
  EXPECT_EQ(first->result().at(0).numel(), 4);
  EXPECT_FALSE(second->isCompleted());
  group.backend->works[1]->end();
  EXPECT_EQ(Group::errorOf(second), "");
  const std::vector<Reduction> reductions = group.watched->collectReductions();
  ASSERT_EQ(reductions.size(), 2u);
  EXPECT_EQ(reductions[0].bytes, 16);
  EXPECT_LE(reductions[0].time.start, reductions[0].time.end);
  EXPECT_LE(reductions[0].time.end, reductions[1].time.end);
}

TEST(DeviceWork, TellsOfErrorsThatComeLater) {
  Group group;
  const auto work = group.reduce();
  group.backend->works[0]->end("the network is gone");
  EXPECT_THAT(Group::errorOf(work), HasSubstr("Broken: the network is gone"));
  EXPECT_TRUE(group.watched->collectReductions().empty());
}

TEST(DeviceWork, IsNotWaitedForWithoutLimit) {
  Group group(20ms);
  EXPECT_THAT(Group::errorOf(group.reduce()), HasSubstr("Broken: it did not end within 0 s"));
}

TEST(DeviceWork, EndsWithTheFaultAndAbortsTheGroup) {
  Group group;
  const auto work = group.reduce();
  auto aborted = group.backend->aborted.get_future();
  group.board->raise("Lost rank 1 (b, process 7): its process has ended.");
  EXPECT_THAT(Group::errorOf(work), HasSubstr("Lost rank 1 (b, process 7): its process has ended."));
  EXPECT_EQ(aborted.wait_for(1min), std::future_status::ready);
  auto shut_down = group.backend->was_shut_down.get_future();
  group.watched.reset();
  EXPECT_TRUE(group.transport->retired->await(1min));
  EXPECT_EQ(shut_down.wait_for(0s), std::future_status::timeout) << "what was aborted must not wait for its members";
}

TEST(DeviceWork, AGroupThatIsLetGoIsShutDownElsewhere) {
  Group group;
  const auto work = group.reduce();
  group.backend->works[0]->end();
  EXPECT_EQ(Group::errorOf(work), "");
  auto shut_down = group.backend->was_shut_down.get_future();
  group.watched.reset();
  EXPECT_EQ(shut_down.wait_for(1min), std::future_status::ready);
  EXPECT_TRUE(group.transport->retired->await(1min));
}

TEST(RetiredGroups, AreWaitedForAsLongAsIsSaid) {
  RetiredGroups retired;
  std::promise<void> go;
  retired.retire([may_go = go.get_future().share()] { may_go.wait(); });
  retired.retire([] { throw std::runtime_error("it was broken before"); });
  EXPECT_FALSE(retired.await(5ms));
  go.set_value();
  EXPECT_TRUE(retired.await(1min));
}

}  // namespace
}  // namespace lanelab
