// SPDX-License-Identifier: GPL-3.0-only
// Holds an imported network against the numbers of eager PyTorch that its file has: the file's graph and LaneLab's
// stages could agree with each other and be wrong together. No torch header is needed to use it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/result.h"
#include "engine/experiment/resolution.h"

namespace lanelab {

/// The largest relative difference that counts as equal: as kEqualityTolerance, for parameters of 16 bits more.
struct EagerComparison {
  std::string torch_version;
  std::string left_out = {};      ///< why nothing was compared: "the network draws random numbers"; else empty
  std::size_t gradients = 0;      ///< that were compared, besides the loss
  double worst_difference = 0;    ///< of the loss and of norms and sums of gradients
  std::string differs = {};       ///< the first of them beyond the tolerance: "the loss"; else empty
  double difference_of_that = 0;  ///< infinite: the network has no such gradient, or no finite one
};

/// One forward and backward of the whole network on one thread, for `contiguous` and for the experiment's layout. A
/// gradient's difference is that of its norm, or of its sum per square root of its elements, over its norm. Of a
/// gradient that is mostly rounding, by its share of the largest norm or by what weights that differ in their last bits
/// move, it is over a size of which such a move is within the tolerance. Nothing for built-in networks.
/// Errors (BadInput): see readEagerStep() and loadExported(); Failed: what torch throws.
Result<std::optional<EagerComparison>> compareWithEager(const Resolution& resolution);

/// "eager PyTorch 2.11.0: loss and 24 gradients within 3.1e-07", "eager PyTorch 2.11.0: DIFFERS: ...", or what was left
/// out.
std::string eagerText(const EagerComparison& comparison);
/// Failed if something differs.
Status eagerStatus(const EagerComparison& comparison);

}  // namespace lanelab
