// SPDX-License-Identifier: GPL-3.0-only
// Keeps block profiles between runs of the program: one JSON file a key, so that a machine measures a model once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/placement/block_profile.h"

namespace lanelab {

class ProfileStore {
 public:
  /// The folder may be absent; it is made when the first profile is kept.
  explicit ProfileStore(std::string folder) : m_folder(std::move(folder)) {}
  /// LANELAB_PROFILES, else lanelab/profiles in XDG_CACHE_HOME or ~/.cache.
  static ProfileStore ofThisUser();

  /// Nothing when there is none of this key. A damaged file is named in `warnings` and counts as none.
  std::optional<BlockProfile> find(const ProfileKey& key, std::vector<std::string>& warnings) const;
  /// Written aside and renamed. Errors name the path.
  Status keep(const BlockProfile& profile) const;
  /// "2026-11-22" (UTC), when the profile of this key was last written; empty if there is none.
  std::string dayOf(const ProfileKey& key) const;
  std::string pathOf(const ProfileKey& key) const;

 private:
  std::string m_folder;
};

/// {"schema", "key", "blocks": [name], "updates", "action_overhead", "sizes": [{"samples", "all_lanes_slowdown",
/// "forward", "backward", "blocks": [...]}]}; every time is {"median_s", "low_s", "high_s", "n"}.
std::string toJson(const BlockProfile& profile);
/// Errors (BadInput) name `place` and the field.
Result<BlockProfile> parseBlockProfile(const std::string& json, const std::string& place);

}  // namespace lanelab
