// SPDX-License-Identifier: GPL-3.0-only
#include "engine/libtorch/torch_place.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>

namespace lanelab {
namespace {

namespace fs = std::filesystem;

std::string ofEnvironment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

bool isThere(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool isTorchPackage(const fs::path& folder) { return isThere(folder / "lib" / "libtorch_cpu.so"); }

/// The folders "python3..." of an environment's lib, in the order of their names.
std::vector<fs::path> pythonFolders(const fs::path& environment) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(environment / "lib", error))
    if (entry.path().filename().string().starts_with("python3")) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

/// The package in `root`, which is the package itself, the packages of a Python, or an environment.
std::optional<fs::path> packageIn(const fs::path& root) {
  if (isTorchPackage(root)) return root;
  if (isTorchPackage(root / "torch")) return root / "torch";
  for (const fs::path& python : pythonFolders(root))
    if (const fs::path package = python / "site-packages" / "torch"; isTorchPackage(package)) return package;
  return std::nullopt;
}

/// "2.15.0+cu132" of the line __version__ = '2.15.0+cu132'.
std::string versionOf(const fs::path& package) {
  constexpr std::string_view kBegin = "__version__ = '";
  std::ifstream file(package / "version.py");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(kBegin)) return line.substr(kBegin.size(), line.find('\'', kBegin.size()) - kBegin.size());
  return {};
}

/// "2.15" of "2.15.0+cu132".
std::string minorOf(const std::string& version) {
  const std::size_t major = version.find('.');
  return major == std::string::npos ? version : version.substr(0, version.find('.', major + 1));
}

}  // namespace

std::vector<fs::path> TorchPlace::libraryFolders() const {
  std::vector<fs::path> folders = {package / "lib"};
  if (const fs::path cuda = package.parent_path() / "nvidia" / "cu13" / "lib"; isThere(cuda)) folders.push_back(cuda);
  return folders;
}

fs::path TorchPlace::python() const {
  // environment/lib/python3.11/site-packages/torch
  const fs::path program = package.parent_path().parent_path().parent_path().parent_path() / "bin" / "python3";
  return isThere(program) ? program : fs::path();
}

TorchSearch torchSearch() {
  TorchSearch search;
  search.chosen = ofEnvironment("LANELAB_TORCH_ROOT");
  fs::path data = ofEnvironment("XDG_DATA_HOME");
  if (!data.is_absolute()) data = fs::path(ofEnvironment("HOME")) / ".local" / "share";
  search.own = data / "lanelab" / "python";
  return search;
}

Result<TorchPlace> findTorch(const TorchSearch& search) {
  if (!search.chosen.empty()) {
    const std::optional<fs::path> package = packageIn(search.chosen.lexically_normal());
    if (package) return TorchPlace{*package, versionOf(*package)};
    return Error::badInput(
        "LANELAB_TORCH_ROOT: {} has no PyTorch (no lib/libtorch_cpu.so in a folder torch). Set it to a Python "
        "environment that has PyTorch, or unset it.",
        search.chosen.string());
  }
  // Its last step writes the stamp: without it an installation was stopped half-way.
  const std::optional<fs::path> package = packageIn(search.own);
  if (package && isThere(search.own / "lanelab.stamp")) return TorchPlace{*package, versionOf(*package)};
  return Error::failed(
      "PyTorch is not in {}. Run lanelab-setup-torch, which installs it there, or set LANELAB_TORCH_ROOT to a Python "
      "environment that has PyTorch.",
      search.own.string());
}

Status fitsBuild(const TorchPlace& place, const std::string& built) {
  if (place.version.empty() || minorOf(place.version) == minorOf(built)) return {};
  return Error::badInput(
      "PyTorch {} in {} does not fit: this LaneLab was built with {}. Set LANELAB_TORCH_ROOT to a Python environment "
      "that has PyTorch {}, or unset it and run lanelab-setup-torch.",
      place.version, place.package.string(), built, minorOf(built));
}

}  // namespace lanelab
