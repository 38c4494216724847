// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/names/built_in_names.h"

#include <utility>

#include "base/text.h"

namespace lanelab {

namespace {

struct BuiltIn {
  std::string_view pattern;
  std::string_view does;  ///< words of workOfWord(), with spaces
  GroupKind group = GroupKind::Unknown;
};

constexpr BuiltIn kPyTorch[] = {{"PP:{stage}F{micro_batch}", "forward"},
                                {"PP:{stage}B{micro_batch}", "backward"},
                                {"PP:{stage}I{micro_batch}", "backward-input"},
                                {"PP:{stage}W{micro_batch}", "backward-weight"},
                                {"PP:{stage}SEND_F{micro_batch}", "send-forward", GroupKind::Pipeline},
                                {"PP:{stage}RECV_F{micro_batch}", "receive-forward", GroupKind::Pipeline},
                                {"PP:{stage}SEND_B{micro_batch}", "send-backward", GroupKind::Pipeline},
                                {"PP:{stage}RECV_B{micro_batch}", "receive-backward", GroupKind::Pipeline},
                                {"Forward {micro_batch}", "forward"},
                                {"Backward {micro_batch}", "backward"},
                                {"gloo:send", "send"},
                                {"gloo:recv", "receive"},
                                {"gloo:*", "collective"},
                                {"Optimizer.step#*", "update"},
                                {"enumerate(DataLoader)*", "data"},
                                {"load_batch", "data"}};  // of the training script that LaneLab exports

/// With the argument `step` they are of a timeline of several ranks, else of annotations.
constexpr BuiltIn kTimers[] = {{"forward-compute", "forward"},
                               {"backward-compute", "backward"},
                               {"backward-wgrad-compute", "backward-weight"},
                               {"optimizer", "update"},
                               {"forward-send", "send-forward", GroupKind::Pipeline},
                               {"forward-recv", "receive-forward", GroupKind::Pipeline},
                               {"backward-send", "send-backward", GroupKind::Pipeline},
                               {"backward-recv", "receive-backward", GroupKind::Pipeline},
                               {"forward-send-backward-recv", "send-forward receive-backward", GroupKind::Pipeline},
                               {"backward-send-forward-recv", "send-backward receive-forward", GroupKind::Pipeline},
                               {"forward-send-forward-recv", "send-forward receive-forward", GroupKind::Pipeline},
                               {"backward-send-backward-recv", "send-backward receive-backward", GroupKind::Pipeline},
                               {"forward-backward-send-forward-backward-recv",
                                "send-forward send-backward receive-forward receive-backward", GroupKind::Pipeline},
                               {"params-all-gather", "collective", GroupKind::Data},
                               {"params-all-gather-nonoverlapping", "collective", GroupKind::Data},
                               {"grads-reduce-scatter", "collective", GroupKind::Data},
                               {"grads-reduce-scatter-nonoverlapping", "collective", GroupKind::Data},
                               {"all-grads-sync", "collective", GroupKind::Data},
                               {"separate-grads-all-reduce", "collective", GroupKind::Data},
                               {"layernorm-grads-all-reduce", "collective", GroupKind::Tensor},
                               {"non-tensor-parallel-grads-all-reduce", "collective", GroupKind::Tensor},
                               {"embedding-grads-all-reduce", "collective", GroupKind::Pipeline},
                               {"conditional-embedder-grads-all-reduce", "collective", GroupKind::Pipeline},
                               {"optimizer-clip-main-grad", "collective"},
                               {"batch-generator", "data"},
                               {"gc", "host"}};

constexpr BuiltIn kRanges[] = {
    {"forward_step", "forward"},
    {"backward_step", "backward"},
    {"*megatron/core/pipeline_parallel/schedules.py(*): forward_step", "forward"},
    {"*megatron/core/pipeline_parallel/schedules.py(*): backward_step", "backward"},
    {"*megatron/core/optimizer/*optimizer.py(*): step", "update"},
    {"megatron.core.pipeline_parallel.p2p_communication.recv_forward", "receive-forward", GroupKind::Pipeline},
    {"megatron.core.pipeline_parallel.p2p_communication.recv_backward", "receive-backward", GroupKind::Pipeline},
    {"megatron.core.pipeline_parallel.p2p_communication.send_forward", "send-forward", GroupKind::Pipeline},
    {"megatron.core.pipeline_parallel.p2p_communication.send_backward", "send-backward", GroupKind::Pipeline},
    {"megatron.core.pipeline_parallel.p2p_communication.send_forward_recv_backward", "send-forward receive-backward",
     GroupKind::Pipeline},
    {"megatron.core.pipeline_parallel.p2p_communication.send_backward_recv_forward", "send-backward receive-forward",
     GroupKind::Pipeline},
    {"megatron.core.pipeline_parallel.p2p_communication.send_forward_recv_forward", "send-forward receive-forward",
     GroupKind::Pipeline},
    {"megatron.core.pipeline_parallel.p2p_communication.send_backward_recv_backward", "send-backward receive-backward",
     GroupKind::Pipeline},
    {"megatron.core.pipeline_parallel.p2p_communication.send_forward_backward_recv_forward_backward",
     "send-forward send-backward receive-forward receive-backward", GroupKind::Pipeline},
    {"*deepspeed/runtime/pipe/engine.py(*): _exec_forward_pass", "forward"},
    {"*deepspeed/runtime/pipe/engine.py(*): _exec_backward_pass", "backward"},
    {"*deepspeed/runtime/pipe/engine.py(*): _exec_send_activations", "send-forward", GroupKind::Pipeline},
    {"*deepspeed/runtime/pipe/engine.py(*): _exec_recv_activations", "receive-forward", GroupKind::Pipeline},
    {"*deepspeed/runtime/pipe/engine.py(*): _exec_send_grads", "send-backward", GroupKind::Pipeline},
    {"*deepspeed/runtime/pipe/engine.py(*): _exec_recv_grads", "receive-backward", GroupKind::Pipeline},
    {"*deepspeed/runtime/pipe/engine.py(*): _exec_load_micro_batch", "data"},
    {"*deepspeed/runtime/pipe/engine.py(*): _exec_reduce_grads", "collective", GroupKind::Data},
    {"*deepspeed/runtime/pipe/engine.py(*): _exec_reduce_tied_grads", "collective", GroupKind::Pipeline},
    {"*deepspeed/runtime/pipe/engine.py(*): _exec_optimizer_step", "update"},
    {"fwd_microstep", "forward"},
    {"forward_microstep", "forward"},
    {"bwd_microstep", "backward"},
    {"backward_microstep", "backward"},
    {"bwd_allreduce_microstep", "collective", GroupKind::Data},
    {"backward_allreduce_microstep", "collective", GroupKind::Data},
    {"step_microstep", "update"},
    {"batch_input", "data"},
    {"pipe_send_output", "send-forward", GroupKind::Pipeline},
    {"pipe_recv_input", "receive-forward", GroupKind::Pipeline},
    {"pipe_send_grad", "send-backward", GroupKind::Pipeline},
    {"pipe_recv_grad", "receive-backward", GroupKind::Pipeline}};

template <std::size_t Count>
void addTo(NameRules& rules, const BuiltIn (&names)[Count], bool timeline) {
  for (const BuiltIn& name : names) {
    std::vector<WorkPart> does;
    for (const std::string_view word : partsBetween(name.does, " ")) does.push_back(workOfWord(word).value());
    rules.add({NamePattern::parse(name.pattern).value(), std::move(does), name.group, timeline});
  }
}

NameRules made() {
  NameRules rules;
  addTo(rules, kPyTorch, false);
  addTo(rules, kTimers, true);
  addTo(rules, kRanges, false);
  return rules;
}

}  // namespace

const NameRules& builtInRules() {
  static const NameRules rules = made();
  return rules;
}

}  // namespace lanelab
