// SPDX-License-Identifier: GPL-3.0-only
// How the ranks of a run meet at its store, before anything else is exchanged: each shows a card, rank 0 compares all
// with its own, and the run begins when all are there and equal.
//
// Rank 0 names the run by a random word, and everything else lies under that word in the store. Each rank claims its
// place there once, so that a process too many finds it taken, and a process of another run sees another token. Such
// strangers leave with a sentence, and the run does not notice them.
#pragma once

#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <string>

#include "engine/dist/rendezvous/process_id.h"
#include "engine/dist/rendezvous/store_connection.h"
#include "engine/dist/rendezvous/world_place.h"

namespace lanelab {

/// What a process shows of itself.
struct RankCard {
  int size = 0;
  std::string token;
  ProcessId process;
  std::string agreement;  ///< of rankAgreement(); empty: nothing to compare

  std::string text() const;
  static RankCard fromText(const std::string& text);
};

struct MeetingLimits {
  std::chrono::milliseconds arrival;         ///< for all to come
  std::chrono::milliseconds answer{10000};   ///< of the store, and of what must be there at once
  std::chrono::milliseconds farewell{5000};  ///< for the others to hear that the run does not begin
};

/// Returns the store of this run alone when all its ranks are there and agree. Throws, on all ranks the same sentence:
/// RankRefused where the user chose something that does not fit, std::runtime_error where a rank did not come or was
/// lost. Throws StoreGone where the store went away before this rank had its place.
c10::intrusive_ptr<c10d::Store> meetRanks(c10::intrusive_ptr<c10d::Store> store, const WorldPlace& place,
                                          const RankCard& card, const MeetingLimits& limits, const ReportWait& report);

/// Rank 0, at the end of the run: the store of an agent may serve another run next.
void endMeeting(c10::intrusive_ptr<c10d::Store> store, const WorldPlace& place);

}  // namespace lanelab
