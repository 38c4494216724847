// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/experiment_json.h"

#include <type_traits>

#include "base/json_table.h"
#include "engine/model/architectures.h"

namespace lanelab {
namespace {

template <Described S>
S readObject(FieldErrors& errors, const Json& value, const std::string& path);

template <Described S>
std::vector<std::string> knownKeys() {
  std::vector<std::string> keys;
  forEachField<S>([&](const auto& field) {
    keys.emplace_back(field.key);
    if (field.rules.former_key) keys.emplace_back(field.rules.former_key);
  });
  if constexpr (std::is_same_v<S, Experiment>) keys.emplace_back("$schema");  // for editors
  return keys;
}

/// One value: where a type has no overload of its own, as JSON has it. `what` begins sentences.
struct ValueReader {
  FieldErrors& errors;
  ObjectReader& reader;
  const char* key;
  std::string what;
  Need need;
  int most_items = 0;  ///< of a list of objects; 0: any number

  template <class T>
  void operator()(T& out) const {
    if constexpr (Worded<T>) {
      readWord(errors, reader, key, what, out, need);
    } else if constexpr (Described<T>) {
      if (const Json* value = reader.object(key, need)) out = readObject<T>(errors, *value, reader.pathOf(key));
    } else {
      reader.read(key, out, need);
    }
  }

  void operator()(Device& out) const {
    std::string text = toString(out);
    reader.read(key, text, need);
    if (const auto device = parseDevice(text))
      out = *device;
    else
      errors.addUnknown(reader.pathOf(key),
                        "\"" + text + "\" is not a device. Write cpu:K for core K or cuda:K for GPU K, K from 0.");
  }

  void operator()(Recompute& out) const { readRecompute("true, false or \"activations\"", out); }

  /// As the training's, or a list of stages.
  void operator()(std::optional<VariantRecompute>& out) const {
    const Json* const value = reader.find(key);
    if (value == nullptr || value->is_null()) return;
    if (value->is_array()) {
      reader.read(key, out.emplace().emplace<std::vector<int>>());
    } else {
      readRecompute("true, false, \"activations\" or a list of stages such as [0, 1]",
                    out.emplace().emplace<Recompute>());
    }
  }
  void readRecompute(const char* choices, Recompute& out) const {
    const Json* const value = reader.find(key);
    if (value == nullptr) return;
    for (const Recompute known : {Recompute::None, Recompute::Activations, Recompute::Stage}) {
      if (*value != jsonOf(known)) continue;
      out = known;
      return;
    }
    errors.add(reader.pathOf(key) + " must be " + choices + ", not " + describeJson(*value) + ".");
  }

  /// A depth, or a list of module paths.
  void operator()(std::optional<ExportedBlockChoice>& out) const {
    const Json* const value = reader.find(key);
    if (value == nullptr || value->is_null()) return;
    if (value->is_array()) {
      reader.read(key, out.emplace().modules);
    } else {
      int depth = 0;
      reader.read(key, depth);
      out.emplace().depth = depth;
    }
  }

  template <Described T>
  void operator()(std::vector<T>& out) const {
    const Json* list = reader.list(key, need);
    if (list != nullptr && most_items > 0 && list->size() > static_cast<std::size_t>(most_items))
      return errors.add(reader.pathOf(key) + " has " + std::to_string(list->size()) + " elements; at most " +
                        std::to_string(most_items) + " are possible.");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
      out.push_back(readObject<T>(errors, (*list)[i], indexPath(reader.pathOf(key), i)));
  }

  template <Worded E>
  void operator()(std::vector<E>& out) const {
    std::vector<std::string> texts;
    reader.read(key, texts, need);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (const auto value = fromWord<E>(texts[i]))
        out.push_back(*value);
      else
        errors.addUnknown(indexPath(reader.pathOf(key), i), unknownWord(what, texts[i], words<E>()));
    }
  }

  void operator()(std::optional<std::map<std::string, int>>& out) const {
    const Json* value = reader.object(key);
    if (value == nullptr) return;
    ObjectReader object(errors, *value, reader.pathOf(key));
    out.emplace();
    for (const auto& [name, number] : value->items()) object.read(name.c_str(), (*out)[name]);
  }

  template <class T>
  void operator()(std::optional<T>& out) const {
    if constexpr (Worded<T>) {
      readWord(errors, reader, key, what, out);
    } else if constexpr (Described<T>) {
      if (reader.has(key)) (*this)(out.emplace());
    } else {
      reader.read(key, out);
    }
  }
};

/// What one row cannot say: defaults that depend on other values, and checks of several.
template <Described S>
void completeRead(FieldErrors&, const ObjectReader&, S&) {}

template <>
void completeRead(FieldErrors& errors, const ObjectReader& reader, ModelConfig& model) {
  if (!model.file) {
    if (model.blocks) errors.add(reader.pathOf("blocks") + " is for a model file only. Remove it, or name the file.");
    if (!reader.has("classes")) model.classes = usualClasses(model.arch);
    return;
  }
  if (reader.has("arch")) errors.add(reader.pathOf("file") + " replaces arch, and both are given. Remove one of them.");
  model.arch.clear();
  if (!reader.has("classes")) model.classes = 0;
}

template <>
void completeRead(FieldErrors&, const ObjectReader& reader, Experiment& experiment) {
  const Json* const data = reader.find("data");
  if (data != nullptr && data->contains("shape")) return;
  if (experiment.model.file) experiment.data.shape.clear();
  if (experiment.model.arch == "toy") experiment.data.shape = usualInput("toy");
}

template <>
void completeRead(FieldErrors& errors, const ObjectReader& reader, DataConfig& data) {
  if (data.epochs && reader.has("steps"))
    errors.add(reader.pathOf("epochs") + " replaces steps, and both are given. Remove one of them.");
}

template <>
void completeRead(FieldErrors& errors, const ObjectReader& reader, SuggestedFrom& suggestion) {
  if (!(suggestion.predicted_ratio > 0))
    errors.add(reader.pathOf("predicted_ratio") + " must be above 0: 1.1 is 10 % faster.");
}

template <Described S>
S readObject(FieldErrors& errors, const Json& value, const std::string& path) {
  S object;
  ObjectReader reader(errors, value, path);
  reader.refuseUnknown(knownKeys<S>());
  forEachField<S>([&](const auto& field) {
    const bool former = field.rules.former_key && !reader.has(field.key);
    const char* const key = former ? field.rules.former_key : field.key;
    ValueReader{errors,
                reader,
                key,
                std::string("The ") + field.name,
                field.rules.required ? Need::Yes : Need::No,
                field.rules.most_items}(object.*field.member);
  });
  completeRead(errors, reader, object);
  return object;
}

}  // namespace

Json jsonOf(Recompute recompute) {
  return recompute == Recompute::Activations ? Json(toWord(recompute)) : Json(recompute == Recompute::Stage);
}
Json jsonOf(const std::optional<VariantRecompute>& recompute) {
  if (!recompute) return {};
  return std::visit(
      [](const auto& chosen) -> Json {
        if constexpr (std::is_same_v<decltype(chosen), const Recompute&>)
          return jsonOf(chosen);
        else
          return chosen;
      },
      *recompute);
}

inline Json jsonOf(const Device& device) { return toString(device); }
inline Json jsonOf(const std::optional<ExportedBlockChoice>& choice) {
  if (!choice) return {};
  return choice->depth ? Json(*choice->depth) : Json(choice->modules);
}

template <Described S>
Json jsonOf(const S& object) {
  Json json = Json::object();
  forEachField<S>([&](const auto& field) {
    if (field.rules.if_changed && object.*field.member == S{}.*field.member) return;
    if (field.rules.written && !field.rules.written(object)) return;
    Json value = jsonOf(object.*field.member);
    if (!value.is_null()) json[field.key] = std::move(value);
  });
  return json;
}

Experiment experimentFromJson(FieldErrors& errors, const Json& value, const std::string& path) {
  return readObject<Experiment>(errors, value, path);
}

Json experimentToJson(const Experiment& experiment) { return jsonOf(experiment); }

}  // namespace lanelab
