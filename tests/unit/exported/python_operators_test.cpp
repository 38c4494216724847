// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/python_operators.h"

#include <gmock/gmock.h>

#include "tests/unit/exported/sample_networks.h"

namespace lanelab::test {
namespace {

using testing::HasSubstr;

TEST(PythonOperators, AreRefusedWithTheirModuleAndLine) {
  const Status mixtral = refusePythonOperators(sampleNetwork("mixtral").graph);
  ASSERT_FALSE(mixtral.ok());
  EXPECT_EQ(mixtral.error().kind, Error::Kind::BadInput);
  EXPECT_THAT(
      mixtral.error().message,
      HasSubstr("transformers.grouped_mm_fallback.default of module inner.model.layers.0.mlp.experts (moe.py:"));
}

TEST(PythonOperators, AreInOneSampleOnly) {
  for (const std::string& name : sampleNetworkNames()) {
    EXPECT_EQ(refusePythonOperators(sampleNetwork(name).graph).ok(), name != "mixtral") << name;
  }
}

}  // namespace
}  // namespace lanelab::test
