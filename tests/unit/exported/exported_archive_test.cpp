// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/archive/exported_archive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "tests/support/temporary_folder.h"
#include "tests/unit/exported/sample_networks.h"
#include "tests/unit/exported/written_program.h"

namespace lanelab::test {
namespace {

TEST(ExportedArchive, HasCallsWithTheirValuesModulesAndLines) {
  const Result<ExportedProgram> read = WrittenProgram().read();
  ASSERT_TRUE(read.ok()) << read.error().message;
  const ExportedGraph& graph = read->graph;
  ASSERT_EQ(graph.nodes.size(), 3);
  const ExportedNode& linear = graph.nodes[0];
  EXPECT_EQ(linear.target, "aten.linear.default");
  EXPECT_EQ(linear.module(), "fc");
  EXPECT_EQ(*linear.modules, (ModuleStack{{"", "Net"}, {"fc", "Linear"}}));
  EXPECT_EQ(linear.source, "net.py:7");
  ASSERT_EQ(valuesRead(linear).size(), 2);
  EXPECT_EQ(graph.value(valuesRead(linear)[0]).name, "x");
  EXPECT_EQ(graph.value(valuesRead(linear)[1]).name, "p_weight");
  EXPECT_TRUE(std::holds_alternative<NoArgument>(*argumentOf(linear, "bias")));
  EXPECT_EQ(argumentOf(linear, "weights"), nullptr);
  const ExportedValue& made = graph.value(*linear.outputs.front());
  EXPECT_EQ(made.name, "linear");
  EXPECT_EQ(made.type, ScalarKind::Float32);
  EXPECT_EQ(made.sizes[0].text(), "s77");
  EXPECT_EQ(made.sizes[1].constant(), 3);
  ASSERT_EQ(graph.outputs.size(), 1);
  EXPECT_EQ(graph.value(graph.outputs.front()).name, "mul");
}

TEST(ExportedArchive, HasWeightsTheBatchAndItsLimits) {
  const ExportedProgram program = WrittenProgram().read().value();
  ASSERT_EQ(program.graph.inputs.size(), 3);
  EXPECT_EQ(program.graph.inputs[0].kind, ExportedInput::Kind::Parameter);
  EXPECT_EQ(program.graph.inputs[0].name, "fc.weight");
  EXPECT_EQ(program.graph.inputs[1].kind, ExportedInput::Kind::Constant);
  EXPECT_EQ(userInput(program.graph).name, "x");
  const ExportedTensor& weight = program.tensors.at("fc.weight");
  EXPECT_EQ(weight.record, "net/data/weights/weight_0");
  EXPECT_EQ(weight.sizes, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(weight.strides, (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(weight.elements(), 6);
  EXPECT_EQ(program.tensors.at("scale").record, "net/data/constants/tensor_0");
  EXPECT_EQ(program.torch_version, "2.11.0");
  EXPECT_EQ(program.batch_symbol, "s77");
  EXPECT_EQ(program.least_batch, 1);
  EXPECT_EQ(program.most_batch, 64);
}

TEST(ExportedArchive, MayHaveAStaticBatchOrOneWithoutALimit) {
  WrittenProgram fixed;
  for (const char* name : {"x", "linear", "relu_", "mul"}) fixed.valueMeta(name)["sizes"][0] = sizeOf(4);
  const ExportedProgram program = fixed.read().value();
  EXPECT_EQ(program.batch_symbol, "");
  EXPECT_EQ(program.static_batch, 4);
  WrittenProgram free;
  free.model["range_constraints"]["s77"] = {{"min_val", 0}, {"max_val", nullptr}};
  EXPECT_EQ(free.read().value().least_batch, 1);
  EXPECT_EQ(free.read().value().most_batch, 0);
  free.model["range_constraints"]["s77"]["max_val"] = 9223372036854775806;
  EXPECT_EQ(free.read().value().most_batch, 0);
}

TEST(ExportedArchive, IgnoresFieldsThatItDoesNotKnow) {
  WrittenProgram program;
  program.model["later"] = {{"a", {1, 2}}};
  program.node(0)["later"] = "text";
  program.valueMeta("x")["later"] = nullptr;
  program.weights["later"] = 1;
  program.records["net/data/later/record"] = "bytes";
  EXPECT_TRUE(program.read().ok());
}

TEST(ExportedArchive, DoesWithoutWhatIsForReadersOnly) {
  WrittenProgram program;
  program.node(0).erase("metadata");
  program.node(1)["metadata"] = {{"nn_module_stack", "odd"}, {"stack_trace", "odd"}};
  program.node(2).erase("name");
  program.model.erase("torch_version");
  const Result<ExportedProgram> read = program.read();
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->graph.nodes[0].module(), "");
  EXPECT_EQ(read->graph.nodes[1].source, "");
  EXPECT_EQ(read->graph.nodes[2].name, "mul");
  EXPECT_EQ(read->torch_version, "unknown");
}

/// What argument 1 of the last node becomes.
ExportedArgument readArgument(const PtJson& argument) {
  WrittenProgram program;
  program.graph()["sym_int_values"]["n"] = symbolic(kBatchSymbol);
  program.node(0) = callOf("aten.sym_size.int", listOf(givenAs("self", tensorNamed("x"))),
                           listOf({{"as_sym_int", {{"as_name", "n"}}}}), "fc", "Linear");
  program.node(1) = callOf("aten.linear.default", listOf(givenAs("input", tensorNamed("x"))),
                           listOf(tensorNamed("relu_")), "", "Net");
  program.input(2, 1) = argument;
  const Result<ExportedProgram> read = program.read();
  EXPECT_TRUE(read.ok()) << read.error().message;
  return read.ok() ? read->graph.nodes[2].inputs[1].value : ExportedArgument();
}

TEST(ExportedArchive, ReadsEveryKindOfArgument) {
  const ValueId weight(0), scale(1), n(3);
  const PtJson tensor = {{"name", "p_weight"}};
  EXPECT_EQ(std::get<ValueId>(readArgument({{"as_tensor", tensor}})), weight);
  EXPECT_EQ(std::get<std::vector<ValueId>>(readArgument({{"as_tensors", {tensor, {{"name", "c_scale"}}}}})),
            (std::vector{weight, scale}));
  const PtJson some = {{"as_optional_tensors", {{{"as_none", true}}, {{"as_tensor", tensor}}}}};
  EXPECT_EQ(std::get<std::vector<std::optional<ValueId>>>(readArgument(some)),
            (std::vector<std::optional<ValueId>>{std::nullopt, weight}));
  EXPECT_EQ(std::get<ValueId>(readArgument({{"as_optional_tensor", {{"as_tensor", tensor}}}})), weight);
  EXPECT_TRUE(std::holds_alternative<NoArgument>(readArgument({{"as_optional_tensor", {{"as_none", true}}}})));
  EXPECT_TRUE(std::holds_alternative<NoArgument>(readArgument({{"as_none", true}})));
  EXPECT_EQ(std::get<std::int64_t>(readArgument({{"as_int", -7}})), -7);
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(readArgument({{"as_ints", {1, 2}}})),
            (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(std::get<ValueId>(readArgument({{"as_sym_int", {{"as_name", "n"}}}})), n);
  EXPECT_EQ(std::get<std::int64_t>(readArgument({{"as_sym_int", {{"as_int", 5}}}})), 5);
  EXPECT_EQ(std::get<std::vector<IntArgument>>(readArgument({{"as_sym_ints", {{{"as_name", "n"}}, {{"as_int", -1}}}}})),
            (std::vector<IntArgument>{n, std::int64_t{-1}}));
  EXPECT_EQ(std::get<double>(readArgument({{"as_float", 0.5}})), 0.5);
  EXPECT_EQ(std::get<double>(readArgument({{"as_float", 2}})), 2.0);
  EXPECT_EQ(std::get<double>(readArgument({{"as_float", "-Infinity"}})), -INFINITY);
  EXPECT_TRUE(std::isnan(std::get<double>(readArgument({{"as_float", "NaN"}}))));
  EXPECT_EQ(std::get<std::vector<double>>(readArgument({{"as_floats", {1.5, "Infinity"}}})),
            (std::vector{1.5, double{INFINITY}}));
  EXPECT_EQ(std::get<double>(readArgument({{"as_sym_float", {{"as_float", 0.25}}}})), 0.25);
  EXPECT_EQ(std::get<bool>(readArgument({{"as_bool", true}})), true);
  EXPECT_EQ(std::get<bool>(readArgument({{"as_sym_bool", {{"as_bool", true}}}})), true);
  EXPECT_EQ(std::get<std::vector<bool>>(readArgument({{"as_bools", {true, false}}})), (std::vector{true, false}));
  EXPECT_EQ(std::get<std::string>(readArgument({{"as_string", "none"}})), "none");
  EXPECT_EQ(std::get<std::vector<std::string>>(readArgument({{"as_strings", {"a", "b", "c"}}})),
            (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(std::get<ComplexArgument>(readArgument({{"as_complex", {{"real", 1}, {"imag", 2}}}})),
            (ComplexArgument{1, 2}));
  EXPECT_EQ(std::get<ScalarTypeArgument>(readArgument({{"as_scalar_type", 12}})).type, ScalarKind::Bool);
  EXPECT_EQ(std::get<ScalarTypeArgument>(readArgument({{"as_scalar_type", 13}})).type, ScalarKind::BFloat16);
  EXPECT_EQ(std::get<ScalarTypeArgument>(readArgument({{"as_scalar_type", 28}})).type, ScalarKind::UInt16);
  EXPECT_EQ(std::get<ScalarTypeArgument>(readArgument({{"as_scalar_type", 32}})).type, ScalarKind::Float8E5M2FnUz);
  EXPECT_EQ(std::get<DeviceArgument>(readArgument({{"as_device", {{"type", "cuda"}, {"index", 1}}}})),
            (DeviceArgument{"cuda", 1}));
  EXPECT_EQ(std::get<LayoutArgument>(readArgument({{"as_layout", 7}})).layout, 7);
  EXPECT_EQ(std::get<MemoryFormatArgument>(readArgument({{"as_memory_format", 2}})).format, 2);
}

/// wrap_with_set_grad_enabled(False, graph, x) in place of the second node.
WrittenProgram withNestedGraph() {
  WrittenProgram program;
  PtJson inner = {{"inputs", listOf(tensorNamed("x"))},
                  {"outputs", listOf(tensorNamed("y"))},
                  {"nodes", listOf(callOf("aten.neg.default", listOf(givenAs("self", tensorNamed("x"))),
                                          listOf(tensorNamed("y")), "fc", "Linear"))},
                  {"tensor_values", {{"x", program.valueMeta("linear")}, {"y", program.valueMeta("linear")}}}};
  program.node(1) = callOf("higher_order.wrap_with_set_grad_enabled",
                           {givenAs("", {{"as_bool", false}}),
                            givenAs("", {{"as_graph", {{"name", "submod_1"}, {"graph", std::move(inner)}}}}),
                            givenAs("", tensorNamed("linear"))},
                           listOf(tensorNamed("relu_")), "act", "ReLU");
  return program;
}

TEST(ExportedArchive, ReadsNestedGraphs) {
  const Result<ExportedProgram> read = withNestedGraph().read();
  ASSERT_TRUE(read.ok()) << read.error().message;
  const ExportedNode& wrap = read->graph.nodes[1];
  EXPECT_EQ(valuesRead(wrap).size(), 1) << "only what it is called with";
  const auto& inner = std::get<std::shared_ptr<const ExportedGraph>>(wrap.inputs[1].value);
  ASSERT_EQ(inner->nodes.size(), 1);
  EXPECT_EQ(inner->nodes.front().target, "aten.neg.default");
  EXPECT_EQ(inner->inputs.front().name, "x");
  EXPECT_EQ(inner->value(inner->outputs.front()).name, "y");
}

TEST(ExportedArchive, NamesTiedWeightsByTheirRecord) {
  WrittenProgram program;
  program.graph()["tensor_values"]["p_head"] = program.valueMeta("p_weight");
  const PtJson head = {{"parameter", {{"arg", {{"name", "p_head"}}}, {"parameter_name", "head.weight"}}}};
  program.signature()["input_specs"].insert(program.signature()["input_specs"].begin(), head);
  program.weights["config"]["head.weight"] = program.weights["config"]["fc.weight"];
  const Result<ExportedProgram> read = program.read();
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->tensors.at("head.weight"), read->tensors.at("fc.weight"));
}

struct Damage {
  const char* name;
  std::function<void(WrittenProgram&)> make;
  const char* what;  ///< a part of the error
};

void nest(WrittenProgram& program, int times) {
  PtJson graph = {{"inputs", PtJson::array()}, {"outputs", PtJson::array()}, {"nodes", PtJson::array()}};
  for (int i = 0; i < times; ++i) {
    PtJson outer = {{"inputs", PtJson::array()}, {"outputs", PtJson::array()}};
    outer["nodes"] =
        listOf(callOf("higher_order.wrap", listOf(givenAs("", {{"as_graph", {{"name", "g"}, {"graph", graph}}}})),
                      PtJson::array(), "", "Net"));
    graph = std::move(outer);
  }
  program.input(1, 0) = {{"as_graph", {{"name", "g"}, {"graph", graph}}}};
}

class ProgramsDamaged : public testing::TestWithParam<Damage> {};

TEST_P(ProgramsDamaged, AreRefusedWithWhatAndWhere) {
  WrittenProgram program;
  GetParam().make(program);
  const Result<ExportedProgram> read = program.read();
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().kind, Error::Kind::BadInput);
  EXPECT_TRUE(read.error().message.starts_with("net.pt2: ")) << read.error().message;
  EXPECT_NE(read.error().message.find(GetParam().what), std::string::npos) << read.error().message;
  EXPECT_TRUE(read.error().message.ends_with(".")) << read.error().message;
}

using P = WrittenProgram;

INSTANTIATE_TEST_SUITE_P(
    Archive, ProgramsDamaged,
    testing::Values(
        Damage{"SchemaOfTheFuture", [](P& p) { p.model["schema_version"]["major"] = 9; },
               "it has schema 9.17 (written by PyTorch 2.11.0), and only schema 8 is supported. Export"},
        Damage{"NoSchema", [](P& p) { p.model.erase("schema_version"); }, "\"schema_version\" is missing"},
        Damage{"BigEndian", [](P& p) { p.records["net/byteorder"] = "big"; }, "its weights are big-endian"},
        Damage{"TwoModels", [](P& p) { p.records["net/models/other.json"] = "{}"; }, "several models: model, other"},
        Damage{"OldFormat", [](P& p) { p.records["net/serialized_exported_program.json"] = "{}"; }, "before 2.9"},
        Damage{"NoGraph", [](P& p) { p.model.erase("graph_module"); }, "\"graph_module\" is missing"},
        Damage{"NoList", [](P& p) { p.graph()["nodes"] = 3; }, "a value is not a list"},
        Damage{"PickledWeight", [](P& p) { p.weights["config"]["fc.weight"]["use_pickle"] = true; },
               "its tensor fc.weight is pickled"},
        Damage{"NoRecord", [](P& p) { p.records.erase("net/data/weights/weight_0"); }, "weight_0 is missing"},
        Damage{"NoConfig", [](P& p) { p.weights["config"].erase("fc.weight"); }, "its tensor fc.weight has no record"},
        Damage{"EmptyRecord", [](P& p) { p.records["net/data/weights/weight_0"] = ""; }, "its record is empty"},
        Damage{"ShortRecord", [](P& p) { p.records["net/data/weights/weight_0"].pop_back(); },
               "its tensor fc.weight: it is not within the 23 B of its record"},
        Damage{"HundredGigabytes",
               [](P& p) {
                 p.weightMeta()["sizes"] = {sizeOf(1 << 20), sizeOf(25600)};
               },
               "it is not within"},
        Damage{"NoStride",
               [](P& p) {
                 p.weightMeta()["strides"] = {sizeOf(0), sizeOf(0)};
                 p.weightMeta()["sizes"][0] = sizeOf(1 << 30);
               },
               "it is not within"},
        Damage{"FarOffset", [](P& p) { p.weightMeta()["storage_offset"] = sizeOf(1); }, "it is not within"},
        Damage{"NegativeSize", [](P& p) { p.weightMeta()["sizes"][0] = sizeOf(-3); }, "-3 is not a legal value"},
        Damage{"OtherShape",
               [](P& p) {
                 p.weightMeta()["sizes"] = {sizeOf(2), sizeOf(3)};
               },
               "another shape"},
        Damage{"SparseWeight", [](P& p) { p.weightMeta()["layout"] = 1; }, "it is sparse"},
        Damage{"UnknownType", [](P& p) { p.weightMeta()["dtype"] = 14; }, "type of numbers 14"},
        Damage{"ManyViews",
               [](P& p) {
                 p.records["net/data/weights/weight_0"] = std::string(1000, '\0');
                 for (int i = 0; i < 100; ++i) {
                   PtJson view = p.weights["config"]["fc.weight"];
                   view["tensor_meta"]["sizes"] = listOf(sizeOf(200 + i % 50)),
                   view["tensor_meta"]["strides"] = listOf(sizeOf(1));
                   p.weights["config"]["view" + std::to_string(i)] = view;
                 }
               },
               "its tensors share records"}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Graph, ProgramsDamaged,
    testing::Values(
        Damage{"DanglingName", [](P& p) { p.input(1, 0) = tensorNamed("nothing"); },
               "its node 1 named (torch.ops.aten.relu_.default): its argument self: the value nothing does not exist"},
        Damage{"UsedBeforeMade", [](P& p) { p.input(0, 0) = tensorNamed("mul"); },
               "the value mul is used before it is made"},
        Damage{"MadeTwice", [](P& p) { p.node(1)["outputs"] = listOf(tensorNamed("linear")); }, "linear is made twice"},
        Damage{"NoShape", [](P& p) { p.graph()["tensor_values"].erase("relu_"); }, "relu_ has no shape"},
        Damage{"HugeValue",
               [](P& p) {
                 p.valueMeta("mul")["sizes"] = {sizeOf(1 << 30), sizeOf(1 << 30)};
               },
               "more than 2^48"},
        Damage{"StridesMissing", [](P& p) { p.valueMeta("mul")["strides"].erase(0); }, "it has 2 sizes and 1 strides"},
        Damage{"NegativeValue", [](P& p) { p.valueMeta("mul")["sizes"][1] = sizeOf(-1); }, "negative size -1"},
        Damage{"OddSize", [](P& p) { p.valueMeta("mul")["sizes"][1] = symbolic("cos(Integer(1))"); }, "it uses cos"},
        Damage{"ChoiceOfSize",
               [](P& p) {
                 p.valueMeta("mul")["sizes"][1] = {{"as_float", 1}};
               },
               "given by as_float"},
        Damage{"SizeOfData", [](P& p) { p.valueMeta("mul")["sizes"][1] = symbolic("Symbol('u0', integer=True)"); },
               "its value mul has a size that depends on data (u0)"},
        Damage{"SecondSymbol", [](P& p) { p.valueMeta("mul")["sizes"][1] = symbolic("Symbol('s1', integer=True)"); },
               "its value mul has the size s1, which is not the batch"},
        Damage{"DynamicLength", [](P& p) { p.valueMeta("x")["sizes"][1] = symbolic("Symbol('s1', integer=True)"); },
               "its input x has the dynamic size 1"},
        Damage{
            "DoubledBatch",
            [](P& p) { p.valueMeta("x")["sizes"][0] = symbolic(std::string("Mul(Integer(2), ") + kBatchSymbol + ")"); },
            "a batch of 2*s77"},
        Damage{"NoBatch", [](P& p) { p.valueMeta("x") = meta(PtJson::array()); }, "its input x is a single number"},
        Damage{"ImpossibleLimits", [](P& p) { p.model["range_constraints"]["s77"]["min_val"] = 100; },
               "impossible limits"},
        Damage{"UnknownArgument",
               [](P& p) {
                 p.input(1, 0) = {{"as_custom_obj", {{"name", "o"}}}};
               },
               "its argument self: it is of the kind as_custom_obj, which is not supported. Replace"},
        Damage{"EmptyArgument", [](P& p) { p.input(1, 0) = PtJson::object(); }, "a value is empty"},
        Damage{"LargeInteger",
               [](P& p) {
                 p.input(1, 0) = {{"as_int", 18446744073709551615u}};
               },
               "64 bits"},
        Damage{"OddFloat",
               [](P& p) {
                 p.input(1, 0) = {{"as_float", "many"}};
               },
               "a value is not a number"},
        Damage{"OddLayout",
               [](P& p) {
                 p.input(1, 0) = {{"as_layout", 99}};
               },
               "99 is not a legal value"},
        Damage{"NestedDeeply", [](P& p) { nest(p, 5); }, "its graphs are nested deeper than 4 levels"},
        Damage{"NestedTooDeeplyToParse", [](P& p) { nest(p, 20); }, "model.json is nested deeper than 64 levels"}),
    [](const auto& test) { return test.param.name; });

PtJson inputSpec(const std::string& kind, const std::string& value) { return {{kind, {{"arg", tensorNamed(value)}}}}; }

INSTANTIATE_TEST_SUITE_P(
    Signature, ProgramsDamaged,
    testing::Values(
        Damage{"TwoInputs",
               [](P& p) {
                 p.graph()["tensor_values"]["mask"] = p.valueMeta("x");
                 p.signature()["input_specs"].push_back(inputSpec("user_input", "mask"));
               },
               "it has several inputs: x, mask. Wrap"},
        Damage{"NoInput", [](P& p) { p.signature()["input_specs"].erase(2); }, "it has no tensor as an input"},
        Damage{
            "NumberAsInput",
            [](P& p) {
              p.signature()["input_specs"].push_back({{"user_input", {{"arg", {{"as_sym_int", {{"as_name", "n"}}}}}}}});
            },
            "it has a number as an input"},
        Damage{"CustomInput", [](P& p) { p.signature()["input_specs"].push_back(inputSpec("custom_obj", "x")); },
               "an input of the kind custom_obj"},
        Damage{"NoOutput", [](P& p) { p.signature()["output_specs"] = PtJson::array(); },
               "it has no tensor as an output"},
        Damage{"MutatedBuffer",
               [](P& p) { p.signature()["output_specs"].push_back(inputSpec("buffer_mutation", "mul")); },
               "an output of the kind buffer_mutation. Save the result of torch.export.export() itself"},
        Damage{"DanglingOutput",
               [](P& p) { p.signature()["output_specs"][0]["user_output"]["arg"] = tensorNamed("nothing"); },
               "the value nothing does not exist"}),
    [](const auto& test) { return test.param.name; });

TEST(ExportedArchive, IsRefusedIfItIsNoArchiveOrHasNoJson) {
  const auto refused = [](const std::string& bytes) {
    return readExportedProgram(bytesInMemory(bytes), "net.pt2").error().message;
  };
  EXPECT_NE(refused("not a zip").find("it has no zip directory"), std::string::npos);
  EXPECT_NE(refused(zipOf({stored("net/data.pkl", "x")})).find("it has no exported program (models/model.json)"),
            std::string::npos);
  EXPECT_NE(refused(WrittenProgram().zipWith("{\"a\": ")).find("is not valid JSON"), std::string::npos);
  EXPECT_NE(refused(WrittenProgram().zipWith("")).find("is not valid JSON"), std::string::npos);
  EXPECT_NE(refused(WrittenProgram().zipWith("[]")).find("a value is not an object"), std::string::npos);
  ZipPart huge = stored("net/models/model.json", "{}");
  huge.bytes = 1u << 29;
  huge.method = 8;
  huge.packed = std::string(1 << 20, '\0');
  EXPECT_NE(refused(zipOf({huge})).find("is larger than 256 MiB"), std::string::npos) << refused(zipOf({huge}));
}

TEST(ExportedArchive, IsRefusedByThePathIfItIsNotAFile) {
  const TemporaryFolder folder;
  const std::string missing = folder.file("none.pt2");
  const std::string message = readExportedProgram(missing).error().message;
  EXPECT_TRUE(message.starts_with(missing + ": ")) << message;
  const Result<ExportedProgram> read = readExportedProgram(folder.write("net.pt2", WrittenProgram().zip()));
  EXPECT_TRUE(read.ok()) << read.error().message;
}

TEST(ExportedArchive, CutAtAnyByteIsRefused) {
  const std::string bytes = WrittenProgram().zip();
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    const std::string cut = bytes.substr(0, size);
    EXPECT_FALSE(readExportedProgram(bytesInMemory(cut), "net.pt2").ok()) << size;
  }
}

class NetworksRead : public testing::TestWithParam<std::string> {};

TEST_P(NetworksRead, AreAsPyTorchExportsThem) {
  const ExportedProgram program = sampleNetwork(GetParam());
  EXPECT_TRUE(program.torch_version.starts_with(GetParam() == "encoder" ? "2.15.0" : "2.11.0"));
  EXPECT_FALSE(program.batch_symbol.empty());
  EXPECT_EQ(program.most_batch, 4096);
  std::set<int> made;
  for (const ExportedInput& input : program.graph.inputs) made.insert(input.value.value);
  for (const ExportedNode& node : program.graph.nodes) {
    for (const ValueId id : valuesRead(node)) EXPECT_TRUE(made.contains(id.value)) << node.name;
    for (const auto& id : node.outputs)
      if (id) made.insert(id->value);
    EXPECT_TRUE(node.modules->empty() || node.modules->front().path.empty()) << node.name;
  }
  EXPECT_EQ(made.size(), program.graph.values.size());
  for (const ValueId id : program.graph.outputs)
    EXPECT_EQ(program.graph.value(id).sizes.front().text(), program.batch_symbol);
}

INSTANTIATE_TEST_SUITE_P(ExportedArchive, NetworksRead, testing::ValuesIn(sampleNetworkNames()),
                         [](const auto& test) { return test.param; });

TEST(ExportedArchive, OfGpt2TiesItsHeadToItsEmbedding) {
  const ExportedProgram program = sampleNetwork("gpt2");
  EXPECT_EQ(program.tensors.at("inner.lm_head.weight"), program.tensors.at("inner.transformer.wte.weight"));
  EXPECT_NE(program.tensors.at("inner.lm_head.weight"), program.tensors.at("inner.transformer.wpe.weight"));
}

}  // namespace
}  // namespace lanelab::test
