// SPDX-License-Identifier: GPL-3.0-only
// The experiment's JSON form, for the files that hold one: experiment files and run.json.
#pragma once

#include "base/json_fields.h"
#include "base/words.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/experiment_checks.h"

namespace lanelab {

/// `path` is where the object stands in its file ("" or "experiment").
Experiment experimentFromJson(FieldErrors& errors, const Json& value, const std::string& path);
Json experimentToJson(const Experiment& experiment);

/// `what` begins the sentence about an unknown word.
template <Worded E>
void readWord(FieldErrors& errors, ObjectReader& reader, const char* key, const std::string& what, E& out,
              ObjectReader::Need need = ObjectReader::Need::No) {
  std::string text = toWord(out);
  reader.read(key, text, need);
  if (const auto value = fromWord<E>(text))
    out = *value;
  else
    errors.addUnknown(reader.pathOf(key), unknownWord(what, text, words<E>()));
}

template <Worded E>
void readWord(FieldErrors& errors, ObjectReader& reader, const char* key, const std::string& what,
              std::optional<E>& out) {
  std::optional<std::string> text;
  reader.read(key, text);
  if (text) readWord(errors, reader, key, what, out.emplace());
}

/// false, true or "activations"; of a variant also the list of the stages that compute their whole forward again.
Json jsonOf(Recompute recompute);
Json jsonOf(const std::optional<VariantRecompute>& recompute);

}  // namespace lanelab
