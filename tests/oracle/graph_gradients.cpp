// SPDX-License-Identifier: GPL-3.0-only
// For graph_test.py: graph_gradients FILE.pt2 INPUTS.safetensors OUT.safetensors [FILE.pt2 ...]. Runs the graph once in
// training on one thread, takes the mean of the squared output, and writes this loss and the gradients of all
// parameters, tied ones' together under the first name; so for each three arguments.
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/mean.h>

#include <iostream>
#include <map>
#include <numeric>
#include <tuple>

#include "engine/exported/archive/exported_archive.h"
#include "engine/torch/files/exported_weights.h"
#include "engine/torch/files/tensor_file.h"
#include "engine/torch/graph/graph_program.h"

namespace lanelab {
namespace {

class WholeGraph {
 public:
  WholeGraph(const ExportedProgram& program, const TensorMap& weights)
      : m_program(program),
        m_run(program.graph, everyNode(), {program.graph.outputs.begin(), program.graph.outputs.end()},
              {{at::kCPU, at::kFloat}, generatorOn(at::kCPU), 0, program.batch_symbol}) {
    for (const ExportedInput& input : program.graph.inputs) {
      if (input.kind == ExportedInput::Kind::User) continue;
      const ExportedTensor& stored = program.tensors.at(input.name);
      at::Tensor& tensor = m_by_place[{stored.record, stored.offset}];
      if (!tensor.defined()) {
        tensor = weights.at(input.name).clone();
        if (input.kind == ExportedInput::Kind::Parameter) {
          tensor.set_requires_grad(true);
          m_parameters.emplace_back(input.name, tensor);
        }
      }
      m_bound.emplace_back(input.value, tensor);
    }
  }

  at::Tensor forward(const at::Tensor& input) {
    const GraphPass pass{true, 0, input.size(0)};
    GraphFrame frame = m_run.frameFor(pass);
    frame[userInput(m_program.graph).value] = input;
    for (const auto& [value, tensor] : m_bound) frame[value] = tensor;
    for (std::size_t step = 0; step < m_run.steps(); ++step) m_run.run(step, frame, pass);
    return frame[m_program.graph.outputs.front()].toTensor();
  }

  NamedTensors results(const at::Tensor& loss) const {
    NamedTensors named{{"loss", loss.detach()}};
    for (const auto& [name, tensor] : m_parameters)
      if (tensor.grad().defined()) named.emplace_back(name, tensor.grad().contiguous());
    return named;
  }

 private:
  std::vector<std::size_t> everyNode() const {
    std::vector<std::size_t> nodes(m_program.graph.nodes.size());
    std::iota(nodes.begin(), nodes.end(), std::size_t{0});
    return nodes;
  }

  const ExportedProgram& m_program;
  GraphProgram m_run;
  std::map<std::pair<std::string, std::int64_t>, at::Tensor> m_by_place;
  std::vector<std::pair<std::string, at::Tensor>> m_parameters;
  std::vector<std::pair<ValueId, at::Tensor>> m_bound;
};

void gradients(const std::string& file, const std::string& inputs, const std::string& out) {
  const auto program = readExportedProgram(file);
  if (!program.ok()) throw std::runtime_error(program.error().message);
  const auto weights = mapExportedWeights(file, *program, 0);
  if (!weights.ok()) throw std::runtime_error(weights.error().message);
  WholeGraph graph(*program, weights->tensors);
  const auto data = readSafetensors(inputs);
  if (!data.ok()) throw std::runtime_error(data.error().message);
  const at::Tensor loss = graph.forward(data->at("inputs")).square().mean();
  loss.backward();
  const Status written = writeSafetensors(out, graph.results(loss));
  if (!written.ok()) throw std::runtime_error(written.error().message);
}

}  // namespace
}  // namespace lanelab

int main(int count, char** words) {
  if (count < 4 || count % 3 != 1) {
    std::cerr << "Usage: graph_gradients FILE.pt2 INPUTS.safetensors OUT.safetensors [FILE.pt2 ...]\n";
    return 1;
  }
  try {
    at::set_num_threads(1);
    for (int first = 1; first < count; first += 3) lanelab::gradients(words[first], words[first + 1], words[first + 2]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }
  return 1;
}
