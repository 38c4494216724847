// SPDX-License-Identifier: GPL-3.0-only
// The blocks of a network in eval mode under a device map: tensors on disk are fetched ahead of the block that needs
// them, those that are kept on another device or in 8 bits are brought for it, and all these are dropped after it.
//
// Where the weights hold the type and layout that a block computes with, nothing is copied: its tensors are views of
// the mapped file. Of a table on disk only the rows that are looked up are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/torch/devices/compute_devices.h"
#include "engine/torch/files/stored_weights.h"
#include "engine/torch/inference/read_ahead.h"
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

/// Each name once.
std::vector<TensorSlot> slotsOfAll(const BlockModules& blocks);

/// Bytes of the weights, by where they are.
struct WeightBytes {
  std::int64_t resident = 0;        ///< kept in the memory of the machine
  std::int64_t on_gpus = 0;         ///< kept in that of its GPUs
  std::int64_t offloaded = 0;       ///< on disk until they are used, but for tables of which rows are read
  std::int64_t most_in_flight = 0;  ///< of these, at once in memory: two of the largest block
  std::int64_t saved_by_int8 = 0;
  bool any_on_disk = false;  ///< such a table, too
};

/// Of such a run, before a weight is read.
WeightBytes weightBytes(const BlockModules& blocks, const OffloadPlan& plan);

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
    at::Device device;  ///< of the block: that of its first tensor; without tensors, of the block before
    std::vector<TensorSlot> fetched, tables;  ///< from disk, one after the other, or by rows
    std::vector<KeptSlot> kept;
  };
  /// In memory already, by name and whether it is in the format of images.
  using Resident = std::map<std::pair<std::string, bool>, KeptSlot>;

 public:
  /// A block whole for as long as this lives.
  class Held {
   public:
    Held(const Turn* turn, const OffloadedBlocks* of) : m_turn(turn), m_of(of) {}
    ~Held();
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    at::Device device() const { return m_turn->device; }

   private:
    const Turn* m_turn;
    const OffloadedBlocks* m_of;
  };
  Held bring(std::size_t block);

  double waitedSeconds() const { return m_ahead->waitedSeconds(); }

 private:
  OffloadedBlocks(StoredWeights weights, at::MemoryFormat images) : m_weights(std::move(weights)), m_images(images) {}
  void addTurns(const BlockModules& blocks, const OffloadPlan& plan);
  void retain(Turn& turn, const TensorSlot& slot, const OffloadPlan& plan, Resident& resident);
  KeptSlot keptOf(const TensorSlot& slot, const OffloadPlan& plan) const;
  at::Tensor inMemory(const TensorSlot& slot, at::Device device) const;
  void drop(const TensorSlot& slot) const { m_weights.drop(m_weights.tensors.at(slot.name)); }

  StoredWeights m_weights;
  at::MemoryFormat m_images;
  std::vector<Turn> m_turns;  ///< one for each block
  std::unique_ptr<ReadAhead> m_ahead;
};

}  // namespace lanelab
