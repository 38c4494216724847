// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/graph_stage.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/embedding.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/exported/exported_layout.h"
#include "engine/exported/weight_ties.h"
#include "engine/torch/devices/lane_memory.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/graph/attention_operation.h"
#include "engine/torch/graph/declared_sizes.h"
#include "engine/torch/graph/graph_arguments.h"
#include "engine/torch/graph/graph_convolution.h"
#include "engine/torch/graph/graph_pool.h"
#include "engine/torch/graph/joined_operation.h"
#include "engine/torch/graph/laid_out_operation.h"
#include "engine/torch/graph/split_linear.h"
#include "engine/torch/nn/scalar_types.h"

namespace lanelab {

namespace {

/// PyTorch's choice of types for calls in a reduced precision, without its store of converted weights: these are held
/// in the compute type already.
class ReducedPrecision {
 public:
  explicit ReducedPrecision(const CallTarget& target) : m_device(target.device.type()) {
    m_on = at::isReducedFloatingType(target.compute);
    if (!m_on) return;
    m_was_on = at::autocast::is_autocast_enabled(m_device);
    m_type = at::autocast::get_autocast_dtype(m_device);
    m_cached = at::autocast::is_autocast_cache_enabled();
    set(true, target.compute, false);
  }
  ~ReducedPrecision() {
    if (m_on) set(m_was_on, m_type, m_cached);
  }
  ReducedPrecision(const ReducedPrecision&) = delete;
  ReducedPrecision& operator=(const ReducedPrecision&) = delete;

 private:
  void set(bool enabled, at::ScalarType type, bool cached) const {
    at::autocast::set_autocast_enabled(m_device, enabled);
    at::autocast::set_autocast_dtype(m_device, type);
    at::autocast::set_autocast_cache_enabled(cached);
  }

  at::DeviceType m_device;
  bool m_on = false, m_was_on = false, m_cached = false;
  at::ScalarType m_type = at::kFloat;
};

/// What a call may make at once, from the largest tensor that the file declares: kernels make some that are not in the
/// graph, such as windows of a convolution or scores of an attention.
std::int64_t largestWithin(const ExportedProgram& program, std::int64_t batch) {
  constexpr std::int64_t kTimes = 1024, kAnyway = 256 << 20, kMost = std::int64_t{1} << 50;
  const std::int64_t declared = DeclaredSizes(program.graph, program.batch_symbol).largestBytes(batch);
  return std::min(declared, kMost) * kTimes + kAnyway;
}

}  // namespace

GraphStage::GraphStage(std::shared_ptr<const ExportedNetwork> network, BlockId first, BlockId end,
                       const TensorMap& constants, GraphUse use, OperationChoice instead)
    : m_network(std::move(network)),
      m_stage(stageOf(m_network->program, m_network->blocks, first, end)),
      m_use(use),
      m_instead(std::move(instead)),
      m_laid_out(valuesInExportedLayout(m_network->program.graph, m_network->blocks.flow)),
      m_tensors(m_network->program, m_network->blocks.flow, m_stage, constants),
      m_block_of(m_network->program.graph.nodes.size()) {
  const ExportedGraph& graph = m_network->program.graph;
  const ValueFlow& flow = m_network->blocks.flow;
  for (const StageNode& node : m_stage.nodes) m_nodes.push_back(node.node);
  const std::vector<std::optional<ValueId>> counts = batchCounts(graph, flow, m_nodes, m_use);
  std::set<std::size_t> written;
  for (std::size_t i = m_nodes.size(); i-- > 0;) {
    m_block_of[m_nodes[i]] = m_stage.nodes[i].block;
    for (const ValueId value : flow.written[m_nodes[i]]) written.insert(flow.storages[value.index()]);
    if (counts[i]) m_nodes.erase(m_nodes.begin() + static_cast<std::ptrdiff_t>(i));
  }
  m_read_again = readAgain(m_network->program, m_nodes);
  for (const ValueId value : m_stage.received) m_changed.push_back(written.contains(flow.storages[value.index()]));
  build({});  // so that what cannot be run is known before a step
}

void GraphStage::build(const CallTarget& target) {
  const ExportedProgram& program = m_network->program;
  m_norms.clear();
  const bool has_kernels = target.device.is_cpu() && target.compute == at::kFloat;
  m_followed = has_kernels ? m_rules : m_rules.without(kFusedKernels);
  const NodesTogether together = joinCalls();
  const OperationOptions options{target, generatorOn(target.device), 0, program.batch_symbol, m_use, m_rules};
  m_program.emplace(
      program.graph, m_nodes, std::set<ValueId>(m_stage.sent.begin(), m_stage.sent.end()), options,
      [&](std::size_t node) { return operationOf(node, options); }, together);
  for (NormLayer* const norm : m_norms) norm->statistics = m_statistics;
}

NodesTogether GraphStage::joinCalls() {
  m_chains.clear();
  m_joined.clear();
  m_attentions.clear();
  NodesTogether together;
  std::set<std::size_t> taken;
  const auto join = [&](const std::vector<std::size_t>& nodes, std::size_t place) {
    if (!canBeJoined(nodes, place)) return false;
    if (std::ranges::any_of(nodes, [&](std::size_t node) { return taken.contains(node); })) return false;
    for (const std::size_t node : nodes)
      if (node != place) together[place].push_back(node);
    return true;
  };
  const GraphRules& found = m_network->described.rules;
  for (const NormChain& chain : found.norms) {
    const std::size_t last = chain.last();
    const bool wanted =
        m_followed.has(Rule::FusedNorm) || isRemade(*m_network->program.graph.nodes[last].outputs.front());
    if (last != chain.norm && wanted && join(chain.nodes(), last)) m_chains.emplace(last, &chain);
  }
  if (m_followed.has(Rule::SelfAttention)) {
    for (const SelfAttention& attention : found.attentions) {
      const std::vector<std::size_t> nodes = attention.nodes();
      if (!canBeJoined(nodes)) continue;
      together[attention.calls.back()].assign(attention.calls.begin(), attention.calls.end() - 1);
      together[attention.back.back()].assign(attention.back.begin(), attention.back.end() - 1);
      for (const std::size_t place : {attention.project, attention.calls.back(), attention.back.back()})
        m_attentions.emplace(place, &attention);
      taken.insert(nodes.begin(), nodes.end());
    }
  }
  for (const JoinedCalls& calls : found.joined)
    if (m_followed.has(calls.rule) && join(calls.nodes, calls.place())) m_joined.emplace(calls.place(), &calls);
  return together;
}

/// In this stage, and nothing between them must lie in memory as in the file.
bool GraphStage::canBeJoined(const std::vector<std::size_t>& nodes, std::optional<std::size_t> place) const {
  return std::ranges::all_of(nodes, [&](std::size_t node) {
    const bool free = node == place || laidOutResults(m_network->program.graph.nodes[node]).empty();
    return free && std::ranges::binary_search(m_nodes, node);
  });
}

bool GraphStage::isRemade(ValueId value) const {
  return m_rules.has(Rule::RemadeActivation) && m_network->described.rules.remade.contains(value);
}

void GraphStage::follow(Rules rules) {
  m_rules = rules;
  m_target.reset();
}

GraphOperation GraphStage::operationOf(std::size_t node, const OperationOptions& options) {
  const ExportedGraph& graph = m_network->program.graph;
  GraphOperation operation = m_instead ? m_instead(node) : nullptr;
  if (!operation) operation = ownOperationOf(node);
  if (const auto found = m_attentions.find(node); found != m_attentions.end() && node == found->second->project)
    operation = projectionOperation(*found->second,
                                    operation ? std::move(operation) : operationFor(graph.nodes[node], node, options));
  std::vector<ValueId> results = laidOutResults(graph.nodes[node]);
  if (results.empty()) return operation;
  if (!operation) operation = operationFor(graph.nodes[node], node, options);
  return operation ? laidOut(std::move(operation), graph, std::move(results), options.batch_symbol) : GraphOperation();
}

std::vector<ValueId> GraphStage::laidOutResults(const ExportedNode& node) const {
  std::vector<ValueId> results;
  for (const auto& id : node.outputs)
    if (id && m_laid_out.contains(*id)) results.push_back(*id);
  return results;
}

/// Empty: the usual one.
GraphOperation GraphStage::ownOperationOf(std::size_t node) {
  const ExportedNode& call = m_network->program.graph.nodes[node];
  if (const auto chain = m_chains.find(node); chain != m_chains.end()) return normOf(*chain->second);
  if (const auto joined = m_joined.find(node); joined != m_joined.end()) return joinedOperation(*joined->second);
  if (const auto found = m_attentions.find(node); found != m_attentions.end() && node != found->second->project)
    return attentionOperation(*found->second, node);
  if (isBatchNorm(call)) return normOf(NormChain{node});
  if (isMaxPool(call) && isRemade(requiredValue(call, "self"))) return graphPool(call);
  if (m_use == GraphUse::Inference && call.target == "aten.embedding.default") return lookUp(call);
  return weightedOperationOf(node);
}

/// Of a table that may be in another floating-point type.
GraphOperation GraphStage::lookUp(const ExportedNode& node) const {
  const ValueId table = requiredValue(node, "weight"), rows = requiredValue(node, "indices");
  const ValueId output = node.outputs.at(0).value();
  const at::ScalarType type = torchTypeOf(m_network->program.graph.value(output).type);
  return [table, rows, output, type](GraphFrame& frame, const GraphPass&) {
    frame[output] = at::embedding(frame[table].toTensor(), frame[rows].toTensor()).to(type);
  };
}

/// Empty where the usual call does all that the rules want.
GraphOperation GraphStage::weightedOperationOf(std::size_t node) {
  const GraphRules& found = m_network->described.rules;
  const auto weighted = found.weighted.find(node);
  if (weighted == found.weighted.end()) return {};
  const WeightedCall& call = weighted->second;
  const bool alone = !m_read_again.contains(call.weight) && !(call.bias && m_read_again.contains(*call.bias));
  const bool splits = alone && m_rules.has(Rule::SplitBackward);
  if (call.kind != WeightedCall::Kind::Convolution) return splits ? splitLinear(call) : GraphOperation();
  const Rules rules = found.products.contains(node) ? m_rules : m_rules.without(Rule::ConvolutionProduct);
  const bool replaced = splits || rules.has(Rule::ConvolutionProduct) || isRemade(call.input) ||
                        overrunsOneDnn(call, m_network->program.graph);
  return replaced ? graphConvolution(call, rules, alone) : GraphOperation();
}

GraphOperation GraphStage::normOf(const NormChain& chain) {
  const ExportedGraph& graph = m_network->program.graph;
  const auto norm = std::make_shared<GraphNorm>(graph.nodes[chain.norm]);
  const ValueId output = *graph.nodes[chain.last()].outputs.front();
  norm->follow(chain, output);
  if (m_followed.has(Rule::FusedNorm)) norm->fuse();
  if (isRemade(output)) norm->remake();
  if (norm->layer()) {
    m_norms.push_back(norm->layer());
    if (const auto count = countBeside(graph, *norm->runningMean())) norm->countIn(*count);
  }
  return [norm](GraphFrame& frame, const GraphPass& pass) { norm->run(frame, pass); };
}

TensorList GraphStage::forward(const TensorList& inputs, bool training, BlockListener* listener) {
  const CallTarget target = m_tensors.target(inputs);
  if (!m_target || m_target->device != target.device || m_target->compute != target.compute) {
    m_tensors.moveConstantsTo(target.device);
    build(target);
    m_target = target;
  }
  GraphPass pass{training, m_seed, batchOf(inputs)};
  pass.recorded = !training || at::GradMode::is_enabled();
  pass.holds_sizes = !m_instead && !m_held_batches.contains(pass.batch);
  std::optional<LargestTensor> largest;
  if (pass.holds_sizes) largest.emplace(largestWithin(m_network->program, pass.batch));
  const ReducedPrecision reduced(target);
  const at::AutoGradMode as_recorded(at::GradMode::is_enabled() || !pass.recorded);
  std::optional<at::AutoDispatchBelowADInplaceOrView> below;
  if (!pass.recorded) below.emplace();
  GraphFrame frame = m_program->frameFor(pass);
  putReceived(frame, inputs, pass.batch);
  m_tensors.put(frame);
  runBlocks(frame, pass, listener);
  m_held_batches.insert(pass.batch);
  TensorList sent;
  for (const ValueId value : m_stage.sent) sent.push_back(frame[value].toTensor());
  return sent;
}

void GraphStage::putReceived(GraphFrame& frame, const TensorList& inputs, std::int64_t batch) const {
  const ExportedProgram& program = m_network->program;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ValueId id = m_stage.received[i];
    const at::Tensor own = m_changed[i] ? inputs[i].clone() : inputs[i];
    frame[id] =
        m_laid_out.contains(id) ? inExportedLayout(own, program.graph.value(id), program.batch_symbol, batch) : own;
  }
}

void GraphStage::runBlocks(GraphFrame& frame, const GraphPass& pass, BlockListener* listener) {
  std::optional<BlockId> open;
  const auto end = [&] {
    if (open) listener->endForward(madeBy(*open, frame));
  };
  for (std::size_t step = 0; step < m_program->steps(); ++step) {
    const std::optional<BlockId> block = m_block_of[m_program->nodeOf(step)];
    if (listener && block && block != open) {
      end();
      open = block;
      listener->beginForward(m_network->blocks.blocks[block->index()].name);
    }
    m_program->run(step, frame, pass);
  }
  if (listener) end();
}

TensorList GraphStage::madeBy(BlockId block, GraphFrame& frame) const {
  const ValueFlow& flow = m_network->blocks.flow;
  TensorList made;
  for (const ValueId value : m_network->blocks.crossing[block.index() + 1]) {
    const int maker = flow.makers[value.index()];
    if (maker == ValueFlow::kInput || m_block_of[static_cast<std::size_t>(maker)] != block) continue;
    if (frame[value].isTensor()) made.push_back(frame[value].toTensor());
  }
  return made;
}

bool GraphStage::differentiable(std::size_t input) const {
  return m_network->differentiable[m_stage.received[input].index()];
}

/// By the first size that is the batch itself.
std::int64_t GraphStage::batchOf(const TensorList& inputs) const {
  const ExportedProgram& program = m_network->program;
  if (program.batch_symbol.empty()) {
    // Later stages get what the first one makes.
    if (m_stage.received.front() == userInput(program.graph).value && inputs.front().size(0) != program.static_batch)
      throw std::runtime_error("the network was exported for micro-batches of " + std::to_string(program.static_batch) +
                               " samples, and this one has " + std::to_string(inputs.front().size(0)));
    return program.static_batch;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<SizeExpression>& sizes = program.graph.value(m_stage.received[i]).sizes;
    for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
      const std::int64_t size = inputs[i].size(static_cast<std::int64_t>(dim));
      if (!sizes[dim].constant() && sizes[dim].evaluate({{program.batch_symbol, size}}) == size) return size;
    }
  }
  throw std::runtime_error("the number of samples is not known from what the stage before sends");
}

void GraphStage::setStatistics(NormStatistics statistics) {
  m_statistics = statistics;
  for (NormLayer* const norm : m_norms) norm->statistics = statistics;
}

void GraphStage::commitStatistics() {
  for (NormLayer* const norm : m_norms) norm->commit();
}

void GraphStage::forgetStatistics() {
  for (NormLayer* const norm : m_norms) norm->forgetCollected();
}

StageModuleFactory graphStages(std::shared_ptr<const ExportedNetwork> network, TensorMap constants, GraphUse use,
                               OperationChoice instead) {
  return [network = std::move(network), constants = std::move(constants), use, instead = std::move(instead)](
             BlockId first, BlockId end) -> Result<std::unique_ptr<StageModule>> {
    try {
      return std::unique_ptr<StageModule>(std::make_unique<GraphStage>(network, first, end, constants, use, instead));
    } catch (const std::exception& error) {
      return Error::badInput("{}: {}", network->path, plainMessage(error));
    }
  };
}

}  // namespace lanelab
