// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/rendezvous/process_id.h"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace lanelab {

namespace {

std::string firstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// State and start time of a process, nothing if there is none: fields 3 and 22 of its stat line, counted behind the
/// name, which may hold anything.
struct Stat {
  char state = '?';
  std::string started;
};

std::optional<Stat> statOf(int number) {
  const std::string line = firstLine("/proc/" + std::to_string(number) + "/stat");
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(name_end + 1));
  Stat stat;
  std::string skipped;
  fields >> stat.state;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  fields >> stat.started;
  return stat;
}

}  // namespace

ProcessId ProcessId::ofThisProcess() {
  ProcessId id;
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  id.host = host.data();
  std::error_code error;
  id.machine = firstLine("/proc/sys/kernel/random/boot_id") + "/" +
               std::filesystem::read_symlink("/proc/self/ns/pid", error).string();
  id.number = getpid();
  if (const auto stat = statOf(id.number)) id.started = stat->started;
  return id;
}

std::string ProcessId::line() const { return host + "\t" + machine + "\t" + std::to_string(number) + "\t" + started; }

ProcessId ProcessId::fromLine(const std::string& line) {
  std::istringstream fields(line);
  ProcessId id;
  std::string number;
  std::getline(fields, id.host, '\t');
  std::getline(fields, id.machine, '\t');
  std::getline(fields, number, '\t');
  std::getline(fields, id.started, '\t');
  id.number = std::atoi(number.c_str());
  return id;
}

bool ProcessId::hasEnded(const std::string& this_machine) const {
  if (machine != this_machine || started.empty()) return false;
  const auto stat = statOf(number);
  return !stat || stat->started != started || stat->state == 'Z' || stat->state == 'X';
}

}  // namespace lanelab
