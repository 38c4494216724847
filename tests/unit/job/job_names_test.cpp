// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include "base/whole_file.h"
#include "profiler/io/names/action_map.h"

namespace lanelab {
namespace {

constexpr WorkPart kForward{JobWork::Compute, Phase::Forward}, kBackward{JobWork::Compute, Phase::Backward},
    kUpdate{JobWork::Compute, Phase::Update}, kSendForward{JobWork::Send, Phase::Forward},
    kReceiveForward{JobWork::Receive, Phase::Forward}, kSendBackward{JobWork::Send, Phase::Backward},
    kReceiveBackward{JobWork::Receive, Phase::Backward}, kCollective{JobWork::Collective, Phase::None},
    kData{JobWork::Data, Phase::None};

NameNumbers numbers(std::optional<int> stage, std::optional<int> micro_batch) {
  NameNumbers told;
  told[NameNumber::Stage] = stage;
  told[NameNumber::MicroBatch] = micro_batch;
  return told;
}

TEST(JobNames, OfFrameworksAreKnown) {
  const struct {
    const char* name;
    std::vector<WorkPart> parts;
    NameNumbers told = {};
    GroupKind group = GroupKind::Unknown;
  } known[] = {{"PP:2F0", {kForward}, numbers(2, 0)},
               {"PP:13B7", {kBackward}, numbers(13, 7)},
               {"PP:1I3", {{JobWork::Compute, Phase::BackwardInput}}, numbers(1, 3)},
               {"PP:1W3", {{JobWork::Compute, Phase::BackwardWeight}}, numbers(1, 3)},
               {"PP:0SEND_F1", {kSendForward}, numbers(0, 1), GroupKind::Pipeline},
               {"PP:0RECV_B1", {kReceiveBackward}, numbers(0, 1), GroupKind::Pipeline},
               {"Forward 4", {kForward}, numbers({}, 4)},
               {"Backward 11", {kBackward}, numbers({}, 11)},
               {"gloo:send", {{JobWork::Send, Phase::None}}},
               {"gloo:all_reduce", {kCollective}},
               {"Optimizer.step#SGD.step", {kUpdate}},
               {"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", {kData}},
               {"forward-compute", {kForward}},
               {"forward-send-backward-recv", {kSendForward, kReceiveBackward}, {}, GroupKind::Pipeline},
               {"backward-send-forward-recv", {kSendBackward, kReceiveForward}, {}, GroupKind::Pipeline},
               {"params-all-gather", {kCollective}, {}, GroupKind::Data},
               {"embedding-grads-all-reduce", {kCollective}, {}, GroupKind::Pipeline},
               {"forward_step", {kForward}},
               {"/opt/Megatron-LM/megatron/core/pipeline_parallel/schedules.py(403): forward_step", {kForward}},
               {"megatron/core/pipeline_parallel/schedules.py(539): backward_step", {kBackward}},
               {"megatron.core.pipeline_parallel.p2p_communication.send_backward_recv_forward",
                {kSendBackward, kReceiveForward},
                {},
                GroupKind::Pipeline},
               {"deepspeed/runtime/pipe/engine.py(722): _exec_forward_pass", {kForward}},
               {"/venv/lib/python3.11/site-packages/deepspeed/runtime/pipe/engine.py(1083): _exec_send_grads",
                {kSendBackward},
                {},
                GroupKind::Pipeline},
               {"fwd_microstep", {kForward}},
               {"backward_microstep", {kBackward}},
               {"step_microstep", {kUpdate}},
               {"pipe_recv_grad", {kReceiveBackward}, {}, GroupKind::Pipeline}};
  for (const auto& [name, parts, told, group] : known) {
    const auto found = namedWorkOf(name);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->parts, parts) << name;
    EXPECT_EQ(found->numbers, told) << name;
    EXPECT_EQ(found->group, group) << name;
    EXPECT_FALSE(found->mapped) << name;
  }
}

TEST(JobNames, OfOtherThingsAreNone) {
  for (const char* name :
       {"", "PP:", "PP:F0", "PP:2F", "PP:2F0x", "PP:0UNSHARD", "PP:1WAIT_SEND_F0", "PP:99999999999F0", "Forward",
        "Forward pass", "Forward 1 of 2", "aten::linear", "Optimizer.zero_grad#SGD.zero_grad", "forward",
        "forward-compute ", "pretrain_gpt.py(120): forward_step", "DeepSpeedEngine.forward",
        "deepspeed/runtime/pipe/engine.py(1396): _exec_schedule"})
    EXPECT_FALSE(namedWorkOf(name)) << name;
}

TEST(NamePatterns, AreForTheseNames) {
  const struct {
    const char* pattern;
    const char* name;
    bool is_for;
    NameNumbers told = {};
  } cases[] = {{"fwd", "fwd", true},
               {"fwd", "fwd1", false},
               {"fwd*", "fwd", true},
               {"fwd*", "fwd 3", true},
               {"*fwd", "my fwd", true},
               {"*fwd", "fwd!", false},
               {"a*b*c", "a1b2c", true},
               {"a*b*c", "acb", false},
               {"a*bc", "abcbc", true},
               {"mb{micro_batch}", "mb12", true, numbers({}, 12)},
               {"mb{micro_batch}", "mb", false},
               {"mb{micro_batch}", "mb12x", false},
               {"mb{micro_batch}", "mb99999999999", false},
               {"*s{stage}*mb={micro_batch}", "train s3 chunk mb=7", true, numbers(3, 7)},
               {"*s{stage}*mb={micro_batch}", "train chunk mb=7", false},
               {"f\\*\\{x}", "f*{x}", true},
               {"f\\*", "fx", false}};
  for (const auto& [text, name, is_for, told] : cases) {
    const Result<NamePattern> pattern = NamePattern::parse(text);
    ASSERT_TRUE(pattern.ok()) << text;
    const auto found = pattern->match(name);
    EXPECT_EQ(found.has_value(), is_for) << text << " " << name;
    EXPECT_EQ(found.value_or(NameNumbers()), told) << text << " " << name;
  }
}

TEST(NamePatterns, OfOneNameAreFoundByIt) {
  EXPECT_EQ(NamePattern::parse("f\\*").value().onlyName(), "f*");
  EXPECT_FALSE(NamePattern::parse("f*").value().onlyName());
  EXPECT_FALSE(NamePattern::parse("f{step}").value().onlyName());
  EXPECT_EQ(NamePattern::parse("f*").value().firstCharacter(), 'f');
  EXPECT_FALSE(NamePattern::parse("*f").value().firstCharacter());
}

constexpr const char* kMap = R"({
  // a recorder of our own
  "$schema": "actions.schema.json",
  "names": [
    {"name": "fwd mb{micro_batch}", "does": "forward"},
    {"name": "fwd*", "does": "host"},
    {"name": "swap", "does": ["send-forward", "receive-backward"], "group": "pipeline"},
    {"name": "forward-compute", "does": "backward"}
  ],
  "arguments": {"step": "iteration"}
})";

TEST(ActionMaps, GoBeforeBuiltInNamesInTheirOrder) {
  const Result<SharedActionMap> map = parseActionMap(kMap, "map.json");
  ASSERT_TRUE(map.ok()) << map.error().message;
  const auto workOf = [&](const char* name) { return namedWorkOf(name, map->get()); };
  EXPECT_EQ(workOf("fwd mb3")->first(), kForward);
  EXPECT_EQ(workOf("fwd mb3")->numbers, numbers({}, 3));
  EXPECT_EQ(workOf("fwd mbx")->first(), (WorkPart{JobWork::Host, Phase::None}));
  EXPECT_EQ(workOf("swap")->parts, (std::vector<WorkPart>{kSendForward, kReceiveBackward}));
  EXPECT_EQ(workOf("swap")->group, GroupKind::Pipeline);
  EXPECT_EQ(workOf("forward-compute")->first(), kBackward);
  EXPECT_EQ(workOf("forward-compute")->mapped, 3);
  EXPECT_EQ(workOf("backward-compute")->first(), kBackward);
  EXPECT_FALSE(workOf("backward-compute")->mapped);
  EXPECT_EQ((*map)->arguments, (std::array<std::string, kNameNumbers>{"iteration", "", "", ""}));
}

TEST(ActionMaps, AreRefusedWithTheirPlace) {
  const std::pair<const char*, const char*> wrong[] = {
      {"{", "map.json: not valid JSON at line 1, column 2"},
      {"{}", "map.json: names is missing. Add it."},
      {R"({"names": []})", "map.json: names is empty. Add a name"},
      {R"({"names": [], "name": 1})", "map.json: name is not known here. Did you mean \"names\"?"},
      {R"({"names": [{"name": "a", "does": "forwards"}]})",
       "map.json: names[0].does is the text \"forwards\", which is not known: did you mean \"forward\"?"},
      {R"({"names": [{"name": "a"}]})", "map.json: names[0].does is missing. Add it: forward, backward"},
      {R"({"names": [{"name": "a", "does": ["forward", "backward"]}]})",
       "map.json: names[0].does must be a word, or a list of what one call sends and receives."},
      {R"({"names": [{"name": "a", "does": "send"}]})", "map.json: names[0].does is the text \"send\", which is not"},
      {R"({"names": [{"does": "forward"}]})", "map.json: names[0].name is missing. Add it."},
      {R"({"names": [{"name": "", "does": "forward"}]})", "map.json: names[0].name is empty."},
      {R"({"names": [{"name": "a{mb}", "does": "forward"}]})",
       "map.json: names[0].name has {mb}, which is not a number of a name. Use {step}, {stage}, {micro_batch} or"},
      {R"({"names": [{"name": "a{step", "does": "forward"}]})", "map.json: names[0].name has a { without its }."},
      {R"({"names": [{"name": "{step} {step}", "does": "forward"}]})", "map.json: names[0].name has {step} twice."},
      {R"({"names": [{"name": "{step}{stage}", "does": "forward"}]})",
       "map.json: names[0].name has {stage} right behind another number"},
      {R"({"names": [{"name": "a", "does": "collective", "group": "dp"}]})",
       "map.json: names[0].group is \"dp\", which is not known: choose pipeline, data, tensor"},
      {R"({"names": [{"name": "a", "does": "forward"}], "arguments": {"mb": "x"}})",
       "map.json: arguments.mb is not known here. Known are: step, stage, micro_batch or replica."},
      {R"({"names": [{"name": "a", "does": "forward"}], "arguments": {"step": ""}})",
       "map.json: arguments.step is empty."}};
  for (const auto& [text, said] : wrong) {
    const Result<SharedActionMap> map = parseActionMap(text, "map.json");
    ASSERT_FALSE(map.ok()) << text;
    EXPECT_TRUE(map.error().message.starts_with(said)) << map.error().message << "\n" << said;
    EXPECT_EQ(map.error().kind, Error::Kind::BadInput);
  }
}

TEST(ActionMaps, HaveThePublishedSchema) {
  const Result<std::string> text =
      readWholeFile(std::string(LANELAB_SOURCE_DIR) + "/resources/schema/actions.schema.json", 1 << 20);
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(*text, actionMapSchema())
      << "Write it again: lanelab-cli schema actions > resources/schema/actions.schema.json";
}

}  // namespace
}  // namespace lanelab
