// SPDX-License-Identifier: GPL-3.0-only
// What came of holding each variant against single-device training, tensor by tensor.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "base/words.h"
#include "engine/experiment/resolution.h"

namespace lanelab {

/// The losses, gradients, parameters or buffers of a variant against the reference's.
struct GroupEquality {
  std::string what;  ///< "losses", "gradients", "parameters", "buffers"
  int tensors = 0;
  int bitwise = 0;              ///< how many of them are equal bit for bit
  std::string worst;            ///< the name of the one farthest off; empty when all are bitwise equal
  double worst_difference = 0;  ///< its |a - b| / |b| (Euclidean); infinite if missing or not finite on one side
  std::string problem;          ///< a tensor that only one side has, in words; else empty
  /// Tensors that rounding alone moves by more than the tolerance, such as gradients that are 0 in exact numbers: their
  /// |a - b| is divided by the size of which such a move is the tolerance, not by |b|.
  std::vector<std::string> rounding = {};
  std::string not_finite = {};  ///< a tensor of the reference with infinite numbers or NaN; else empty
};

/// What came of a variant. Rounding: each tensor is within the tolerance, which is the bound. NotFinite: the reference
/// has infinite numbers or NaN, so that the comparison proves nothing.
enum class EqualityVerdict { Bitwise, Rounding, Differs, NotFinite };

constexpr std::array<Word<EqualityVerdict>, 4> wordTable(EqualityVerdict) {
  return {{{EqualityVerdict::Bitwise, "bitwise"},
           {EqualityVerdict::Rounding, "rounding"},
           {EqualityVerdict::Differs, "differs"},
           {EqualityVerdict::NotFinite, "not finite"}}};
}

struct VariantEquality {
  std::string name;
  Strategy strategy = Strategy::Single;
  ScheduleKind schedule = ScheduleKind::Gpipe;
  int stages = 1;
  int split_size = 0;
  int micro_batches = 1;  ///< of each replica
  int replicas = 1;
  bool bitwise_wanted = true;  ///< CPU lanes of one thread, and two ddp replicas at most; else within `tolerance`
  double tolerance = 0;        ///< the largest relative difference that counts as equal
  bool equal = false;
  std::vector<GroupEquality> groups;
  std::string not_finite = {};  ///< sentences: what of the reference is not finite, since when, what to do; else empty
};

EqualityVerdict verdictOf(const VariantEquality& variant);

struct EqualityReport {
  int steps = 0;
  std::vector<VariantEquality> variants;
  std::vector<std::string> notes;  ///< what the reader must know besides, a sentence each
  bool equal() const;
};

/// Makes such a report after `steps` steps; progress counts the steps of all trainings. Any thread; takes as long as
/// these.
using EqualityCheck =
    std::function<Result<EqualityReport>(const Resolution& resolution, int steps, const WorkControl& control)>;

/// Steps that show a difference, where nobody asks for another number.
inline constexpr int kCheckedSteps = 3;

/// variant, reference, losses, gradients, parameters, buffers, verdict: the first row holds the headers.
std::vector<std::vector<std::string>> equalityRows(const EqualityReport& report);
/// What a variant was compared with: "one device, 4 micro-batches in order", "one device, 2 replicas in order".
std::string referenceText(const VariantEquality& variant);
/// The first variant that differs, in a sentence: of several groups the one farthest off; or the first whose reference
/// is not finite. Ok where all are equal.
Status equalityStatus(const EqualityReport& report);

}  // namespace lanelab
