// SPDX-License-Identifier: GPL-3.0-only
// The place among the processes of a run, by the variables of each launcher.
#include "engine/dist/rendezvous/world_place.h"

#include <gtest/gtest.h>

#include <map>

namespace lanelab {
namespace {

using Variables = std::map<std::string, std::string>;

EnvironmentLookup lookup(const Variables& variables) {
  return [variables](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::optional<std::string>() : found->second;
  };
}

struct Place {
  const char* what;
  Variables variables;
  std::optional<WorldPlace> place;
};

class WorldPlaces : public ::testing::TestWithParam<Place> {};

TEST_P(WorldPlaces, AreRead) {
  const auto place = worldPlace(lookup(GetParam().variables));
  ASSERT_TRUE(place.ok()) << place.error().message;
  EXPECT_EQ(*place, GetParam().place);
}

const Variables kByTorchrun{
    {"RANK", "1"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "1"}, {"MASTER_ADDR", "node7"}, {"MASTER_PORT", "29400"}};

Variables with(Variables variables, const Variables& more) {
  for (const auto& [name, value] : more) variables[name] = value;
  return variables;
}

INSTANTIATE_TEST_SUITE_P(
    Launchers, WorldPlaces,
    ::testing::Values(
        Place{"None", {}, {}}, Place{"OtherVariables", {{"RANK", "3"}, {"MASTER_ADDR", "x"}}, {}},
        Place{"Torchrun", kByTorchrun, WorldPlace{"torchrun", 1, 4, 1, "node7", 29400, false, 0}},
        Place{"TorchrunsAgent",
              with(kByTorchrun, {{"TORCHELASTIC_USE_AGENT_STORE", "True"}, {"TORCHELASTIC_RESTART_COUNT", "2"}}),
              WorldPlace{"torchrun", 1, 4, 1, "node7", 29400, true, 2}},
        Place{"TokenOfTheRun", with(kByTorchrun, {{"TORCHELASTIC_RUN_ID", "night"}}),
              WorldPlace{"torchrun", 1, 4, 1, "node7", 29400, false, 0, "night"}},
        Place{
            "OwnToken",
            with(kByTorchrun,
                 {{"TORCHELASTIC_RUN_ID", "none"}, {"LANELAB_RUN_TOKEN", "mine"}, {"LANELAB_LISTEN_ADDR", "0.0.0.0"}}),
            WorldPlace{"torchrun", 1, 4, 1, "node7", 29400, false, 0, "mine", "0.0.0.0"}},
        Place{"StepOfSlurm",
              {{"SLURM_PROCID", "0"},
               {"SLURM_NTASKS", "2"},
               {"SLURM_JOB_NODELIST", "a,b"},
               {"SLURM_JOB_ID", "7"},
               {"SLURM_STEP_ID", "3"}},
              WorldPlace{"Slurm", 0, 2, 0, "a", 15007, false, 0, "Slurm job 7, step 3"}},
        Place{"AgentOff", with(kByTorchrun, {{"TORCHELASTIC_USE_AGENT_STORE", "False"}}),
              WorldPlace{"torchrun", 1, 4, 1, "node7", 29400, false, 0}},
        Place{"OneOfOne", {{"RANK", "0"}, {"WORLD_SIZE", "1"}}, WorldPlace{"torchrun", 0, 1, 0, "", 0, false, 0}},
        Place{"UsualPort",
              {{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}},
              WorldPlace{"torchrun", 0, 2, 0, "a", 29500, false, 0}},
        Place{"Slurm",
              {{"SLURM_PROCID", "5"},
               {"SLURM_NTASKS", "8"},
               {"SLURM_LOCALID", "1"},
               {"SLURM_JOB_NODELIST", "gpu[03-06]"},
               {"SLURM_JOB_ID", "1234567"}},
              WorldPlace{"Slurm", 5, 8, 1, "gpu03", 19567, false, 0}},
        Place{"SlurmWithAddress",
              {{"SLURM_PROCID", "0"},
               {"SLURM_NTASKS", "2"},
               {"SLURM_JOB_NODELIST", "a,b"},
               {"SLURM_JOB_ID", "7"},
               {"MASTER_ADDR", "10.0.0.1"},
               {"MASTER_PORT", "4000"}},
              WorldPlace{"Slurm", 0, 2, 0, "10.0.0.1", 4000, false, 0}},
        Place{"OneTaskOfSlurm", {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}}, {}},
        Place{"OpenMpiOnOneMachine",
              {{"OMPI_COMM_WORLD_RANK", "2"},
               {"OMPI_COMM_WORLD_SIZE", "3"},
               {"OMPI_COMM_WORLD_LOCAL_RANK", "2"},
               {"OMPI_COMM_WORLD_LOCAL_SIZE", "3"}},
              WorldPlace{"Open MPI", 2, 3, 2, "127.0.0.1", 29500, false, 0}},
        Place{"OpenMpiWithinSlurm",
              {{"OMPI_COMM_WORLD_RANK", "2"},
               {"OMPI_COMM_WORLD_SIZE", "4"},
               {"OMPI_COMM_WORLD_LOCAL_RANK", "0"},
               {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
               {"SLURM_PROCID", "1"},
               {"SLURM_NTASKS", "2"},
               {"SLURM_JOB_NODELIST", "n1,n2"},
               {"SLURM_JOB_ID", "11"}},
              WorldPlace{"Open MPI", 2, 4, 0, "n1", 15011, false, 0}},
        Place{"Mpich",
              {{"PMI_RANK", "1"},
               {"PMI_SIZE", "2"},
               {"MPI_LOCALRANKID", "1"},
               {"MPI_LOCALNRANKS", "2"},
               {"MASTER_PORT", "5005"}},
              WorldPlace{"MPICH", 1, 2, 1, "127.0.0.1", 5005, false, 0}},
        Place{"OneOfMpich", {{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}}, {}},
        Place{"TorchrunWithinSlurm", with(kByTorchrun, {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "2"}}),
              WorldPlace{"torchrun", 1, 4, 1, "node7", 29400, false, 0}}),
    [](const auto& test) { return test.param.what; });

struct BadPlace {
  const char* what;
  Variables variables;
  std::vector<std::string> words;
};

class BadWorldPlaces : public ::testing::TestWithParam<BadPlace> {};

TEST_P(BadWorldPlaces, AreSentencesWithVariableValueAndFix) {
  const auto place = worldPlace(lookup(GetParam().variables));
  ASSERT_FALSE(place.ok());
  EXPECT_EQ(place.error().kind, Error::Kind::BadInput);
  for (const std::string& word : GetParam().words)
    EXPECT_NE(place.error().message.find(word), std::string::npos) << place.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Launchers, BadWorldPlaces,
    ::testing::Values(
        BadPlace{"NoRank", {{"WORLD_SIZE", "2"}}, {"RANK is not set", "WORLD_SIZE is 2", "torchrun"}},
        BadPlace{"RankTooLarge", with(kByTorchrun, {{"RANK", "4"}}), {"RANK is \"4\"", "from 0 to 3", "torchrun"}},
        BadPlace{"RankIsNoNumber", with(kByTorchrun, {{"RANK", "1x"}}), {"RANK is \"1x\"", "whole number"}},
        BadPlace{"SizeZero", with(kByTorchrun, {{"WORLD_SIZE", "0"}}), {"WORLD_SIZE is \"0\"", "from 1 on"}},
        BadPlace{"NoAddress", {{"RANK", "0"}, {"WORLD_SIZE", "2"}}, {"MASTER_ADDR is not set", "torchrun"}},
        BadPlace{"PortTooLarge",
                 with(kByTorchrun, {{"MASTER_PORT", "70000"}}),
                 {"MASTER_PORT is \"70000\"", "1 to 65535", "free port"}},
        BadPlace{"LocalRank", with(kByTorchrun, {{"LOCAL_RANK", "-1"}}), {"LOCAL_RANK is \"-1\""}},
        BadPlace{"MpiOnManyMachines",
                 {{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}},
                 {"MASTER_ADDR is not set", "Open MPI", "machine of rank 0"}},
        BadPlace{
            "SlurmWithoutNodes", {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "2"}}, {"MASTER_ADDR is not set", "Slurm"}},
        BadPlace{
            "SlurmsRank", {{"SLURM_NTASKS", "2"}, {"SLURM_JOB_NODELIST", "a"}}, {"SLURM_PROCID is not set", "srun"}}),
    [](const auto& test) { return test.param.what; });

TEST(WorldTimeout, IsSecondsOrASentence) {
  EXPECT_EQ(*worldTimeout(lookup({})), std::chrono::seconds(300));
  EXPECT_EQ(*worldTimeout(lookup({{"LANELAB_DIST_TIMEOUT", "20"}})), std::chrono::seconds(20));
  const auto bad = worldTimeout(lookup({{"LANELAB_DIST_TIMEOUT", "soon"}}));
  ASSERT_FALSE(bad.ok());
  EXPECT_NE(bad.error().message.find("LANELAB_DIST_TIMEOUT is \"soon\""), std::string::npos) << bad.error().message;
}

TEST(FirstHost, OfSlurmsLists) {
  const std::map<std::string, std::string> lists{{"one", "one"},
                                                 {"a,b", "a"},
                                                 {"node[03-07,12],gpu1", "node03"},
                                                 {"n[5]", "n5"},
                                                 {"r[1-2]n[3,4]-ib", "r1n3-ib"},
                                                 {"a-b-01,c", "a-b-01"}};
  for (const auto& [list, host] : lists) EXPECT_EQ(firstHost(list), host) << list;
}

}  // namespace
}  // namespace lanelab
