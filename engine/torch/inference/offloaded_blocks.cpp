// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/inference/offloaded_blocks.h"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <set>

#include "base/stop_point.h"
#include "engine/torch/graph/int8_linear.h"

namespace lanelab {
namespace {

std::int64_t bytesOf(const TensorSlot& slot) {
  return numbersOf(slot.shape) * static_cast<std::int64_t>(c10::elementSize(slot.traits.type));
}

/// The count of batches is not used in eval mode, and old files lack it.
bool isFetched(const TensorSlot& slot, const ComputeDevices& devices) {
  return !slot.traits.zero_if_missing && devices.onDisk(slot.name);
}

bool isTable(const TensorSlot& slot, const ComputeDevices& devices) {
  return slot.traits.of_rows && isFetched(slot, devices);
}

/// As the calls of its block read it.
void bringTo(at::Device device, const TensorSlot& slot, const at::Tensor& values, const at::Tensor& scale) {
  *slot.tensor = values.to(device);
  if (!scale.defined()) return;
  if (slot.scale) {
    *slot.scale = scale.to(device);
    return;
  }
  std::vector<std::int64_t> an_output(slot.shape.size(), 1);
  an_output.front() = slot.shape.front();
  *slot.tensor = slot.tensor->to(scale.scalar_type()).mul_(scale.to(device).view(an_output));
}

}  // namespace

std::vector<TensorSlot> slotsOfAll(const BlockModules& blocks) {
  std::vector<TensorSlot> slots;
  std::set<std::string> names;
  for (const auto& block : blocks)
    for (const TensorSlot& slot : block->slots())
      if (names.insert(slot.name).second) slots.push_back(slot);
  return slots;
}

WeightBytes weightBytes(const BlockModules& blocks, const OffloadPlan& plan) {
  WeightBytes bytes;
  std::set<std::pair<std::string, bool>> kept;
  for (const auto& block : blocks) {
    std::int64_t fetched = 0;
    for (const TensorSlot& slot : block->slots()) {
      if (isFetched(slot, plan.devices)) {
        bytes.any_on_disk = true;
        if (!isTable(slot, plan.devices)) fetched += bytesOf(slot);
      } else if (kept.emplace(slot.name, slot.traits.in_image_format).second) {
        const std::int64_t numbers = numbersOf(slot.shape), whole = bytesOf(slot);
        const bool int8 = plan.int8 && slot.traits.of_products;  // beside a scale for each output
        const std::int64_t here = int8 ? numbers + slot.shape.front() * (whole / numbers) : whole;
        (plan.devices.home(slot.name).is_cpu() ? bytes.resident : bytes.on_gpus) += here;
        bytes.saved_by_int8 += whole - here;
      }
    }
    bytes.offloaded += fetched;
    bytes.most_in_flight = std::max(bytes.most_in_flight, 2 * fetched);
  }
  return bytes;
}

Result<std::unique_ptr<OffloadedBlocks>> OffloadedBlocks::install(const BlockModules& blocks, StoredWeights weights,
                                                                  const std::string& place, const OffloadPlan& plan,
                                                                  std::int64_t passes) {
  Result<TensorMap> fitting = matchWeights(slotsOfAll(blocks), std::move(weights.tensors), place);
  if (!fitting.ok()) return fitting.error();
  std::unique_ptr<OffloadedBlocks> offloaded(
      new OffloadedBlocks({std::move(*fitting), std::move(weights.files)}, plan.images));
  offloaded->addTurns(blocks, plan);
  std::vector<FetchedTensor> fetched;
  const OffloadedBlocks& whole = *offloaded;
  for (const Turn& turn : offloaded->m_turns)
    for (const TensorSlot& slot : turn.fetched)
      fetched.push_back({bytesOf(slot), [&whole, &slot] { return whole.inMemory(slot, at::kCPU); },
                         [&whole, &slot] { whole.drop(slot); }});
  offloaded->m_ahead =
      std::make_unique<ReadAhead>(std::move(fetched), weightBytes(blocks, plan).most_in_flight, passes);
  return offloaded;
}

void OffloadedBlocks::addTurns(const BlockModules& blocks, const OffloadPlan& plan) {
  Resident resident;
  std::set<std::string> on_disk;
  at::Device device = plan.devices.compute("");
  for (const auto& block : blocks) {
    const std::vector<TensorSlot>& slots = block->slots();
    const auto is_table = [&](const TensorSlot& slot) { return isTable(slot, plan.devices); };
    if (!slots.empty()) device = plan.devices.compute(slots.front().name);
    // Rows are looked up where the file is mapped.
    const bool only_tables = !slots.empty() && std::ranges::all_of(slots, is_table);
    Turn& turn = m_turns.emplace_back(Turn{only_tables ? at::Device(at::kCPU) : device, {}, {}, {}});
    for (const TensorSlot& slot : slots) {
      stopPoint();
      if (!isFetched(slot, plan.devices)) {
        retain(turn, slot, plan, resident);
        continue;
      }
      on_disk.insert(slot.name);
      (is_table(slot) && turn.device.is_cpu() ? turn.tables : turn.fetched).push_back(slot);
    }
    for (const TensorSlot& table : turn.tables) *table.tensor = m_weights.tensors.at(table.name);
  }
  std::erase_if(m_weights.tensors, [&](const auto& stored) { return !on_disk.contains(stored.first); });
}

void OffloadedBlocks::retain(Turn& turn, const TensorSlot& slot, const OffloadPlan& plan, Resident& resident) {
  const std::pair key(slot.name, slot.traits.in_image_format);
  auto found = resident.find(key);
  if (found == resident.end()) found = resident.emplace(key, keptOf(slot, plan)).first;
  KeptSlot kept = found->second;
  kept.slot = slot;
  if (kept.values.device() == turn.device && (!kept.scale.defined() || slot.scale)) {
    bringTo(turn.device, slot, kept.values, kept.scale);
  } else {
    turn.kept.push_back(std::move(kept));
  }
}

OffloadedBlocks::KeptSlot OffloadedBlocks::keptOf(const TensorSlot& slot, const OffloadPlan& plan) const {
  const at::Device home = plan.devices.home(slot.name);
  if (!plan.int8 || !slot.traits.of_products) return {slot, inMemory(slot, home), {}};
  const Int8Weight weight = quantised(inMemory(slot, at::kCPU).flatten(1));
  drop(slot);
  const auto layout = slot.traits.in_image_format ? m_images : at::MemoryFormat::Contiguous;
  return {slot, weight.rows.view(slot.shape).contiguous(layout).to(home), weight.scale.to(home)};
}

/// The weights' own memory where they are held so; else a copy, with which the file's pages can go.
at::Tensor OffloadedBlocks::inMemory(const TensorSlot& slot, at::Device device) const {
  const at::Tensor& stored = m_weights.tensors.at(slot.name);
  m_weights.read(stored);
  const bool laid_out = !slot.traits.in_image_format || m_images == at::MemoryFormat::Contiguous;
  if (device.is_cpu() && laid_out && !slot.traits.written && stored.scalar_type() == slot.traits.type &&
      stored.is_contiguous())
    return stored;
  at::Tensor copy = laidOut(slot, stored, device, m_images);
  m_weights.drop(stored);
  return copy;
}

OffloadedBlocks::Held OffloadedBlocks::bring(std::size_t block) {
  const Turn& turn = m_turns[block];
  for (const KeptSlot& kept : turn.kept) bringTo(turn.device, kept.slot, kept.values, kept.scale);
  for (const TensorSlot& slot : turn.fetched) bringTo(turn.device, slot, m_ahead->acquire(), {});
  return Held(&turn, this);
}

OffloadedBlocks::Held::~Held() {
  for (const KeptSlot& kept : m_turn->kept) kept.slot.tensor->reset();
  for (const TensorSlot& slot : m_turn->tables) m_of->drop(slot);
  for (const TensorSlot& slot : m_turn->fetched) {
    slot.tensor->reset();
    m_of->m_ahead->release();
  }
}

}  // namespace lanelab
