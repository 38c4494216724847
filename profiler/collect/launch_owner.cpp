// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/collect/launch_owner.h"

namespace lanelab {

namespace {

/// Parts are kept plus one, so that -1 is 0.
struct Part {
  int shift;
  int bits;
  std::uint64_t most() const { return (std::uint64_t{1} << bits) - 1; }
  bool fits(int value) const { return value >= -1 && static_cast<std::uint64_t>(value) + 1 <= most(); }
  std::uint64_t put(int value) const { return (static_cast<std::uint64_t>(value) + 1) << shift; }
  int get(std::uint64_t id) const { return static_cast<int>(id >> shift & most()) - 1; }
};

constexpr Part kLane{0, 8}, kStage{8, 8}, kMicroBatch{16, 13}, kPhase{29, 3}, kStep{32, 24};
constexpr int kRunShift = 56;

int numberOf(Phase of) { return static_cast<int>(of) - 1; }

}  // namespace

std::uint64_t externalIdOf(const LaunchOwner& owner, std::uint8_t run) {
  const bool fits = owner.lane >= 0 && kLane.fits(owner.lane) && kStage.fits(owner.stage) &&
                    kMicroBatch.fits(owner.micro_batch) && kStep.fits(owner.step);
  if (!fits) return 0;
  return kLane.put(owner.lane) | kStage.put(owner.stage) | kMicroBatch.put(owner.micro_batch) |
         kPhase.put(numberOf(owner.phase)) | kStep.put(owner.step) | static_cast<std::uint64_t>(run) << kRunShift;
}

std::optional<IdentifiedOwner> ownerOf(std::uint64_t id) {
  const int phase_number = kPhase.get(id) + 1;
  if (kLane.get(id) < 0 || phase_number > static_cast<int>(Phase::Update)) return std::nullopt;
  const LaunchOwner owner{kLane.get(id), kStep.get(id), static_cast<std::int16_t>(kStage.get(id)),
                          static_cast<std::int16_t>(kMicroBatch.get(id)), static_cast<Phase>(phase_number)};
  return IdentifiedOwner{owner, static_cast<std::uint8_t>(id >> kRunShift)};
}

}  // namespace lanelab
