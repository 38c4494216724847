// SPDX-License-Identifier: GPL-3.0-only
#include "app/start/start_with_torch.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/termination.h"
#include "engine/libtorch/torch_place.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibraryPath = "LD_LIBRARY_PATH";
constexpr const char* kEarlierLibraryPath = "LANELAB_LD_LIBRARY_PATH";  ///< what it was before, for the started program
constexpr std::string_view kBuiltWith = LANELAB_TORCH_VERSION;

fs::path thisProgram() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

/// Of an installed LaneLab: the folder of the programs that no user calls.
fs::path installedFolder() { return (thisProgram().parent_path() / LANELAB_PROGRAMS_FROM_BIN).lexically_normal(); }

bool isProgram(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

std::string textOf(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

/// The loader is to look in `folders` first.
void setLibraryPath(const std::vector<fs::path>& folders) {
  const std::string earlier = textOf(kLibraryPath);
  std::string path;
  for (const fs::path& folder : folders) path += (path.empty() ? "" : ":") + folder.string();
  if (!earlier.empty()) path += ":" + earlier;
  ::setenv(kEarlierLibraryPath, earlier.c_str(), 1);
  ::setenv(kLibraryPath, path.c_str(), 1);
}

Error become(const fs::path& program, char** arguments) {
  letSignalsEnd();  // a blocked signal would stay blocked while the other program loads
  ::execv(program.c_str(), arguments);
  return Error::failed("{} cannot be started: {}. Install LaneLab again, or build it again.", program.string(),
                       std::strerror(errno));
}

/// Whether the LibTorch that an installed program is to have was found, with its folders in the environment.
Status prepareTorch() {
  const Result<TorchPlace> place = findTorch(torchSearch());
  if (!place.ok()) return place.error();
  if (Status fits = fitsBuild(*place, std::string(kBuiltWith)); !fits.ok()) return fits;
  setLibraryPath(place->libraryFolders());
  return {};
}

/// Whether the program would open its window: there is a display, and no option that asks for other work.
bool opensWindow(char** arguments) {
  if (textOf("DISPLAY").empty() && textOf("WAYLAND_DISPLAY").empty()) return false;
  for (char** argument = arguments + 1; *argument != nullptr; ++argument)
    if (**argument == '-') return false;
  return textOf("QT_QPA_PLATFORM") != "offscreen";
}

}  // namespace

Error startWithTorch(const std::string& name, char** arguments) {
  const fs::path installed = installedFolder() / name;
  if (!isProgram(installed)) {
    const fs::path beside = thisProgram().parent_path() / name;
    if (beside == thisProgram()) return Error::failed("{} is missing. Install LaneLab again.", installed.string());
    return become(beside, arguments);
  }
  if (const Status ready = prepareTorch(); !ready.ok()) return ready.error();
  return become(installed, arguments);
}

Error offerTorch(const Error& missing, char** arguments) {
  const fs::path page = installedFolder() / "lanelab-set-up";
  if (!isProgram(page) || !opensWindow(arguments)) return missing;
  std::string then = thisProgram().string();  // as the first word: what the page starts afterwards
  std::vector<char*> words = {then.data()};
  for (char** argument = arguments + 1; *argument != nullptr; ++argument) words.push_back(*argument);
  words.push_back(nullptr);
  return become(page, words.data());
}

void restoreLibraryPath() {
  const char* const earlier = std::getenv(kEarlierLibraryPath);
  if (earlier == nullptr) return;
  if (*earlier == '\0')
    ::unsetenv(kLibraryPath);
  else
    ::setenv(kLibraryPath, earlier, 1);
  ::unsetenv(kEarlierLibraryPath);
}

}  // namespace lanelab
