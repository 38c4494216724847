// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/inference/offloaded_blocks.h"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <utility>

#include "engine/torch/files/tensor_file.h"
#include "engine/torch/inference/int8_linear.h"

namespace lanelab {
namespace {

at::Tensor heldBy(const TensorSlot& slot, const at::Tensor& values, at::Device device = at::kCPU) {
  return laidOut(slot, values, device, at::MemoryFormat::ChannelsLast);
}

bool mayBeInt8(const TensorSlot& slot) {
  return slot.role == SlotRole::ConvWeight || slot.role == SlotRole::LinearWeight;
}

std::int64_t bytesOf(const TensorSlot& slot) {
  std::int64_t bytes = static_cast<std::int64_t>(c10::elementSize(slot.traits.type));
  for (const std::int64_t size : slot.shape) bytes *= size;
  return bytes;
}

/// Views of the whole file: nothing is read before it is used.
TensorMap viewsOf(const MappedTensors& tensors) {
  TensorMap views;
  for (const std::string& name : tensors.names()) views[name] = tensors.view(name);
  return views;
}

/// The values are copied into the layout of the slots, and with them the file's pages can go.
FetchedModule fetchedBlock(const std::vector<TensorSlot>& slots, const std::shared_ptr<const MappedTensors>& tensors) {
  std::int64_t bytes = 0;
  for (const TensorSlot& slot : slots) bytes += bytesOf(slot);
  return {bytes,
          [&slots, tensors] {
            std::vector<at::Tensor> values;
            for (const TensorSlot& slot : slots) {
              tensors->read(slot.name);
              values.push_back(heldBy(slot, tensors->view(slot.name)));
              tensors->drop(slot.name);
            }
            return values;
          },
          {}};
}

}  // namespace

Result<std::unique_ptr<OffloadedBlocks>> OffloadedBlocks::install(const NetworkBlocks& blocks,
                                                                  const std::string& weights, const OffloadPlan& plan,
                                                                  std::int64_t passes) {
  std::unique_ptr<OffloadedBlocks> offloaded(new OffloadedBlocks);
  const auto onDisk = [&](const auto& block) {
    return std::any_of(block->slots().begin(), block->slots().end(),
                       [&](const TensorSlot& slot) { return plan.devices.onDisk(slot.name); });
  };
  if (std::none_of(blocks.begin(), blocks.end(), onDisk)) {
    Result<TensorMap> values = readWeights(weights);
    if (!values.ok()) return values.error();
    if (const Status installed = offloaded->installResident(blocks, std::move(*values), weights, plan); !installed.ok())
      return installed.error();
    offloaded->m_ahead = std::make_unique<ReadAhead>(std::vector<FetchedModule>{}, 0, passes);
    return offloaded;
  }
  Result<MappedTensors> opened = MappedTensors::open(weights);
  if (!opened.ok()) return opened.error();
  const auto tensors = std::make_shared<const MappedTensors>(std::move(*opened));
  if (const Status installed = offloaded->installResident(blocks, viewsOf(*tensors), weights, plan); !installed.ok())
    return installed.error();
  for (const std::string& name : tensors->names()) tensors->drop(name);
  std::vector<FetchedModule> fetched;
  std::int64_t largest = 0;
  for (const auto& block : blocks) {
    const Turn& turn = offloaded->m_turns.at(block.get());
    if (turn.fetched.empty()) continue;
    fetched.push_back(fetchedBlock(turn.fetched, tensors));
    largest = std::max(largest, fetched.back().bytes);
    offloaded->m_offloaded += fetched.back().bytes;
  }
  offloaded->m_ahead = std::make_unique<ReadAhead>(std::move(fetched), 2 * largest, passes);
  return offloaded;
}

Status OffloadedBlocks::installResident(const NetworkBlocks& blocks, TensorMap values, const std::string& weights,
                                        const OffloadPlan& plan) {
  const Result<TensorMap> matched = matchWeights(slotsOf(blocks), std::move(values), weights);
  if (!matched.ok()) return matched.error();
  for (const auto& block : blocks) {
    Turn& turn =
        m_turns.try_emplace(block.get(), Turn{plan.devices.compute(block->slots().front().name), {}, {}}).first->second;
    for (const TensorSlot& slot : block->slots()) {
      // The count of batches is not used in eval mode, and old files lack it.
      if (slot.role != SlotRole::NormCount && plan.devices.onDisk(slot.name)) {
        turn.fetched.push_back(slot);
      } else {
        retain(turn, slot, matched->at(slot.name), plan);
      }
    }
  }
  return {};
}

void OffloadedBlocks::retain(Turn& turn, const TensorSlot& slot, const at::Tensor& values, const OffloadPlan& plan) {
  const at::Device home = plan.devices.home(slot.name);
  if (plan.int8 && mayBeInt8(slot)) {
    const LinearWeights rows = quantised(values.flatten(1), {});
    const auto layout = slot.traits.in_image_format ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous;
    turn.kept.push_back({slot, rows.weight.view(slot.shape).contiguous(layout).to(home), rows.scale.to(home)});
    const std::int64_t bytes = rows.weight.numel() + static_cast<std::int64_t>(rows.scale.nbytes());
    m_resident += bytes;
    m_saved += bytesOf(slot) - bytes;
    return;
  }
  at::Tensor held = heldBy(slot, values, home);
  m_resident += bytesOf(slot);
  if (home == turn.device) {
    *slot.tensor = std::move(held);
  } else {
    turn.kept.push_back({slot, std::move(held), {}});
  }
}

at::Tensor OffloadedBlocks::broughtTo(at::Device device, const KeptSlot& kept) {
  if (!kept.scale.defined()) return kept.values.to(device);
  std::vector<std::int64_t> an_output(kept.slot.shape.size(), 1);
  an_output.front() = kept.slot.shape.front();
  return kept.values.to(device).to(kept.scale.scalar_type()).mul_(kept.scale.to(device).view(an_output));
}

OffloadedBlocks::Held OffloadedBlocks::bring(const NetworkBlock& block) {
  const Turn& turn = m_turns.at(&block);
  for (const KeptSlot& kept : turn.kept) *kept.slot.tensor = broughtTo(turn.device, kept);
  if (turn.fetched.empty()) return Held(&turn, nullptr);
  const std::vector<at::Tensor> values = m_ahead->acquire();
  for (std::size_t i = 0; i < values.size(); ++i) *turn.fetched[i].tensor = values[i].to(turn.device);
  return Held(&turn, m_ahead.get());
}

OffloadedBlocks::Held::~Held() {
  for (const KeptSlot& kept : m_turn->kept) kept.slot.tensor->reset();
  if (!m_from) return;
  for (const TensorSlot& slot : m_turn->fetched) slot.tensor->reset();
  m_from->release();
}

}  // namespace lanelab
