#include "engine/torch/offloaded_blocks.h"

#include <algorithm>
#include <utility>

#include "engine/plan/map_lookup.h"
#include "engine/torch/tensor_file.h"

namespace lanelab {
namespace {

at::Tensor heldBy(const TensorSlot& slot, const at::Tensor& values) { return laidOut(slot, values, at::kCPU, at::MemoryFormat::ChannelsLast); }

std::int64_t bytesOf(const TensorSlot& slot) {
  std::int64_t bytes = static_cast<std::int64_t>(c10::elementSize(typeOf(slot.role)));
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

Result<std::unique_ptr<OffloadedBlocks>> OffloadedBlocks::install(const NetworkBlocks& blocks, const std::string& weights, const DeviceMap& map, std::int64_t passes) {
  std::unique_ptr<OffloadedBlocks> offloaded(new OffloadedBlocks);
  if (!uses(map, MapDevice::Kind::Disk)) {
    Result<TensorMap> values = readWeights(weights);
    if (!values.ok()) return values.error();
    if (const Status installed = offloaded->installResident(blocks, std::move(*values), weights, map); !installed.ok()) return installed.error();
    offloaded->m_ahead = std::make_unique<ReadAhead>(std::vector<FetchedModule>{}, 0, passes);
    return offloaded;
  }
  Result<MappedTensors> opened = MappedTensors::open(weights);
  if (!opened.ok()) return opened.error();
  const auto tensors = std::make_shared<const MappedTensors>(std::move(*opened));
  if (const Status installed = offloaded->installResident(blocks, viewsOf(*tensors), weights, map); !installed.ok()) return installed.error();
  for (const std::string& name : tensors->names()) tensors->drop(name);
  std::vector<FetchedModule> fetched;
  std::int64_t largest = 0;
  for (const auto& block : blocks) {
    const auto found = offloaded->m_slots.find(block.get());
    if (found == offloaded->m_slots.end()) continue;
    fetched.push_back(fetchedBlock(found->second, tensors));
    largest = std::max(largest, fetched.back().bytes);
    offloaded->m_offloaded += fetched.back().bytes;
  }
  offloaded->m_ahead = std::make_unique<ReadAhead>(std::move(fetched), 2 * largest, passes);
  return offloaded;
}

Status OffloadedBlocks::installResident(const NetworkBlocks& blocks, TensorMap values, const std::string& weights, const DeviceMap& map) {
  const Result<TensorMap> matched = matchWeights(blocks, std::move(values), weights);
  if (!matched.ok()) return matched.error();
  for (const auto& block : blocks) {
    for (const TensorSlot& slot : block->slots()) {
      // The count of batches is not used in eval mode, and old files lack it.
      if (slot.role != SlotRole::NormCount && placeOf(map, slot.name).kind == MapDevice::Kind::Disk) {
        m_slots[block.get()].push_back(slot);
        continue;
      }
      *slot.tensor = heldBy(slot, matched->at(slot.name));
      m_resident += bytesOf(slot);
    }
  }
  return {};
}

OffloadedBlocks::Held OffloadedBlocks::bring(const NetworkBlock& block) {
  const auto found = m_slots.find(&block);
  if (found == m_slots.end()) return Held(nullptr, nullptr);
  std::vector<at::Tensor> values = m_ahead->take();
  for (std::size_t i = 0; i < values.size(); ++i) *found->second[i].tensor = std::move(values[i]);
  return Held(&found->second, m_ahead.get());
}

OffloadedBlocks::Held::~Held() {
  if (!m_from) return;
  for (const TensorSlot& slot : *m_slots) slot.tensor->reset();
  m_from->giveBack();
}

}  // namespace lanelab
