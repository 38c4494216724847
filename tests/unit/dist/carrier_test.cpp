// SPDX-License-Identifier: GPL-3.0-only
// NCCL or Gloo for the gradients of replicas: a table.
#include "engine/dist/carrier.h"

#include <gtest/gtest.h>

namespace lanelab {
namespace {

ReplicaPlace gpu(const std::string& bus, const std::string& machine = "a") { return {machine, bus, 1, true}; }
const ReplicaPlace kCpu{"a", "", 1, true};

struct CarrierCase {
  std::string name;
  std::vector<ReplicaPlace> places;
  bool nccl;
  std::string reason;  ///< empty: none
};

class Carriers : public ::testing::TestWithParam<CarrierCase> {};

TEST_P(Carriers, AreFoundByThePlacesOfAllReplicas) {
  const CarrierCase& one = GetParam();
  const Carrier carrier = chooseCarrier(one.places);
  EXPECT_EQ(carrier.nccl, one.nccl);
  const std::string sentence =
      "Replicas exchange gradients by Gloo, through the host's memory, and not by NCCL: " + one.reason + ".";
  EXPECT_EQ(carrier.why_not, one.reason.empty() ? "" : sentence);
}

INSTANTIATE_TEST_SUITE_P(
    , Carriers,
    ::testing::Values(
        CarrierCase{"Cpus", {kCpu, kCpu}, false, ""},
        CarrierCase{"TwoGpus", {gpu("0000:3b:00.0"), gpu("0000:5e:00.0")}, true, ""},
        CarrierCase{"SameAddressOnTwoMachines", {gpu("0000:3b:00.0", "a"), gpu("0000:3b:00.0", "b")}, true, ""},
        CarrierCase{"OneGpuTwice", {gpu("1"), gpu("2"), gpu("1")}, false, "replica 0 and replica 2 share a GPU"},
        CarrierCase{"ACpuAmongGpus", {gpu("1"), kCpu, gpu("2")}, false, "replica 1 is on a CPU"},
        CarrierCase{"SwitchedOffSomewhere", {gpu("1"), {"b", "2", 1, false}}, false, "LANELAB_NCCL is 0 for replica 1"},
        CarrierCase{"SwitchedOffOnACpu", {{"a", "", 1, false}, kCpu}, false, ""},
        CarrierCase{"SeveralLanesOfAGpu", {gpu("1"), {"a", "2", 2, true}}, false, "2 lanes share the GPU of replica 1"},
        CarrierCase{"AGpuTwiceWithinAProcess",
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
