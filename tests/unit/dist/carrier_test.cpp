// SPDX-License-Identifier: GPL-3.0-only
// NCCL or Gloo for the gradients of replicas: a table.
#include "engine/dist/carrier.h"

#include <gtest/gtest.h>

namespace lanelab {
namespace {

ReplicaPlace gpu(const std::string& bus, const std::string& machine = "a") { return {machine, bus, 1, true}; }
const ReplicaPlace kCpu{"a", "", 1, true};

struct Case {
  std::string name;
  std::vector<ReplicaPlace> places;
  bool nccl;
  std::string reason;  ///< empty: none
};

class Carriers : public ::testing::TestWithParam<Case> {};

TEST_P(Carriers, AreFoundByThePlacesOfAllReplicas) {
  const Case& one = GetParam();
  const Carrier carrier = chooseCarrier(one.places);
  EXPECT_EQ(carrier.nccl, one.nccl);
  const std::string sentence =
      "Replicas exchange gradients by Gloo, through the host's memory, and not by NCCL: " + one.reason + ".";
  EXPECT_EQ(carrier.why_not, one.reason.empty() ? "" : sentence);
}

INSTANTIATE_TEST_SUITE_P(
    , Carriers,
    ::testing::Values(
        Case{"Cpus", {kCpu, kCpu}, false, ""}, Case{"TwoGpus", {gpu("0000:3b:00.0"), gpu("0000:5e:00.0")}, true, ""},
        Case{"SameAddressOnTwoMachines", {gpu("0000:3b:00.0", "a"), gpu("0000:3b:00.0", "b")}, true, ""},
        Case{"OneGpuTwice", {gpu("1"), gpu("2"), gpu("1")}, false, "replica 0 and replica 2 share a GPU"},
        Case{"ACpuAmongGpus", {gpu("1"), kCpu, gpu("2")}, false, "replica 1 is on a CPU"},
        Case{"SwitchedOffSomewhere", {gpu("1"), {"b", "2", 1, false}}, false, "LANELAB_NCCL is 0 for replica 1"},
        Case{"SwitchedOffOnACpu", {{"a", "", 1, false}, kCpu}, false, ""},
        Case{"SeveralLanesOfAGpu", {gpu("1"), {"a", "2", 2, true}}, false, "2 lanes share the GPU of replica 1"},
        Case{"AGpuTwiceWithinAProcess",
             {{"a", "1", 2, true}, {"a", "1", 2, true}},
             false,
             "2 lanes share the GPU of replica 0"}),
    [](const auto& given) { return given.param.name; });

TEST(ReplicaPlace, PassesAsALine) {
  for (const ReplicaPlace& place : {kCpu, gpu("0000:3b:00.0"), ReplicaPlace{"b", "2", 3, false}})
    EXPECT_EQ(ReplicaPlace::fromLine(place.line()), place);
}

}  // namespace
}  // namespace lanelab
