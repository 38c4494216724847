// SPDX-License-Identifier: GPL-3.0-only
// Finds spans by what a person types. Words are joined by "and", letters may be large or small:
//   conv  layer3.0  transfer    part of a name, or the whole of a category or of a lane's name or device
//   "void gemm"                 the same with blanks in it
//   1F3  F3  0U  F              an action: stage, phase, micro-batch, each if given; a lone letter only if it is large
//   step 2  stage 1  mb 3       also step2 and step:2; mb is micro-batch too
//   lane 1  lane cpu:1          the lane by its number or name
// Without any word of the first two kinds only actions are meant, since everything inside an action has its numbers
// too.
#pragma once

#include <compare>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

struct SearchTerm {
  enum class Kind : std::uint8_t { Text, Action, Step, Stage, MicroBatch, Lane };
  Kind kind = Kind::Text;
  std::string text;           ///< in small letters: of Text, of Action as it was typed, of Lane where that is no number
  int number = -1;            ///< of Step, Stage, MicroBatch, Lane; of Action the micro-batch; -1: any
  int stage = -1;             ///< of Action; -1: any
  Phase phase = Phase::None;  ///< of Action
  bool operator==(const SearchTerm&) const = default;
};

/// Never fails: what is no action and no number of something is text.
std::vector<SearchTerm> parseSearch(std::string_view text);

struct SpanMatch {
  Nanoseconds start = 0;
  std::uint32_t track = 0;  ///< in Trace::tracks
  std::uint32_t span = 0;   ///< in Track::spans
  auto operator<=>(const SpanMatch&) const = default;
};

/// In order (start, track, span); none for no terms. Names are matched once each, spans visited once; then n
/// log(tracks) in the number of matches. Steps and waits are no spans that a reader looks for, so they are left out.
/// Stopped: what was found so far.
std::vector<SpanMatch> findSpans(const Trace& trace, const std::vector<SearchTerm>& terms, std::stop_token stop = {});

}  // namespace lanelab
