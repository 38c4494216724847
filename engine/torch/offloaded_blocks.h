// The blocks of a network in eval mode with some of their tensors on disk: these are brought when the block computes and dropped after it, fetched ahead.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/plan/device_map.h"
#include "engine/torch/initial_weights.h"
#include "engine/torch/mapped_tensors.h"
#include "engine/torch/network_block.h"
#include "engine/torch/read_ahead.h"

namespace lanelab {

/// One pass over the blocks after another, in their order, on one thread.
class OffloadedBlocks {
 public:
  /// Fills the slots of all that `map` keeps in memory, from a safetensors file, or from a zip state dict where nothing lies on disk. `blocks` must outlive the
  /// result. Errors (BadInput) as readWeights and matchWeights.
  static Result<std::unique_ptr<OffloadedBlocks>> install(const NetworkBlocks& blocks, const std::string& weights, const DeviceMap& map, std::int64_t passes);

  /// A block whole for as long as this lives.
  class Held {
   public:
    Held(const std::vector<TensorSlot>* slots, ReadAhead* from) : m_slots(slots), m_from(from) {}
    ~Held();
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

   private:
    const std::vector<TensorSlot>* m_slots;
    ReadAhead* m_from;
  };
  Held bring(const NetworkBlock& block);

  std::int64_t residentBytes() const { return m_resident; }
  std::int64_t offloadedBytes() const { return m_offloaded; }
  double waitedSeconds() const { return m_ahead->waitedSeconds(); }

 private:
  OffloadedBlocks() = default;
  Status installResident(const NetworkBlocks& blocks, TensorMap values, const std::string& weights, const DeviceMap& map);

  std::map<const NetworkBlock*, std::vector<TensorSlot>> m_slots;  ///< of blocks with anything on disk
  std::unique_ptr<ReadAhead> m_ahead;
  std::int64_t m_resident = 0, m_offloaded = 0;
};

}  // namespace lanelab
