// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/archive/weight_recipe.h"

#include <cmath>
#include <utility>

#include "base/text.h"
#include "engine/exported/archive/program_json.h"
#include "engine/files/clipped_name.h"

namespace lanelab {
namespace {

constexpr std::int64_t kRecipeVersion = 1;
/// Of all numbers that a recipe draws: more than any network that one machine trains.
constexpr std::int64_t kMostDrawnBytes = std::int64_t{64} << 30;
constexpr std::size_t kMostDraws = std::size_t{1} << 20;
constexpr const char* kRecipe = "extra/lanelab_weights.json";
constexpr const char* kWrittenBy = "Use a file as LaneLab brings it.";

double finite(JsonElement element, std::string_view key) {
  const double value = numberOf(fieldOf(element, key));
  if (!std::isfinite(value)) throw UnreadProgram{"its " + std::string(key) + " is not a finite number", kWrittenBy};
  return value;
}

void readNumbers(JsonElement element, WeightDraw& draw) {
  if (draw.rule == WeightDraw::Rule::Constant) {
    draw.mean = finite(element, "value");
    return;
  }
  const bool normal = draw.rule != WeightDraw::Rule::Uniform, bounded = draw.rule != WeightDraw::Rule::Normal;
  if (normal) draw.mean = finite(element, "mean");
  if (normal) draw.deviation = finite(element, "deviation");
  if (bounded) draw.low = finite(element, "low");
  if (bounded) draw.high = finite(element, "high");
  if (draw.deviation < 0 || (normal && bounded && draw.deviation == 0) || draw.low > draw.high)
    throw UnreadProgram{"its deviation or its bounds are in the wrong order", kWrittenBy};
}

WeightDraw drawOf(JsonElement element, const std::string& folder) {
  WeightDraw draw;
  const std::string rule(textOf(fieldOf(element, "rule")));
  const auto known = fromWord<WeightDraw::Rule>(rule);
  if (!known) throw UnreadProgram{"its rule " + clippedName(rule) + " is not known", "Use a newer version of LaneLab."};
  draw.rule = *known;
  readNumbers(element, draw);
  if (const auto record = optionalField(element, "record"))
    draw.record = folder + std::string(textOf(*record));
  else
    draw.elements = integerWithin(fieldOf(element, "elements"), 1, kMostDrawnBytes / 4);
  return draw;
}

}  // namespace

WeightRecipe WeightRecipe::read(const ZipArchive& archive) {
  WeightRecipe recipe;
  if (!archive.find(archive.folder() + kRecipe)) return recipe;
  const ProgramJson json(archive, archive.folder() + kRecipe);
  const std::int64_t version = integerOf(fieldOf(json.root(), "version"));
  if (version != kRecipeVersion)
    throw UnreadProgram{"its recipe of weights has version " + std::to_string(version) + ", and only version " +
                            std::to_string(kRecipeVersion) + " is supported",
                        "Use a newer version of LaneLab."};
  const std::string folder = archive.folder() + "data/weights/";
  const simdjson::dom::array draws = listOf(fieldOf(json.root(), "draws"));
  if (draws.size() > kMostDraws)
    throw UnreadProgram{"its recipe of weights has more than " + std::to_string(kMostDraws) + " draws", kWrittenBy};
  for (const JsonElement element : draws) {
    const auto place = [&] { return "draw " + std::to_string(recipe.m_draws.size()) + " of its recipe of weights"; };
    WeightDraw draw = within(place, [&] { return drawOf(element, folder); });
    if (!draw.record.empty() && archive.find(draw.record))
      throw UnreadProgram{"its record " + clippedName(draw.record) + " has both bytes and a recipe", kWrittenBy};
    if (!draw.record.empty() && !recipe.m_places.try_emplace(draw.record, recipe.m_draws.size()).second)
      throw UnreadProgram{"its record " + clippedName(draw.record) + " is drawn twice", kWrittenBy};
    recipe.m_draws.push_back(std::move(draw));
  }
  return recipe;
}

void WeightRecipe::addTensor(const ExportedTensor& tensor) {
  WeightDraw& draw = m_draws[m_places.at(tensor.record)];
  const auto [known, added] = m_tensors.try_emplace(tensor.record, tensor);
  if (!added && known->second != tensor) throw UnreadProgram{"it shares a drawn record with another shape", kWrittenBy};
  if (draw.rule != WeightDraw::Rule::Constant && tensor.type != ScalarKind::Float32)
    throw UnreadProgram{"its numbers are drawn, and it is " + toWord(tensor.type) + ", not float32", kWrittenBy};
  if (!elementType(tensor.type) && tensor.type != ScalarKind::Bool)
    throw UnreadProgram{"its type " + toWord(tensor.type) + " cannot be drawn", kWrittenBy};
  // Sizes are limited one by one as they are multiplied, so that no product overflows.
  std::int64_t elements = 1;
  for (const std::int64_t size : tensor.sizes) {
    if (size == 0) throw UnreadProgram{"it is drawn, and has no elements", kWrittenBy};
    if (elements > kMostDrawnBytes / bytesOf(tensor.type) / size)
      throw UnreadProgram{"its recipe would draw more than " + formatBytes(kMostDrawnBytes), kWrittenBy};
    elements *= size;
  }
  if (tensor.offset != 0 || !isContiguous(tensor.sizes, tensor.strides))
    throw UnreadProgram{"it is drawn, and not all of its record in order", kWrittenBy};
  draw.elements = elements;
  draw.type = tensor.type;
}

std::vector<WeightDraw> WeightRecipe::take() {
  std::int64_t bytes = 0;
  for (const WeightDraw& draw : m_draws) {
    if (!draw.record.empty() && !m_tensors.contains(draw.record))
      throw UnreadProgram{"its recipe of weights draws " + clippedName(draw.record) + ", which is not a tensor",
                          kWrittenBy};
    bytes += draw.elements * bytesOf(draw.type);
    if (bytes > kMostDrawnBytes)
      throw UnreadProgram{"its recipe of weights would draw more than " + formatBytes(kMostDrawnBytes), kWrittenBy};
  }
  return std::move(m_draws);
}

}  // namespace lanelab
