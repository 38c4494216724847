// SPDX-License-Identifier: GPL-3.0-only
// The way of a process to the store of its run. All waits are limited, and whoever waits for long reads what for.
#pragma once

#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "engine/dist/rendezvous/world_place.h"

namespace lanelab {

/// What a rank waits for, in one sentence. Called after a few seconds of waiting, at most once for each thing waited
/// for.
using ReportWait = std::function<void(const std::string& sentence)>;

struct StoreConnection {
  c10::intrusive_ptr<c10d::Store> store;
  std::string address;  ///< of the store, in numbers
};

/// Text as the bytes that c10d's stores hold, and back.
inline std::vector<std::uint8_t> storeBytes(const std::string& text) { return {text.begin(), text.end()}; }
inline std::string storeText(const std::vector<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

/// "node7:29500".
std::string addressOf(const WorldPlace& place);

/// Rank 0 keeps the store at the address of MASTER_ADDR and no other, unless torchrun's agent does; the others wait for
/// it as long as `timeout`. Throws RankRefused or std::runtime_error with a sentence: a name that is not found, a port
/// that another program has, nobody there.
StoreConnection connectToStore(const WorldPlace& place, std::chrono::milliseconds timeout, const ReportWait& report);

}  // namespace lanelab
