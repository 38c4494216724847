// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/collect/launch_owner.h"

namespace lanelab {

namespace {

/// Parts are kept plus one, so that -1 is 0.
struct Part {
  int shift;
  int bits;
  std::uint64_t most() const { return (std::uint64_t{1} << bits) - 1; }
  bool fits(int value) const { return value >= -1 && static_cast<std::uint64_t>(value + 1) <= most(); }
  std::uint64_t put(int value) const { return static_cast<std::uint64_t>(value + 1) << shift; }
  int get(std::uint64_t id) const { return static_cast<int>(id >> shift & most()) - 1; }
};

constexpr Part lane{0, 8}, stage{8, 8}, micro_batch{16, 13}, phase{29, 3}, step{32, 24};
constexpr int run_shift = 56;

int numberOf(Phase of) { return static_cast<int>(of) - 1; }

}  // namespace

std::uint64_t externalIdOf(const LaunchOwner& owner, std::uint8_t run) {
  const bool fits = owner.lane >= 0 && lane.fits(owner.lane) && stage.fits(owner.stage) &&
                    micro_batch.fits(owner.micro_batch) && step.fits(owner.step);
  if (!fits) return 0;
  return lane.put(owner.lane) | stage.put(owner.stage) | micro_batch.put(owner.micro_batch) |
         phase.put(numberOf(owner.phase)) | step.put(owner.step) | static_cast<std::uint64_t>(run) << run_shift;
}

std::optional<IdentifiedOwner> ownerOf(std::uint64_t id) {
  const int phase_number = phase.get(id) + 1;
  if (lane.get(id) < 0 || phase_number > static_cast<int>(Phase::Update)) return std::nullopt;
  LaunchOwner owner;
  owner.lane = lane.get(id);
  owner.step = step.get(id);
  owner.stage = static_cast<std::int16_t>(stage.get(id));
  owner.micro_batch = static_cast<std::int16_t>(micro_batch.get(id));
  owner.phase = static_cast<Phase>(phase_number);
  return IdentifiedOwner{owner, static_cast<std::uint8_t>(id >> run_shift)};
}

}  // namespace lanelab
