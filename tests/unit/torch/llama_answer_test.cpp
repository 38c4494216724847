// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <numeric>

#include "base/whole_file.h"
#include "engine/record/run_store.h"
#include "engine/torch/inference/inference.h"
#include "tests/support/seen_progress.h"

namespace lanelab {
namespace {

const std::string kTiny = LANELAB_SOURCE_DIR "/resources/models/tiny-llama/";

LlamaQuestion counting(MapDevice::Kind where) {
  LlamaQuestion question;
  question.config = *parseLlamaConfig(*readWholeFile(kTiny + "config.json", 1 << 20), "config");
  question.weights = kTiny + "model.safetensors";
  question.prompt = {7, 8, 9};
  question.map.places[""] = {where, 0};
  question.generate = 12;
  return question;
}

TEST(LlamaAnswer, GoesOnCountingWhereverTheWeightsLie) {
  std::vector<std::int64_t> numbers(12);
  std::iota(numbers.begin(), numbers.end(), 10);
  for (const MapDevice::Kind where : {MapDevice::Kind::Cpu, MapDevice::Kind::Disk}) {
    const auto answer = answerLlama(counting(where), {});
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ(answer->tokens, numbers);
    EXPECT_EQ(answer->offloaded_bytes > 0, where == MapDevice::Kind::Disk);
    EXPECT_FALSE(answer->int8_error);
  }
  LlamaQuestion eight = counting(MapDevice::Kind::Cpu);
  eight.int8 = true;
  const auto answer = answerLlama(eight, {});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->tokens, numbers);
  EXPECT_GT(*answer->int8_error, 0);
}

TEST(LlamaAnswer, RefusesWithTheFix) {
  const auto problem = [](const std::function<void(LlamaQuestion&)>& change) {
    LlamaQuestion question = counting(MapDevice::Kind::Cpu);
    change(question);
    const auto answer = answerLlama(question, {});
    return answer.ok() ? "none" : answer.error().message;
  };
  EXPECT_NE(problem([](LlamaQuestion& q) { q.prompt = {5, 48}; }).find("tokens from 0 to 47"), std::string::npos);
  EXPECT_NE(problem([](LlamaQuestion& q) { q.prompt.clear(); }).find("prompt is empty"), std::string::npos);
  EXPECT_NE(problem([](LlamaQuestion& q) { q.weights = "none.safetensors"; }).find("none.safetensors"),
            std::string::npos);
}

TEST(LlamaAnswer, CountsItsTokensAndComputesNoneAfterACancel) {
  std::vector<Progress> seen;
  ASSERT_TRUE(answerLlama(counting(MapDevice::Kind::Cpu), {test::into(seen)}).ok());
  test::expectSteadyProgress(seen);
  EXPECT_EQ(seen.front().total, 12) << "tokens";
  test::CancelAfter cancel(4);
  const auto cancelled = answerLlama(counting(MapDevice::Kind::Cpu), cancel.control());
  ASSERT_FALSE(cancelled.ok());
  EXPECT_EQ(cancelled.error().kind, Error::Kind::Cancelled);
  EXPECT_EQ(cancel.seen(), 4);
}

}  // namespace
}  // namespace lanelab
