// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/layer_rows.h"

#include <QStringList>
#include <algorithm>

#include "ui/look/plain_text.h"

namespace lanelab {
namespace {

bool isWithin(const QString& path, const QString& module) { return path.startsWith(module + QLatin1Char('.')); }

/// The path without the module's; the element of a list keeps the list's name.
QString labelIn(const QString& path, const QString& module) {
  if (module.isEmpty() || !isWithin(path, module)) return path;
  const QString rest = path.mid(module.size() + 1);
  return rest.at(0).isDigit() ? path.mid(module.lastIndexOf(QLatin1Char('.')) + 1) : rest;
}

class RowBuilder {
 public:
  explicit RowBuilder(const ModelSpec& model) : m_model(model) {
    for (const BlockSpec& block : model.blocks) m_paths << look::shownName(block.name);
  }

  std::vector<LayerRow> rows() {
    for (int block = 0; block < m_paths.size(); ++block) {
      closeModules(block);
      openModules(block);
      addBlock(block);
    }
    closeAll();
    return std::move(m_rows);
  }

 private:
  int add(LayerRow row, int parent) {
    row.parent = parent;
    row.depth = parent < 0 ? 0 : m_rows[static_cast<std::size_t>(parent)].depth + 1;
    row.label = labelIn(row.path, parent < 0 ? QString() : m_rows[static_cast<std::size_t>(parent)].path);
    if (parent >= 0) m_rows[static_cast<std::size_t>(parent)].has_rows = true;
    m_rows.push_back(std::move(row));
    return static_cast<int>(m_rows.size()) - 1;
  }

  int innermost() const { return m_open.empty() ? -1 : m_open.back(); }

  void closeModules(int block) {
    while (!m_open.empty() && !isWithin(m_paths[block], m_rows[static_cast<std::size_t>(m_open.back())].path)) close();
  }

  void closeAll() {
    while (!m_open.empty()) close();
  }

  /// Its sums go to the module around it.
  void close() {
    const LayerRow& row = m_rows[static_cast<std::size_t>(m_open.back())];
    m_open.pop_back();
    if (!m_open.empty()) count(row, m_rows[static_cast<std::size_t>(m_open.back())]);
  }

  static void count(const LayerRow& row, LayerRow& module) {
    module.end = row.end;
    module.output = row.output;
    module.parameters += row.parameters;
    module.macs += row.macs;
    module.activation_bytes += row.activation_bytes;
  }

  /// Those that the next block is in, too; one of a single block would only repeat it.
  void openModules(int block) {
    const QString& path = m_paths[block];
    const QString next = m_paths.value(block + 1);
    const int parent = innermost();
    qsizetype from = parent < 0 ? 0 : m_rows[static_cast<std::size_t>(parent)].path.size() + 1;
    for (qsizetype dot = path.indexOf(QLatin1Char('.'), from); dot >= 0;
         dot = path.indexOf(QLatin1Char('.'), dot + 1)) {
      const QString module = path.left(dot);
      if (!isWithin(next, module)) return;
      LayerRow row;
      row.kind = LayerRow::Kind::Module;
      row.path = module;
      row.first = block;
      m_open.push_back(add(std::move(row), innermost()));
    }
  }

  void addBlock(int number) {
    const BlockSpec& block = m_model.blocks[static_cast<std::size_t>(number)];
    LayerRow row;
    row.path = m_paths[number];
    row.type = look::shownName(block.type);
    row.first = number;
    row.end = number + 1;
    row.output = block.output;
    row.parameters = block.parameters;
    row.macs = block.macs;
    row.activation_bytes = block.activation_bytes;
    const int parent = innermost();
    if (parent >= 0) count(row, m_rows[static_cast<std::size_t>(parent)]);
    const int place = add(std::move(row), parent);
    const bool only_itself = block.layers.size() == 1 && block.layers.front().name == block.name;
    if (!only_itself)
      for (const LayerSpec& layer : block.layers) addLayer(layer, number, place);
  }

  void addLayer(const LayerSpec& layer, int block, int parent) {
    LayerRow row;
    row.kind = LayerRow::Kind::Layer;
    row.path = look::shownName(layer.name);
    row.type = look::shownName(layer.type);
    row.first = block;
    row.end = block + 1;
    row.output = layer.output;
    row.parameters = layer.parameters;
    row.macs = layer.macs;
    add(std::move(row), parent);
  }

  const ModelSpec& m_model;
  QStringList m_paths;
  std::vector<LayerRow> m_rows;
  std::vector<int> m_open;  ///< modules that the present block is in
};

std::vector<int> foundRows(const std::vector<LayerRow>& rows, const QString& text) {
  std::set<int> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!look::hasWords(rows[i].path, text)) continue;
    for (int row = static_cast<int>(i); row >= 0; row = rows[static_cast<std::size_t>(row)].parent) found.insert(row);
  }
  return {found.begin(), found.end()};
}

}  // namespace

std::vector<LayerRow> layerRows(const ModelSpec& model) { return RowBuilder(model).rows(); }

std::vector<int> shownRows(const std::vector<LayerRow>& rows, const std::set<QString>& closed, const QString& text) {
  if (!text.trimmed().isEmpty()) return foundRows(rows, text);
  std::vector<bool> hidden(rows.size(), false);
  std::vector<int> shown;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto parent = static_cast<std::size_t>(std::max(0, rows[i].parent));
    hidden[i] = rows[i].parent >= 0 && (hidden[parent] || closed.contains(rows[parent].key()));
    if (!hidden[i]) shown.push_back(static_cast<int>(i));
  }
  return shown;
}

}  // namespace lanelab
