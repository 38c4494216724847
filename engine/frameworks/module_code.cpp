// SPDX-License-Identifier: GPL-3.0-only
#include "engine/frameworks/module_code.h"

#include <optional>

#include "base/text.h"
#include "engine/frameworks/python_text.h"

namespace lanelab {
namespace {

constexpr std::string_view kWeightEnd = ".weight";

class ModuleFinder {
 public:
  ModuleFinder(const ExportedProgram& program, const std::vector<std::size_t>& nodes,
               const std::map<ValueId, std::string>& held)
      : m_program(program), m_held(held) {
    for (const std::size_t node : nodes)
      for (const ValueId value : valuesRead(program.graph.nodes[node]))
        if (const auto name = held.find(value); name != held.end()) m_readers[name->second].insert(node);
  }

  void look(std::size_t number) {
    const ExportedNode& node = m_program.graph.nodes[number];
    const std::optional<std::string> weight = nameOf(node, "weight");
    if (!weight || !weight->ends_with(kWeightEnd)) return;
    const std::string path = weight->substr(0, weight->size() - kWeightEnd.size());
    std::set<std::string> own = {*weight};
    const ExportedArgument* const bias = argumentOf(node, "bias");
    const bool has_bias = bias != nullptr && std::holds_alternative<ValueId>(*bias);
    if (has_bias && !adds(node, "bias", path + ".bias", own)) return;
    const std::string constructor = constructorOf(node, path, has_bias, own);
    if (constructor.empty() || path.empty()) return;
    if (!readOnlyBy(number, path, own)) return;
    m_found.modules[number] = {path, constructor};
    m_found.tensors.insert(own.begin(), own.end());
    for (const std::size_t reader : m_readers[path + ".num_batches_tracked"]) m_found.counted.insert(reader);
  }

  ModuleCalls take() { return std::move(m_found); }

 private:
  std::optional<std::string> nameOf(const ExportedNode& node, std::string_view argument) const {
    const ExportedArgument* const given = argumentOf(node, argument);
    const auto* const value = given ? std::get_if<ValueId>(given) : nullptr;
    const auto name = value ? m_held.find(*value) : m_held.end();
    return name == m_held.end() ? std::nullopt : std::optional(name->second);
  }

  bool adds(const ExportedNode& node, std::string_view argument, const std::string& expected,
            std::set<std::string>& own) const {
    own.insert(expected);
    return nameOf(node, argument) == expected;
  }

  /// The count of a batch norm, besides, is read by the call that adds one to it.
  bool readOnlyBy(std::size_t number, const std::string& path, const std::set<std::string>& own) {
    for (const std::string& name : own) {
      const std::set<std::size_t>& readers = m_readers[name];
      if (name == path + ".num_batches_tracked") {
        if (readers.size() != 1 || m_program.graph.nodes[*readers.begin()].target != "aten.add_.Tensor") return false;
      } else if (readers != std::set{number}) {
        return false;
      }
    }
    return true;
  }

  const std::vector<std::int64_t>& sizesOf(const std::string& name) const { return m_program.tensors.at(name).sizes; }

  static std::string listed(const ExportedNode& node, std::string_view argument) {
    const ExportedArgument* const given = argumentOf(node, argument);
    const auto* const numbers = given ? std::get_if<std::vector<std::int64_t>>(given) : nullptr;
    return numbers && !numbers->empty() ? pythonList(*numbers) : std::string();
  }
  static std::string number(const ExportedNode& node, std::string_view argument) {
    const ExportedArgument* const given = argumentOf(node, argument);
    const auto* const value = given ? std::get_if<double>(given) : nullptr;
    return value ? pythonNumber(*value) : std::string();
  }

  std::string constructorOf(const ExportedNode& node, const std::string& path, bool has_bias,
                            std::set<std::string>& own) const {
    const std::string without_bias = has_bias ? "" : ", bias=False";
    const std::vector<std::int64_t>& sizes = sizesOf(path + std::string(kWeightEnd));
    const auto size = [&](std::size_t i) { return std::to_string(sizes[i]); };
    if (node.target == "aten.linear.default" && sizes.size() == 2)
      return "nn.Linear(" + size(1) + ", " + size(0) + without_bias + ")";
    if (node.target == "aten.conv2d.default" && sizes.size() == 4) return convolution(node, sizes) + without_bias + ")";
    if (node.target == "aten.batch_norm.default" && sizes.size() == 1 && has_bias) return norm(node, path, own);
    if (node.target == "aten.layer_norm.default") {
      const std::string eps = number(node, "eps");
      return "nn.LayerNorm(" + pythonList(sizes) + (eps.empty() ? "" : ", eps=" + eps) + without_bias + ")";
    }
    if (node.target == "aten.embedding.default" && sizes.size() == 2 && !argumentOf(node, "padding_idx") &&
        !argumentOf(node, "scale_grad_by_freq") && !argumentOf(node, "sparse"))
      return "nn.Embedding(" + size(0) + ", " + size(1) + ")";
    return {};
  }

  static std::string convolution(const ExportedNode& node, const std::vector<std::int64_t>& sizes) {
    const ExportedArgument* const given = argumentOf(node, "groups");
    const auto* const groups = given ? std::get_if<std::int64_t>(given) : nullptr;
    std::string text = "nn.Conv2d(" + std::to_string(sizes[1] * (groups ? *groups : 1)) + ", " +
                       std::to_string(sizes[0]) + ", kernel_size=[" + std::to_string(sizes[2]) + ", " +
                       std::to_string(sizes[3]) + "]";
    for (const std::string_view name : {"stride", "padding", "dilation"}) {
      const std::string list = listed(node, name);
      if (!list.empty()) text += ", " + std::string(name) + "=" + list;
    }
    return text + (groups && *groups != 1 ? ", groups=" + std::to_string(*groups) : "");
  }

  std::string norm(const ExportedNode& node, const std::string& path, std::set<std::string>& own) const {
    const ExportedArgument* const training = argumentOf(node, "training");
    if (!training || !std::holds_alternative<bool>(*training) || !std::get<bool>(*training)) return {};
    if (!adds(node, "running_mean", path + ".running_mean", own) ||
        !adds(node, "running_var", path + ".running_var", own))
      return {};
    own.insert(path + ".num_batches_tracked");
    const auto input = argumentOf(node, "input");
    const auto* const value = input ? std::get_if<ValueId>(input) : nullptr;
    const std::size_t dimensions = value ? m_program.graph.value(*value).sizes.size() : 0;
    const char* const kind = dimensions == 4                      ? "nn.BatchNorm2d("
                             : dimensions == 3 || dimensions == 2 ? "nn.BatchNorm1d("
                                                                  : "";
    const std::string eps = number(node, "eps"), momentum = number(node, "momentum");
    if (*kind == '\0' || eps.empty() || momentum.empty()) return {};
    return kind + std::to_string(sizesOf(path + std::string(kWeightEnd))[0]) + ", eps=" + eps +
           ", momentum=" + momentum + ")";
  }

  const ExportedProgram& m_program;
  const std::map<ValueId, std::string>& m_held;
  std::map<std::string, std::set<std::size_t>> m_readers;  ///< nodes, by the name of a weight
  ModuleCalls m_found;
};

}  // namespace

ModuleCalls moduleCallsOf(const ExportedProgram& program, const std::vector<std::size_t>& nodes,
                          const std::map<ValueId, std::string>& held) {
  ModuleFinder finder(program, nodes, held);
  for (const std::size_t node : nodes) finder.look(node);
  return finder.take();
}

}  // namespace lanelab
