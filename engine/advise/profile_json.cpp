// SPDX-License-Identifier: GPL-3.0-only
#include "base/json_table.h"
#include "engine/advise/profile_store.h"

namespace lanelab {
namespace {

constexpr int kProfileSchema = 1;

void check(FieldErrors& errors, const BlockProfile& profile) {
  const std::size_t blocks = profile.block_names.size();
  if (blocks == 0) errors.add("blocks is empty.");
  if (profile.updates.size() != blocks)
    errors.add("updates must have one time for each of the " + std::to_string(blocks) + " blocks.");
  for (std::size_t i = 0; i < profile.sizes.size(); ++i) {
    const std::string where = indexPath("sizes", i);
    if (profile.sizes[i].blocks.size() != blocks)
      errors.add(where + ".blocks must have " + std::to_string(blocks) + " elements.");
    if (profile.sizes[i].samples <= (i == 0 ? 0 : profile.sizes[i - 1].samples))
      errors.add(where + ".samples must be above the one before it.");
    if (!(profile.sizes[i].core_share >= 0 && profile.sizes[i].core_share <= 1))
      errors.add(where + ".core_share must be from 0 to 1.");
    if (!(profile.sizes[i].all_lanes_slowdown >= 1)) errors.add(where + ".all_lanes_slowdown must be 1 or more.");
  }
}

}  // namespace

void fieldsOf(auto& field, StructOf<Timing> auto& timing) {
  field("median_s", timing.median, Need::Yes);
  field("low_s", timing.low, Need::Yes);
  field("high_s", timing.high, Need::Yes);
  field("n", timing.n, Need::Yes);
  field.check(timing.median >= 0, "median_s", " must be 0 or more.");
}

void fieldsOf(auto& field, StructOf<ProfileKey> auto& key) {
  field("machine", key.machine, Need::Yes);
  field("device", key.device, Need::Yes);
  field("arch", key.arch, Need::Yes);
  field("classes", key.classes, Need::Yes);
  field("shape", key.shape, Need::Yes);
  field("precision", key.precision, Need::Yes);
  field("layout", key.layout, Need::Yes);
  field("optimizer", key.optimizer, Need::Yes);
  field("training", key.training, Need::Yes);
  field("threads", key.threads, Need::Yes);
  field("lanes", key.lanes, Need::Yes);
  field("software", key.software, Need::Yes);
}

void fieldsOf(auto& field, StructOf<BlockTiming> auto& block) {
  field("forward", block.forward, Need::Yes);
  field("backward", block.backward, Need::Yes);
  field("backward_input", block.backward_input, Need::Yes);
  field("backward_weight", block.backward_weight, Need::Yes);
  field("transfer", block.transfer, Need::Yes);
}

void fieldsOf(auto& field, StructOf<BlockProfile::Size> auto& size) {
  field("samples", size.samples, Need::Yes);
  field("all_lanes_slowdown", size.all_lanes_slowdown, Need::Yes);
  field.ifSet("core_share", size.core_share, size.core_share > 0);
  field("forward", size.forward, Need::Yes);
  field("backward", size.backward, Need::Yes);
  field("blocks", size.blocks, Need::Yes);
}

void fieldsOf(auto& field, StructOf<BlockProfile> auto& profile) {
  field.schema(kProfileSchema);
  field("key", profile.key, Need::Yes);
  field("blocks", profile.block_names, Need::Yes);
  field("updates", profile.updates, Need::Yes);
  field("action_overhead", profile.action_overhead, Need::Yes);
  field("sizes", profile.sizes, Need::Yes);
}

std::string toJson(const BlockProfile& profile) { return prettyJson(jsonOf(profile)); }

Result<BlockProfile> parseBlockProfile(const std::string& json, const std::string& place) {
  return readJson(json, place, [](FieldErrors& errors, const Json& value) {
    FieldReader field(errors, value, "");
    BlockProfile profile;
    fieldsOf(field, profile);
    check(errors, profile);
    return profile;
  });
}

}  // namespace lanelab
