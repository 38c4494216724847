// SPDX-License-Identifier: GPL-3.0-only
// lanelab-bench-timeline EVENTS [--json]: started by lanelab-bench timeline, which has no Qt itself.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>

#include "tests/bench/benches.h"

int main(int argc, char** argv) {
  try {
    if (argc < 2) return 2;
    const bool json = argc > 2;
    const nlohmann::json result = lanelab::bench::benchTimeline(std::atoi(argv[1]), !json);
    if (json) std::printf("%s\n", result.dump(2).c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lanelab-bench timeline: %s\n", error.what());
    return 1;
  }
}
