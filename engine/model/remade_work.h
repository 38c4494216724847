// SPDX-License-Identifier: GPL-3.0-only
// What Rule::RemadeActivation costs: activations that directly follow a batch norm need not be stored for the backward,
// because they can be made again, bit for bit, from the norm's input, which is stored anyway.
//
// Idea: InPlace-ABN (Rota Bulo et al. 2018, mapillary/inplace_abn), which inverts the activation instead and so needs
// one that is invertible; a ReLU is not.
#pragma once

#include <cstdint>

namespace lanelab {

/// What making activations again takes of a forward. An estimate: going over a number in memory counts as a fixed
/// number of MACs.
class RemadeWork {
 public:
  void addMacs(std::int64_t macs) { m_whole += static_cast<double>(macs); }
  /// Of a sample.
  void addNorm(std::int64_t numbers, bool remade);
  double share() const { return m_whole > 0 ? m_again / m_whole : 0; }  ///< 0 to 1

 private:
  double m_whole = 0, m_again = 0;
};

}  // namespace lanelab
