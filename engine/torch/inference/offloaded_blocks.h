// SPDX-License-Identifier: GPL-3.0-only
// The blocks of a network in eval mode under a device map: tensors on disk are fetched ahead of the block that needs
// them, those that are kept on another device or in 8 bits are brought for it, and all these are dropped after it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/torch/devices/compute_devices.h"
#include "engine/torch/inference/read_ahead.h"
#include "engine/torch/inference/stored_weights.h"
#include "engine/torch/nn/initial_weights.h"
#include "engine/torch/nn/stage_module.h"

namespace lanelab {

struct OffloadPlan {
  ComputeDevices devices;
  at::MemoryFormat images = at::MemoryFormat::ChannelsLast;  ///< of what is in the format of images
  bool int8 = false;  ///< of convolutions and linear layers that are kept in memory, a scale for each output
};

/// A module each.
using BlockModules = std::vector<std::unique_ptr<StageModule>>;

/// Whether any tensor of the blocks is read from disk for each use.
bool anyOnDisk(const BlockModules& blocks, const ComputeDevices& devices);

/// One pass over the blocks after another, in their order, on one thread.
class OffloadedBlocks {
 public:
  /// Fills the slots of all that is kept where its block computes. `blocks` must outlive the result. Several blocks may
  /// have slots of one name: what is kept of them is one tensor. Errors (BadInput) as matchWeights, with `place`.
  static Result<std::unique_ptr<OffloadedBlocks>> install(const BlockModules& blocks, StoredWeights weights,
                                                          const std::string& place, const OffloadPlan& plan,
                                                          std::int64_t passes);

 private:
  struct KeptSlot {
    TensorSlot slot;
    at::Tensor values;  ///< int8 with a scale
    at::Tensor scale;   ///< an output, or undefined
  };
  /// What a block needs when its turn comes.
  struct Turn {
    at::Device device;                ///< of the block: that of its first tensor; without tensors, of the block before
    std::vector<TensorSlot> fetched;  ///< from disk
    std::vector<KeptSlot> kept;
  };
  /// In memory already, by name and whether it is in the format of images.
  using Resident = std::map<std::pair<std::string, bool>, KeptSlot>;

 public:
  /// A block whole for as long as this lives.
  class Held {
   public:
    Held(const Turn* turn, ReadAhead* from) : m_turn(turn), m_from(from) {}
    ~Held();
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    at::Device device() const { return m_turn->device; }

   private:
    const Turn* m_turn;
    ReadAhead* m_from;
  };
  Held bring(std::size_t block);

  std::int64_t residentBytes() const { return m_resident; }
  std::int64_t offloadedBytes() const { return m_offloaded; }
  std::int64_t savedByInt8() const { return m_saved; }
  double waitedSeconds() const { return m_ahead->waitedSeconds(); }

 private:
  OffloadedBlocks() = default;
  Status installResident(const BlockModules& blocks, const TensorMap& values, const std::string& place,
                         const OffloadPlan& plan);
  void retain(Turn& turn, const TensorSlot& slot, const at::Tensor& values, const OffloadPlan& plan,
              Resident& resident);
  KeptSlot keptOf(const TensorSlot& slot, const at::Tensor& values, const OffloadPlan& plan);
  static at::Tensor broughtTo(at::Device device, const KeptSlot& kept);

  std::vector<Turn> m_turns;  ///< one for each block
  std::unique_ptr<ReadAhead> m_ahead;
  std::int64_t m_resident = 0, m_offloaded = 0, m_saved = 0;
};

}  // namespace lanelab
