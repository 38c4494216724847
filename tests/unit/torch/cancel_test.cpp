// SPDX-License-Identifier: GPL-3.0-only
// A cancel is acted on between two operations of PyTorch, in every phase of the commands that train. Work after the
// request is counted in operations, which no other load of the machine changes.
#include <ATen/record_function.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "base/stop_point.h"
#include "engine/files/image_check.h"
#include "engine/torch/data/batch_loader.h"
#include "engine/torch/files/tensor_file.h"
#include "engine/torch/train/equality_check.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/torch/training_world.h"

#include <ATen/ops/zeros.h>

namespace lanelab {
namespace {

/// Of all threads while it lives; requests a stop at one of them.
class Operations {
 public:
  explicit Operations(std::int64_t stop_at = -1) : m_stop_at(stop_at) {
    s_counted = this;
    m_handle =
        at::addGlobalCallback(at::RecordFunctionCallback(&Operations::begun).scopes({at::RecordScope::FUNCTION}));
  }
  ~Operations() { at::removeCallback(m_handle); }
  Operations(const Operations&) = delete;
  Operations& operator=(const Operations&) = delete;

  std::stop_token token() const { return m_stop.get_token(); }
  std::int64_t count() const { return m_count; }
  std::int64_t afterRequest() const { return m_count - m_stop_at; }

 private:
  static std::unique_ptr<at::ObserverContext> begun(const at::RecordFunction&) {
    if (++s_counted->m_count == s_counted->m_stop_at) s_counted->m_stop.request_stop();
    return nullptr;
  }
  static inline Operations* s_counted = nullptr;
  const std::int64_t m_stop_at;
  std::atomic<std::int64_t> m_count{0};
  std::stop_source m_stop;
  at::CallbackHandle m_handle{};
};

/// An operation calls others, and some small ones make no tensor of a size that counts.
constexpr std::int64_t kFewOperations = 40;

VariantConfig single() {
  VariantConfig variant;
  variant.name = "Single";
  variant.lanes = std::vector<int>{0};
  return variant;
}

TEST(Cancel, EndsAnActionInItsMiddleAndTheNextRepeatWorks) {
  const Experiment experiment = resNet18(32, 2);
  const auto session = openSession(experiment, single());
  const std::vector<double> losses = session->runRepeat({}).losses;
  std::int64_t all = 0;
  {
    const Operations whole;
    (void)session->runRepeat({});
    all = whole.count();
  }
  ASSERT_GT(all, 10 * kFewOperations);
  for (const std::int64_t part : {all / 5, all / 3, all / 2, all * 4 / 5}) {
    const Operations operations(part);
    const RepeatOutcome outcome = session->runRepeat({.stop = operations.token()});
    ASSERT_FALSE(outcome.failure.ok());
    EXPECT_EQ(outcome.failure.error().kind, Error::Kind::Cancelled) << outcome.failure.error().message;
    EXPECT_LT(operations.afterRequest(), kFewOperations) << "stopped at " << part << " of " << all;
  }
  EXPECT_EQ(session->runRepeat({}).losses, losses);
}

TEST(Cancel, EndsTheMakingOfRandomData) {
  Experiment experiment = toy(8, 1);
  experiment.model = {"linear", 2, std::nullopt};
  experiment.data.shape = {1 << 12};
  experiment.data.rows = 1 << 18;  // 4 GiB, of which next to nothing is made
  const Operations operations(5);
  const auto inputs =
      withStop(operations.token(), [&] { return loadTrainingInputs(experiment, test::networkIn(experiment)); });
  ASSERT_FALSE(inputs.ok());
  EXPECT_EQ(inputs.error().kind, Error::Kind::Cancelled);
  EXPECT_LT(operations.afterRequest(), kFewOperations);
}

TEST(Cancel, EndsTheDrawingOfInitialWeights) {
  Experiment experiment = toy(8, 1);
  experiment.model = {"linear", 1000000, std::nullopt};
  experiment.data.shape = {1000};
  const Operations operations(3);
  const auto inputs =
      withStop(operations.token(), [&] { return loadTrainingInputs(experiment, test::networkIn(experiment)); });
  ASSERT_FALSE(inputs.ok());
  EXPECT_EQ(inputs.error().kind, Error::Kind::Cancelled);
  EXPECT_LT(operations.afterRequest(), kFewOperations);
}

TEST(Cancel, EndsTheMakingOfASession) {
  const Experiment experiment = resNet18(8, 1);
  const auto executor = makeTorchExecutor();
  const auto resolution = resolve(experiment);
  const auto variant = resolution->with(single());
  const auto sessionOf = executor->load(*variant, 1, nullptr);
  ASSERT_TRUE(sessionOf.ok());
  const Operations operations(20);
  const auto session = withStop(operations.token(), [&] { return (*sessionOf)(variant->variants()[0]); });
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.error().kind, Error::Kind::Cancelled) << session.error().message;
  EXPECT_LT(operations.afterRequest(), kFewOperations);
}

TEST(Cancel, EndsABlockProfile) {
  Experiment experiment = resNet18(16, 1);
  experiment.lanes.resize(2);
  const auto executor = makeTorchExecutor();
  for (const std::int64_t at : {100, 2000}) {
    const Operations operations(at);
    const auto profile =
        executor->measureBlocks(*resolve(experiment), {LaneId(0), {LaneId(1)}, {8}, {}}, operations.token());
    ASSERT_FALSE(profile.ok());
    EXPECT_EQ(profile.error().kind, Error::Kind::Cancelled) << profile.error().message;
    EXPECT_LT(operations.afterRequest(), 2 * kFewOperations) << "on two lanes";
  }
}

TEST(Cancel, EndsACheckInItsReferenceAndOnItsLanes) {
  Experiment experiment = resNet18(16, 1);
  experiment.variants = {single()};
  const auto check = [&](const Operations& operations) {
    return checkEquality(*resolve(experiment), 1, {.stop = operations.token()});
  };
  std::int64_t all = 0;
  {
    const Operations whole;
    ASSERT_TRUE(check(whole).ok());
    all = whole.count();
  }
  // Between what makes large tensors are updates and comparisons of many small ones.
  const std::int64_t twentieth = all / 20;
  for (std::int64_t part = twentieth; part < all * 3 / 4; part += 3 * twentieth) {
    const Operations operations(part);
    const auto report = check(operations);
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().kind, Error::Kind::Cancelled) << report.error().message;
    EXPECT_LT(operations.afterRequest(), twentieth) << "stopped at " << part << " of " << all;
  }
}

TEST(Cancel, LeavesNoHalfFileOfWeightsAndTheOlderOneAsItWas) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("weights.safetensors");
  std::ofstream(path) << "older";
  std::stop_source stop;
  stop.request_stop();
  const Status written = withStop(stop.get_token(), [&] {
    return writeSafetensors(path, {{"tensor", at::zeros({1 << 20})}}, Checksum::Yes);
  });
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().kind, Error::Kind::Cancelled);
  EXPECT_EQ(std::filesystem::file_size(path), 5u);
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(path).parent_path()))
    EXPECT_EQ(entry.path(), path);
}

TEST(Cancel, EndsTheLookAtImageFiles) {
  std::stop_source stop;
  stop.request_stop();
  const StopScope scope(stop.get_token());
  EXPECT_THROW(findUnreadableImages({"none.png", "nor this.png"}), Stopped);
}

TEST(Cancel, EndsTheWaitForABatch) {
  Experiment experiment = toy(4, 1000);
  experiment.data.shuffle = true;
  const auto inputs = loadTrainingInputs(experiment, test::networkIn(experiment));
  ASSERT_TRUE(inputs.ok());
  BatchLoader loader(*inputs, experiment.data);
  loader.start(0, 1000);
  std::stop_source stop;
  stop.request_stop();
  const StopScope scope(stop.get_token());
  EXPECT_THROW(loader.batch(999), Stopped);
}

}  // namespace
}  // namespace lanelab
