// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/inference/offloaded_blocks.h"

#include <ATen/TensorOperators.h>

#include <algorithm>

#include "engine/torch/files/exported_weights.h"
#include "engine/torch/inference/int8_linear.h"

namespace lanelab {
namespace {

std::int64_t bytesOf(const TensorSlot& slot) {
  std::int64_t bytes = static_cast<std::int64_t>(c10::elementSize(slot.traits.type));
  for (const std::int64_t size : slot.shape) bytes *= size;
  return bytes;
}

std::vector<TensorSlot> slotsOfAll(const BlockModules& blocks) {
  std::vector<TensorSlot> slots;
  for (const auto& block : blocks) slots.insert(slots.end(), block->slots().begin(), block->slots().end());
  return distinctSlots(slots);
}

/// The values are copied into the layout of the slots, and with them the file's pages can go.
FetchedModule fetchedBlock(const std::vector<TensorSlot>& slots, const std::shared_ptr<const StoredWeights>& weights,
                           at::MemoryFormat images) {
  std::int64_t bytes = 0;
  for (const TensorSlot& slot : slots) bytes += bytesOf(slot);
  return {bytes,
          [&slots, weights, images] {
            std::vector<at::Tensor> values;
            for (const TensorSlot& slot : slots) {
              const at::Tensor& stored = weights->tensors.at(slot.name);
              weights->read(stored);
              values.push_back(laidOut(slot, stored, at::kCPU, images));
              weights->drop(stored);
            }
            return values;
          },
          {}};
}

}  // namespace

bool anyOnDisk(const BlockModules& blocks, const ComputeDevices& devices) {
  return std::ranges::any_of(blocks, [&](const auto& block) {
    return std::ranges::any_of(block->slots(), [&](const TensorSlot& slot) { return devices.onDisk(slot.name); });
  });
}

Result<std::unique_ptr<OffloadedBlocks>> OffloadedBlocks::install(const BlockModules& blocks, StoredWeights weights,
                                                                  const std::string& place, const OffloadPlan& plan,
                                                                  std::int64_t passes) {
  std::unique_ptr<OffloadedBlocks> offloaded(new OffloadedBlocks);
  if (const Status installed = offloaded->installResident(blocks, weights.tensors, place, plan); !installed.ok())
    return installed.error();
  for (const auto& [name, tensor] : weights.tensors) weights.drop(tensor);
  const auto stored = std::make_shared<const StoredWeights>(std::move(weights));
  std::vector<FetchedModule> fetched;
  std::int64_t largest = 0;
  for (const Turn& turn : offloaded->m_turns) {
    if (turn.fetched.empty()) continue;
    fetched.push_back(fetchedBlock(turn.fetched, stored, plan.images));
    largest = std::max(largest, fetched.back().bytes);
    offloaded->m_offloaded += fetched.back().bytes;
  }
  offloaded->m_ahead = std::make_unique<ReadAhead>(std::move(fetched), 2 * largest, passes);
  return offloaded;
}

Status OffloadedBlocks::installResident(const BlockModules& blocks, const TensorMap& values, const std::string& place,
                                        const OffloadPlan& plan) {
  const std::vector<TensorSlot> all = slotsOfAll(blocks);
  const Result<TensorMap> matched = matchWeights(all, values, place);
  if (!matched.ok()) return matched.error();
  Resident resident;
  at::Device device = all.empty() ? plan.devices.compute("") : plan.devices.compute(all.front().name);
  for (const auto& block : blocks) {
    if (!block->slots().empty()) device = plan.devices.compute(block->slots().front().name);
    Turn& turn = m_turns.emplace_back(Turn{device, {}, {}});
    for (const TensorSlot& slot : block->slots()) {
      // The count of batches is not used in eval mode, and old files lack it.
      if (!slot.traits.zero_if_missing && plan.devices.onDisk(slot.name)) {
        turn.fetched.push_back(slot);
      } else {
        retain(turn, slot, matched->at(slot.name), plan, resident);
      }
    }
  }
  return {};
}

void OffloadedBlocks::retain(Turn& turn, const TensorSlot& slot, const at::Tensor& values, const OffloadPlan& plan,
                             Resident& resident) {
  const std::pair key(slot.name, slot.traits.in_image_format);
  auto found = resident.find(key);
  if (found == resident.end()) found = resident.emplace(key, keptOf(slot, values, plan)).first;
  KeptSlot kept = found->second;
  kept.slot = slot;
  if (!kept.scale.defined() && kept.values.device() == turn.device) {
    *slot.tensor = std::move(kept.values);
  } else {
    turn.kept.push_back(std::move(kept));
  }
}

OffloadedBlocks::KeptSlot OffloadedBlocks::keptOf(const TensorSlot& slot, const at::Tensor& values,
                                                  const OffloadPlan& plan) {
  const at::Device home = plan.devices.home(slot.name);
  if (!plan.int8 || !slot.traits.of_products) {
    m_resident += bytesOf(slot);
    return {slot, laidOut(slot, values, home, plan.images), {}};
  }
  const LinearWeights rows = quantised(values.flatten(1), {});
  const auto layout = slot.traits.in_image_format ? plan.images : at::MemoryFormat::Contiguous;
  const std::int64_t bytes = rows.weight.numel() + static_cast<std::int64_t>(rows.scale.nbytes());
  m_resident += bytes;
  m_saved += bytesOf(slot) - bytes;
  return {slot, rows.weight.view(slot.shape).contiguous(layout).to(home), rows.scale.to(home)};
}

at::Tensor OffloadedBlocks::broughtTo(at::Device device, const KeptSlot& kept) {
  if (!kept.scale.defined()) return kept.values.to(device);
  std::vector<std::int64_t> an_output(kept.slot.shape.size(), 1);
  an_output.front() = kept.slot.shape.front();
  return kept.values.to(device).to(kept.scale.scalar_type()).mul_(kept.scale.to(device).view(an_output));
}

OffloadedBlocks::Held OffloadedBlocks::bring(std::size_t block) {
  const Turn& turn = m_turns[block];
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
