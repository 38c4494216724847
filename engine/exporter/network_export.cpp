// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exporter/network_export.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/atomic_file.h"
#include "base/termination.h"
#include "engine/exporter/export_script.h"
#include "engine/libtorch/torch_place.h"

namespace lanelab {
namespace {

constexpr std::string_view kErrorBegin = "lanelab_export: ";  ///< of the line in which the script reports its error

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

/// The first line of a file that CMake writes beside the programs of a build folder, and that is not installed.
std::string pythonOfBuild() {
  std::error_code error;
  std::ifstream file(std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "python-of-build");
  std::string path;
  std::getline(file, path);
  return path;
}

Status checkOut(const std::string& out) {
  const std::filesystem::path path(out);
  std::error_code error;
  if (path.extension() != ".pt2")
    return Error::badInput("--out: {} does not have the file extension .pt2. Add it.", out);
  if (path.has_parent_path() && !std::filesystem::is_directory(path.parent_path(), error))
    return Error::badInput("--out: the folder of {} does not exist. Make it, or choose another one.", out);
  if (std::filesystem::is_directory(path, error))
    return Error::badInput("--out: {} is a folder. Choose the name of a file.", out);
  return {};
}

std::vector<std::string> wordsOf(const NetworkExport& network, const std::string& python, const std::string& partial) {
  // With "=" a value that begins with a dash is not an option.
  std::vector<std::string> words = {python,
                                    "-u",
                                    "-c",
                                    kExportScript,
                                    "--input=" + network.input,
                                    "--out=" + network.out,
                                    "--batch=" + std::to_string(network.batch),
                                    "--seed=" + std::to_string(network.seed),
                                    "--partial=" + partial};
  if (!network.config.empty()) words.push_back("--config=" + network.config);
  for (const std::string& setting : network.settings) words.push_back("--set=" + setting);
  words.insert(words.end(), {"--", network.factory});
  return words;
}

/// What the script printed that is not for the reader of its lines, or that an error needs.
struct Heard {
  std::string error;         ///< its own sentence
  std::string last_message;  ///< of Python, if it ended without one
};

ChildLines listening(const ChildLines& lines, Heard& heard) {
  const auto message = [&lines, &heard](const std::string& line) {
    if (line.starts_with(kErrorBegin)) {
      heard.error = line.substr(kErrorBegin.size());
      return;
    }
    heard.last_message = line;
    if (lines.messages) lines.messages(line);
  };
  return {lines.output, message};
}

Status putInPlace(const PartialFile& partial, const std::string& out) {
  const int error = partial.renameTo(out);
  return error == 0 ? Status() : cannotWrite(out, error);
}

Error errorOf(const ChildEnd& end, const Heard& heard, const std::string& python) {
  if (!heard.error.empty())
    return end.exit_code == kExitBadInput ? Error::badInput(verbatim(heard.error))
                                          : Error::failed(verbatim(heard.error));
  if (end.signal != 0)
    return Error::failed("{} was ended by signal {} during the export. If memory is short, close other programs.",
                         python, end.signal);
  return Error::failed("{} ended with exit code {} during the export. Its last message: {}", python, end.exit_code,
                       heard.last_message.empty() ? "none." : heard.last_message);
}

Error notStarted(const Error& error, bool chosen) {
  if (chosen)
    return Error::badInput("{} Name a Python that has PyTorch with --python or the variable LANELAB_PYTHON.", error);
  return Error::failed(
      "{} Install Python 3 and PyTorch, or name a Python that has it with --python or the variable LANELAB_PYTHON.",
      error);
}

}  // namespace

std::string usualPython() {
  if (std::string chosen = variable("LANELAB_PYTHON"); !chosen.empty()) return chosen;
  if (std::string of_build = pythonOfBuild(); ::access(of_build.c_str(), X_OK) == 0) return of_build;
  const Result<TorchPlace> place = findTorch(torchSearch());
  return place.ok() && !place->python().empty() ? place->python().string() : "python3";
}

Error notTrainable(const std::string& file, const Error& why) {
  const std::string begin = file + ": ";
  Message reason = why;
  if (why.message.starts_with(begin)) reason = verbatim(why.message.substr(begin.size()));
  return Error::failed("{} was written, but LaneLab cannot train it: {}", file, reason);
}

Status exportNetwork(const NetworkExport& network, const ChildLines& lines, const std::stop_token& stop) {
  if (Status fit = checkOut(network.out); !fit.ok()) return fit;
  const std::string python = network.python.empty() ? usualPython() : network.python;
  // PyTorch loads files of this extension only. Made here, so that it is locked while Python fills it.
  PartialFile partial = PartialFile::beside(network.out, ".pt2");
  if (!partial.create().ok()) return cannotWrite(network.out, errno);
  Heard heard;
  const Result<ChildEnd> end = runChild(wordsOf(network, python, partial.path()), listening(lines, heard), stop);
  if (end.ok() && end->signal == 0 && end->exit_code == 0) return putInPlace(partial, network.out);
  if (end.ok()) return errorOf(*end, heard, python);
  if (end.error().kind == Error::Kind::Cancelled) return end.error();
  return notStarted(end.error(), !network.python.empty() || !variable("LANELAB_PYTHON").empty());
}

}  // namespace lanelab
