// SPDX-License-Identifier: GPL-3.0-only
// How the initial weights of a network are drawn, for .pt2 archives that have a recipe (extra/lanelab_weights.json)
// instead of the weights' bytes; a part of readExportedProgram(). Throws UnreadProgram.
//
// Format: {"version": 1, "draws": [...]}, in the order in which the network's constructor uses PyTorch's generator:
// each draw has a rule with its numbers, and either the record that it fills or the number of elements that are drawn
// and dropped. Written by resources/models/make_shipped.py.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/exported/graph/exported_graph.h"
#include "engine/files/zip_archive.h"

namespace lanelab {

/// Draws by their records, and those that fill none.
class WeightRecipe {
 public:
  /// Empty if the archive has none. Linear in its size.
  static WeightRecipe read(const ZipArchive& archive);

  bool has(const std::string& record) const { return m_places.contains(record); }
  /// `tensor` is all of its record, contiguous; tied ones are alike. Draws of weights must be float32.
  void addTensor(const ExportedTensor& tensor);
  /// All draws in order; after all tensors. No record is left without a tensor, and the numbers are not beyond memory.
  std::vector<WeightDraw> take();

 private:
  std::vector<WeightDraw> m_draws;
  std::map<std::string, std::size_t> m_places;      ///< of records in m_draws
  std::map<std::string, ExportedTensor> m_tensors;  ///< by record
};

}  // namespace lanelab
