// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/archive/exported_archive.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "engine/exported/archive/graph_reader.h"
#include "engine/exported/archive/program_json.h"
#include "engine/exported/archive/tensor_records.h"
#include "engine/files/clipped_name.h"

namespace lanelab {
namespace {

constexpr std::int64_t kSchemaMajor = 8;
constexpr const char* kExportAgain = "Export the network again with PyTorch 2.9 to 2.15.";
constexpr const char* kOnlyBatch = "Export it with one dynamic size, which is size 0 of its input.";

std::string smallText(const ZipArchive& archive, const std::string& name) {
  constexpr std::uint64_t kLargestSmallText = 4096;
  const ZipRecord* const record = archive.find(archive.folder() + name);
  if (!record) return {};
  const Result<std::string> text = archive.text(*record, kLargestSmallText);
  if (!text.ok()) throw UnreadProgram{"its record " + name + " cannot be read: " + text.error().message};
  return *text;
}

/// Names of the models, such as "model".
std::vector<std::string> modelsOf(const ZipArchive& archive) {
  constexpr std::string_view kEnd = ".json";
  const std::string folder = archive.folder() + "models/";
  std::vector<std::string> models;
  for (const std::string& name : archive.names())
    if (name.starts_with(folder) && name.ends_with(kEnd) && name.size() > folder.size() + kEnd.size())
      models.push_back(name.substr(folder.size(), name.size() - folder.size() - kEnd.size()));
  return models;
}

std::string onlyModel(const ZipArchive& archive) {
  if (archive.find(archive.folder() + "serialized_exported_program.json") ||
      archive.find("serialized_exported_program.json"))
    throw UnreadProgram{"it has the format of PyTorch before 2.9", kExportAgain};
  std::vector<std::string> models = modelsOf(archive);
  if (models.empty())
    throw UnreadProgram{"it has no exported program (models/model.json)", "Choose a file of torch.export.save()."};
  if (models.size() > 1)
    throw UnreadProgram{"it has several models: " + firstNames(models), "Save each in a file of its own."};
  if (const std::string order = smallText(archive, "byteorder"); !order.empty() && order != "little")
    throw UnreadProgram{"its weights are " + clippedName(order) + "-endian", "Save it on a little-endian machine."};
  return models.front();
}

void checkSchema(JsonElement root, const std::string& torch_version) {
  const JsonElement version = fieldOf(root, "schema_version");
  const std::int64_t major = integerOf(fieldOf(version, "major"));
  if (major == kSchemaMajor) return;
  const auto minor = optionalField(version, "minor");
  throw UnreadProgram{"it has schema " + std::to_string(major) + "." + std::to_string(minor ? integerOf(*minor) : 0) +
                          " (written by PyTorch " + clippedName(torch_version) + "), and only schema " +
                          std::to_string(kSchemaMajor) + " is supported",
                      kExportAgain};
}

/// The input specs of the signature: weights by their names, and the one tensor of the user.
class SignatureReader {
 public:
  SignatureReader(GraphReader& graph, const TensorRecords& records, ExportedProgram& program)
      : m_graph(graph), m_records(records), m_program(program) {}

  void readInputs(JsonElement specs) {
    for (const JsonElement spec : listOf(specs)) input(spec);
    if (m_user.size() == 1) return;
    if (m_user.empty()) throw UnreadProgram{"it has no tensor as an input", "Export it with one input, the batch."};
    throw UnreadProgram{"it has several inputs: " + firstNames(m_user),
                        "Wrap it in a module that makes the others from one, and export this."};
  }

  /// Which values are the results; after the nodes.
  std::vector<ValueId> outputs(JsonElement specs) const {
    std::vector<ValueId> outputs;
    for (const JsonElement spec : listOf(specs)) {
      const auto [tag, value] = choiceOf(spec);
      if (tag == "user_output") {
        const auto [kind, result] = choiceOf(fieldOf(value, "arg"));
        if (kind == "as_tensor") outputs.push_back(m_graph.output(textOf(fieldOf(result, "name"))));
      } else if (tag == "loss_output") {
        outputs.push_back(m_graph.output(textOf(fieldOf(fieldOf(value, "arg"), "name"))));
      } else {
        throw UnreadProgram{"it has an output of the kind " + clippedName(tag),
                            "Save the result of torch.export.export() itself, without run_decompositions()."};
      }
    }
    if (outputs.empty()) throw UnreadProgram{"it has no tensor as an output", "Return one from forward()."};
    return outputs;
  }

  std::vector<ExportedInput> takeInputs() { return std::move(m_inputs); }

 private:
  struct WeightSpec {
    std::string_view tag, name_field;
    ExportedInput::Kind kind;
  };
  static constexpr std::array kWeightSpecs = {
      WeightSpec{"parameter", "parameter_name", ExportedInput::Kind::Parameter},
      WeightSpec{"buffer", "buffer_name", ExportedInput::Kind::Buffer},
      WeightSpec{"tensor_constant", "tensor_constant_name", ExportedInput::Kind::Constant}};

  void input(JsonElement spec) {
    const auto [tag, value] = choiceOf(spec);
    const auto* const weight = std::ranges::find(kWeightSpecs, tag, &WeightSpec::tag);
    if (weight != kWeightSpecs.end()) {
      addWeight(*weight, value);
    } else if (tag == "user_input") {
      addUser(fieldOf(value, "arg"));
    } else if (tag != "constant_input") {
      throw UnreadProgram{"it has an input of the kind " + clippedName(tag) + ", which is not supported",
                          "Export it without custom objects and effects."};
    }
  }

  void addUser(JsonElement argument) {
    const auto [tag, value] = choiceOf(argument);
    if (tag == "as_sym_int" || tag == "as_sym_float" || tag == "as_sym_bool")
      throw UnreadProgram{"it has a number as an input that differs from call to call",
                          "Export it with one input, the batch."};
    if (tag != "as_tensor") return;  // a constant that the graph does not read
    const std::string_view name = textOf(fieldOf(value, "name"));
    m_user.emplace_back(name);
    if (m_user.size() == 1) m_inputs.push_back({ExportedInput::Kind::User, std::string(name), m_graph.addInput(name)});
  }

  void addWeight(const WeightSpec& spec, JsonElement value) {
    const std::string name(textOf(fieldOf(value, spec.name_field)));
    const std::string_view value_name = textOf(fieldOf(fieldOf(value, "arg"), "name"));
    const auto record = m_records.find(name);
    if (record == m_records.end()) throw UnreadProgram{"its tensor " + clippedName(name) + " has no record"};
    if (!record->second.problem.empty())
      throw UnreadProgram{"its tensor " + clippedName(name) + " " + record->second.problem,
                          "Export the network with plain tensors as weights."};
    const ValueId id = m_graph.addInput(value_name);
    checkShape(m_graph.graph().value(id), record->second.tensor, name);
    const auto persistent = optionalField(value, "persistent");
    m_inputs.push_back({spec.kind, name, id, !persistent || flagOf(*persistent), record->second.requires_grad});
    m_program.tensors.try_emplace(name, record->second.tensor);
  }

  static void checkShape(const ExportedValue& value, const ExportedTensor& tensor, const std::string& name) {
    const bool same = value.type == tensor.type &&
                      std::ranges::equal(value.sizes, tensor.sizes, [](const SizeExpression& size, std::int64_t side) {
                        return size.constant() == side;
                      });
    if (!same) throw UnreadProgram{"its tensor " + clippedName(name) + " has another shape or type in the graph"};
  }

  GraphReader& m_graph;
  const TensorRecords& m_records;
  ExportedProgram& m_program;
  std::vector<ExportedInput> m_inputs;
  std::vector<std::string> m_user;
};

/// Fills batch_symbol or static_batch by the user's input.
void setBatch(ExportedProgram& program) {
  const ExportedInput& input = userInput(program.graph);
  const ExportedValue& value = program.graph.value(input.value);
  const std::string shown = "its input " + clippedName(input.name);
  if (value.sizes.empty()) throw UnreadProgram{shown + " is a single number", "Size 0 of the input must be the batch."};
  const SizeExpression& batch = value.sizes.front();
  if (const auto size = batch.constant()) {
    if (*size < 1) throw UnreadProgram{shown + " has an empty batch", "Export it with an example of two samples."};
    program.static_batch = *size;
    return;
  }
  const std::string symbol = batch.symbols().front();
  if (batch.text() != symbol)
    throw UnreadProgram{shown + " has a batch of " + batch.text() + ", which is not a plain symbol", kOnlyBatch};
  program.batch_symbol = symbol;
  for (std::size_t i = 1; i < value.sizes.size(); ++i)
    if (!value.sizes[i].constant())
      throw UnreadProgram{shown + " has the dynamic size " + std::to_string(i) + " besides its batch", kOnlyBatch};
}

void checkSymbols(const GraphTexts& texts, const std::string& batch) {
  for (const auto& [symbol, value] : texts.symbols) {
    if (symbol == batch) continue;
    if (symbol.starts_with('u'))
      throw UnreadProgram{
          "its value " + clippedName(value) + " has a size that depends on data (" + clippedName(symbol) + ")",
          "Write the network without operations such as nonzero() and boolean masks."};
    throw UnreadProgram{
        "its value " + clippedName(value) + " has the size " + clippedName(symbol) + ", which is not the batch",
        kOnlyBatch};
  }
}

/// A limit that no batch reaches is none.
void setLimits(ExportedProgram& program, JsonElement root) {
  constexpr std::int64_t kLargestBatch = std::numeric_limits<std::int32_t>::max();
  const auto constraints = optionalField(root, "range_constraints");
  const auto range = constraints ? optionalField(*constraints, program.batch_symbol) : std::nullopt;
  if (!range) return;
  if (const auto least = optionalField(*range, "min_val"))
    program.least_batch = std::max<std::int64_t>(integerOf(*least), 1);
  if (const auto most = optionalField(*range, "max_val"))
    program.most_batch = integerOf(*most) >= kLargestBatch ? 0 : integerOf(*most);
  if (program.most_batch < 0 || (program.most_batch > 0 && program.most_batch < program.least_batch))
    throw UnreadProgram{"its batch has impossible limits"};
}

/// None in a file without a list of its modules.
std::vector<std::string> modulesOf(JsonElement graph_module) {
  std::vector<std::string> modules;
  if (const auto calls = optionalField(graph_module, "module_call_graph"))
    for (const JsonElement call : listOf(*calls)) modules.emplace_back(textOf(fieldOf(call, "fqn")));
  return modules;
}

ExportedProgram programOf(const ZipArchive& archive) {
  const std::string model = onlyModel(archive);
  const ProgramJson json(archive, archive.folder() + "models/" + model + ".json");
  ExportedProgram program;
  const auto version = optionalField(json.root(), "torch_version");
  program.torch_version = version ? std::string(textOf(*version)) : "unknown";
  checkSchema(json.root(), program.torch_version);
  WeightRecipe recipe = WeightRecipe::read(archive);
  const TensorRecords records = readTensorRecords(archive, recipe, model);
  program.draws = recipe.take();
  const JsonElement graph_module = fieldOf(json.root(), "graph_module");
  const JsonElement signature = fieldOf(graph_module, "signature");
  GraphTexts texts;
  GraphReader graph(fieldOf(graph_module, "graph"), texts, 0);
  SignatureReader reader(graph, records, program);
  reader.readInputs(fieldOf(signature, "input_specs"));
  graph.readNodes();
  std::vector<ValueId> outputs = reader.outputs(fieldOf(signature, "output_specs"));
  program.graph = graph.take();
  program.graph.inputs = reader.takeInputs();
  program.graph.outputs = std::move(outputs);
  program.modules = modulesOf(graph_module);
  setBatch(program);
  checkSymbols(texts, program.batch_symbol);
  setLimits(program, json.root());
  return program;
}

}  // namespace

Result<ExportedProgram> readExportedProgram(ReadableBytes source, const std::string& place) {
  return readArchive<ExportedProgram>(std::move(source), place, programOf);
}

Result<ExportedProgram> readExportedProgram(const std::string& path) {
  return readArchive<ExportedProgram>(openBytes(path), path, programOf);
}

}  // namespace lanelab
