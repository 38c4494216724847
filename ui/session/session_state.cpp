// SPDX-License-Identifier: GPL-3.0-only
#include "ui/session/session_state.h"

#include "base/json_table.h"
#include "base/json_text.h"

namespace lanelab {

namespace {

constexpr int kSessionSchema = 1;

void kindField(FieldWriter& field, ShownPlace::Kind kind) { field("kind", toWord(kind)); }
/// A word that is not known is of a later version, of which nothing can be shown.
void kindField(FieldReader& field, ShownPlace::Kind& kind) {
  std::string word;
  field("kind", word);
  kind = fromWord<ShownPlace::Kind>(word).value_or(ShownPlace::Kind::Nothing);
}

}  // namespace

void fieldsOf(auto& field, StructOf<ShownPlace> auto& shown) {
  kindField(field, shown.kind);
  field("path", shown.path);
}

void fieldsOf(auto& field, StructOf<SessionState> auto& state) {
  field.schema(kSessionSchema);
  field("path", state.path);
  field("saved", state.saved, Need::Yes);
  field("edited", state.edited);
  field("variant", state.variant);
  field("shown", state.shown);
  field("time", state.time);
  field("closed", state.closed);
}

std::string toJson(const SessionState& state) { return prettyJson(jsonOf(state)); }

Result<SessionState> parseSession(std::string_view json, const std::string& place) {
  return readJson(json, place, [](FieldErrors& errors, const Json& value) {
    FieldReader field(errors, value, "");
    SessionState state;
    fieldsOf(field, state);
    return state;
  });
}

}  // namespace lanelab
