// SPDX-License-Identifier: GPL-3.0-only
// The modules of a network as rows of a table: modules that hold several blocks, the blocks, and their layers, each
// behind what it is in. Pure functions.
#pragma once

#include <QString>
#include <cstdint>
#include <set>
#include <vector>

#include "engine/model/model_spec.h"

namespace lanelab {

/// Costs are sums over what the row holds.
struct LayerRow {
  enum class Kind { Module, Block, Layer };

  Kind kind = Kind::Block;
  QString path;     ///< whole, as PyTorch names it
  QString label;    ///< within the row above it
  QString type;     ///< class of the module; empty for modules
  int parent = -1;  ///< row that it is in; -1 none
  int depth = 0;
  int first = 0, end = 0;  ///< blocks [first, end); of a layer the one that it is in
  bool has_rows = false;   ///< others are in it
  Shape output;
  std::int64_t parameters = 0;
  std::int64_t macs = 0;
  std::int64_t activation_bytes = 0;  ///< stored for the backward, a sample; of a layer not known

  /// What a row is remembered by: a module may have the path of its only layer.
  QString key() const { return QString::number(static_cast<int>(kind)) + path; }
};

/// In the order of the model.
std::vector<LayerRow> layerRows(const ModelSpec& model);

/// Rows to show, ascending: all that no row in `closed` holds. With a text instead those whose path has all its words,
/// and what they are in.
std::vector<int> shownRows(const std::vector<LayerRow>& rows, const std::set<QString>& closed, const QString& text);

}  // namespace lanelab
