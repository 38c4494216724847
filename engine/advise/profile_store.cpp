// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/profile_store.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/fingerprint.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "engine/record/begun_record.h"

namespace lanelab {
namespace {

constexpr std::uint64_t kLargestFile = 16ull << 20;

std::string textOf(const ProfileKey& key) {
  std::string text;
  for (const std::string& part : {key.machine, key.device, key.arch, std::to_string(key.classes),
                                  formatShape(key.shape), key.precision, key.layout, key.optimizer, key.training,
                                  std::to_string(key.threads), std::to_string(key.lanes), key.software}) {
    text += part + "\n";
  }
  return text;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

ProfileStore ProfileStore::ofThisUser() {
  namespace fs = std::filesystem;
  if (const std::string chosen = variable("LANELAB_PROFILES"); !chosen.empty()) return ProfileStore(chosen);
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty())
    return ProfileStore((fs::path(cache) / "lanelab" / "profiles").string());
  const std::string home = variable("HOME");
  const fs::path cache = home.empty() ? fs::temp_directory_path() : fs::path(home) / ".cache";
  return ProfileStore((cache / "lanelab" / "profiles").string());
}

std::string ProfileStore::pathOf(const ProfileKey& key) const {
  return (std::filesystem::path(m_folder) / (slug(key.arch) + "-" + hexDigits(fingerprintOf(textOf(key))) + ".json"))
      .string();
}

std::optional<BlockProfile> ProfileStore::find(const ProfileKey& key, std::vector<std::string>& warnings) const {
  const std::string path = pathOf(key);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  const Result<std::string> text = readWholeFile(path, kLargestFile);
  Result<BlockProfile> profile = text.ok() ? parseBlockProfile(*text, path) : Result<BlockProfile>(text.error());
  if (!profile.ok()) {
    warnings.push_back("The stored profile cannot be used, so the blocks are measured again: " +
                       profile.error().message);
    return std::nullopt;
  }
  if (profile->key != key) return std::nullopt;
  return std::move(*profile);
}

std::string ProfileStore::dayOf(const ProfileKey& key) const {
  std::error_code absent;
  const auto written = std::filesystem::last_write_time(pathOf(key), absent);
  if (absent) return {};
  return utcText(std::chrono::system_clock::to_time_t(std::chrono::file_clock::to_sys(written)), "%Y-%m-%d");
}

Status ProfileStore::keep(const BlockProfile& profile) const {
  std::error_code error;
  std::filesystem::create_directories(m_folder, error);
  if (error) {
    return Error::failed(
        "The folder of profiles {} cannot be made ({}). Choose another one with the variable LANELAB_PROFILES.",
        m_folder, error.message());
  }
  return writeFileAtomically(pathOf(profile.key), toJson(profile));
}

}  // namespace lanelab
