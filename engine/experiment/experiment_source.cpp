// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/experiment_source.h"

#include <filesystem>
#include <iostream>

#include "base/json_text.h"
#include "base/regular_file.h"
#include "base/whole_file.h"

namespace lanelab {
namespace {

constexpr std::uint64_t kLargestText = 16ull << 20;
constexpr std::uint64_t kLargestRun = 1ull << 30;
constexpr const char* kRunFile = "run.json";
constexpr std::uint64_t kLargestPicture = 64ull << 20;
constexpr std::size_t kBeginning = 512;  ///< bytes, of which none is 0 in a text

Result<std::string> readStandardInput() {
  std::string text;
  char part[1 << 16];
  while (std::cin.read(part, sizeof part), std::cin.gcount() > 0) {
    text.append(part, static_cast<std::size_t>(std::cin.gcount()));
    if (text.size() > kLargestText)
      return Error::badInput("The experiment on standard input is larger than 16 MiB. Shorten it.");
  }
  return text;
}

/// For a run folder its run.json.
std::string fileOf(const std::string& path) {
  const std::filesystem::path record = std::filesystem::path(path) / kRunFile;
  std::error_code error;
  return std::filesystem::is_regular_file(record, error) ? record.string() : path;
}

/// A run.json that is an experiment itself is returned as it is.
Result<std::string> experimentOfRun(const std::string& text, const std::string& file) {
  const Result<Json> json = parseJsonText(text, file);
  if (!json.ok()) return json.error();
  if (!json->is_object() || !json->contains("experiment")) return text;
  return prettyJson((*json)["experiment"]);
}

/// Empty for what cannot be read.
std::string beginningOf(const std::string& file) {
  const OpenedFile opened = openRegularFile(file);
  std::string bytes(kBeginning, ' ');
  bytes.resize(opened.file ? std::fread(bytes.data(), 1, bytes.size(), opened.file.get()) : 0);
  return bytes;
}

bool beginsPng(std::string_view bytes) { return bytes.starts_with("\x89PNG\r\n\x1a\n"); }

bool looksBinary(std::string_view bytes) { return bytes.substr(0, kBeginning).find('\0') != std::string_view::npos; }

Result<std::string> textInPicture(const std::string& path, const std::string& bytes) {
  Result<std::string> text = experimentInPng(bytes);
  if (!text.ok()) return Error::badInput("{}: {}. Choose an experiment file (.json).", path, text.error());
  if (text->empty())
    return Error::badInput(
        "{} is a PNG without an experiment. Choose an experiment file (.json), or a PNG that LaneLab exported from a "
        "run.",
        path);
  return text;
}

}  // namespace

Result<std::string> readExperimentText(const std::string& path) {
  if (path == "-") return readStandardInput();
  const std::string file = fileOf(path);
  const bool is_run = std::filesystem::path(file).filename() == kRunFile;
  Result<std::string> bytes = readWholeFile(file, is_run                         ? kLargestRun
                                                  : beginsPng(beginningOf(file)) ? kLargestPicture
                                                                                 : kLargestText);
  if (bytes.ok() && is_run) return experimentOfRun(*bytes, file);
  if (!bytes.ok()) return bytes;
  if (beginsPng(*bytes)) return textInPicture(path, *bytes);
  if (looksBinary(*bytes))
    return Error::badInput(
        "{} is not an experiment, run or trace. Choose an experiment file (.json), a run folder or archive, or a "
        "trace.",
        path);
  return bytes;
}

}  // namespace lanelab
