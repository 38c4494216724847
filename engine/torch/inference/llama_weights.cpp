// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/inference/llama_weights.h"

#include <ATen/ops/embedding.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace lanelab {
namespace {

/// A module lies where its weight does.
std::string placeNameOf(const LlamaModule& module) { return module.path + ".weight"; }

std::vector<std::string> tensorsOf(const LlamaModule& module) {
  return module.bias.empty() ? std::vector<std::string>{module.weight}
                             : std::vector<std::string>{module.weight, module.bias};
}

/// A tied lm_head shares its weight with the embedding, which needs it as it is.
bool mayBeInt8(const LlamaModule& module) {
  return module.kind == LlamaModule::Kind::Linear && module.weight.starts_with(module.path);
}

/// In the type of the network; where the file has another, the file's pages have to be in memory as well while the
/// values are converted.
std::int64_t bytesInFlight(const LlamaModule& module, const MappedTensors& tensors, at::ScalarType type) {
  std::int64_t bytes = 0;
  for (const std::string& name : tensorsOf(module)) {
    const std::int64_t own = tensors.bytes(name),
                       size = static_cast<std::int64_t>(c10::elementSize(tensors.type(name)));
    bytes += own + (tensors.type(name) == type ? 0 : own / size * static_cast<std::int64_t>(c10::elementSize(type)));
  }
  return bytes;
}

/// A view of the file, or converted values with the file's pages given back.
at::Tensor loaded(const MappedTensors& tensors, const std::string& name, at::ScalarType type) {
  tensors.read(name);
  const at::Tensor view = tensors.view(name);
  if (view.scalar_type() == type) return view;
  at::Tensor converted = view.to(type);
  tensors.drop(name);
  return converted;
}

/// For the whole time; the file's pages are given back where the values lie elsewhere.
at::Tensor loadedFor(const MappedTensors& tensors, const std::string& name, at::ScalarType type, at::Device home) {
  const at::Tensor values = loaded(tensors, name, type);
  if (home.is_cpu()) return values;
  at::Tensor copy = values.to(home);
  tensors.drop(name);
  return copy;
}

/// The same tensors where they are there already.
LinearWeights on(at::Device device, const LinearWeights& weights) {
  const auto moved = [&](const at::Tensor& tensor) { return tensor.defined() ? tensor.to(device) : tensor; };
  return {moved(weights.weight), moved(weights.bias), moved(weights.scale)};
}

FetchedModule fetchedModule(const LlamaModule& module, const std::shared_ptr<const MappedTensors>& tensors,
                            at::ScalarType type) {
  const std::vector<std::string> names = tensorsOf(module);
  return {bytesInFlight(module, *tensors, type),
          [names, tensors, type] {
            std::vector<at::Tensor> values;
            for (const std::string& name : names) values.push_back(loaded(*tensors, name, type));
            return values;
          },
          [names, tensors] {
            for (const std::string& name : names) tensors->drop(name);
          }};
}

std::int64_t int8Bytes(const std::vector<std::int64_t>& shape, at::ScalarType type) {
  return shape[0] * (shape[1] + static_cast<std::int64_t>(c10::elementSize(type)));
}

}  // namespace

WeightBytes weightBytes(const std::vector<LlamaModule>& modules, const MappedTensors& tensors,
                        const LlamaWeightsPlan& plan) {
  WeightBytes bytes;
  std::set<std::string> counted;
  const auto size = static_cast<std::int64_t>(c10::elementSize(plan.type));
  for (const LlamaModule& module : modules) {
    if (plan.devices.onDisk(placeNameOf(module))) {
      if (module.kind == LlamaModule::Kind::Embedding) continue;
      const std::int64_t flying = bytesInFlight(module, tensors, plan.type);
      bytes.offloaded += flying;
      bytes.most_in_flight = std::max(bytes.most_in_flight, 2 * flying);
      continue;
    }
    for (const std::string& name : tensorsOf(module)) {
      if (!counted.insert(name).second) continue;
      const std::int64_t own =
          tensors.bytes(name) / static_cast<std::int64_t>(c10::elementSize(tensors.type(name))) * size;
      const std::int64_t saved =
          plan.int8 && name == module.weight && mayBeInt8(module) ? own - int8Bytes(module.shape, plan.type) : 0;
      (plan.devices.home(placeNameOf(module)).is_cpu() ? bytes.resident : bytes.on_gpus) += own - saved;
      bytes.saved_by_int8 += saved;
    }
  }
  return bytes;
}

LlamaWeights::Held::~Held() {
  m_weights = {};
  if (m_from) m_from->release();
}

LlamaWeights::LlamaWeights(std::vector<LlamaModule> modules, std::shared_ptr<const MappedTensors> tensors,
                           const LlamaWeightsPlan& plan)
    : m_modules(std::move(modules)), m_tensors(std::move(tensors)), m_type(plan.type) {
  std::map<std::string, at::Tensor> resident;
  const auto residentOf = [&](const std::string& name, at::Device home) {
    at::Tensor& tensor = resident[name];
    if (!tensor.defined()) tensor = loadedFor(*m_tensors, name, m_type, home);
    return tensor;
  };
  std::vector<FetchedModule> fetched;
  for (const LlamaModule& module : m_modules) {
    const at::Device home = plan.devices.home(placeNameOf(module));
    Kept kept{plan.devices.onDisk(placeNameOf(module)), plan.devices.compute(placeNameOf(module)), {}};
    if (kept.on_disk) {
      if (module.kind != LlamaModule::Kind::Embedding) fetched.push_back(fetchedModule(module, m_tensors, m_type));
    } else if (plan.int8 && mayBeInt8(module)) {
      kept.weights = on(home, quantised(loaded(*m_tensors, module.weight, m_type),
                                        module.bias.empty() ? at::Tensor() : residentOf(module.bias, home)));
      m_tensors->drop(module.weight);
    } else {
      kept.weights = {
          residentOf(module.weight, home), module.bias.empty() ? at::Tensor() : residentOf(module.bias, home), {}};
    }
    m_kept.push_back(std::move(kept));
  }
  m_ahead = std::make_unique<ReadAhead>(std::move(fetched), weightBytes(m_modules, *m_tensors, plan).most_in_flight,
                                        plan.passes);
}

LlamaWeights::Held LlamaWeights::next() {
  if (m_modules[m_next].kind == LlamaModule::Kind::Embedding) ++m_next;
  const Kept& kept = m_kept[m_next];
  m_next = (m_next + 1) % m_modules.size();
  if (!kept.on_disk) return Held(on(kept.compute, kept.weights), nullptr);
  std::vector<at::Tensor> tensors = m_ahead->acquire();
  return Held(on(kept.compute, {tensors[0], tensors.size() > 1 ? tensors[1] : at::Tensor(), {}}), m_ahead.get());
}

at::Tensor LlamaWeights::embed(const at::Tensor& ids) {
  const Kept& kept = m_kept.front();
  if (!kept.on_disk) return at::embedding(kept.weights.weight, ids.to(kept.weights.weight.device()));
  // Only the pages of these rows are read.
  const std::string& name = m_modules.front().weight;
  at::Tensor rows = at::embedding(m_tensors->view(name), ids).to(m_type);
  m_tensors->drop(name);
  return rows;
}

}  // namespace lanelab
