// SPDX-License-Identifier: GPL-3.0-only
#include <cmath>

#include "base/json_fields.h"
#include "engine/advise/profile_store.h"

namespace lanelab {
namespace {

constexpr int kSchema = 1;
using Need = ObjectReader::Need;

Json jsonOf(const Timing& timing) {
  return {{"median_s", timing.median}, {"low_s", timing.low}, {"high_s", timing.high}, {"n", timing.n}};
}

Json jsonOf(const ProfileKey& key) {
  return {{"machine", key.machine}, {"device", key.device},       {"arch", key.arch},
          {"classes", key.classes}, {"shape", key.shape},         {"precision", key.precision},
          {"layout", key.layout},   {"optimizer", key.optimizer}, {"training", key.training},
          {"threads", key.threads}, {"lanes", key.lanes},         {"software", key.software}};
}

Json jsonOf(const BlockTiming& block) {
  return {{"forward", jsonOf(block.forward)},
          {"backward", jsonOf(block.backward)},
          {"backward_input", jsonOf(block.backward_input)},
          {"backward_weight", jsonOf(block.backward_weight)},
          {"transfer", jsonOf(block.transfer)}};
}

Json jsonOf(const BlockProfile::Size& size);

template <class T>
Json listOf(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(jsonOf(value));
  return list;
}

Json jsonOf(const BlockProfile::Size& size) {
  return {{"samples", size.samples},
          {"all_lanes_slowdown", size.all_lanes_slowdown},
          {"forward", jsonOf(size.forward)},
          {"backward", jsonOf(size.backward)},
          {"blocks", listOf(size.blocks)}};
}

/// Reads what jsonOf wrote; the first problem is in `errors`.
class ProfileReader {
 public:
  explicit ProfileReader(FieldErrors& errors) : m_errors(errors) {}

  BlockProfile profile(const Json& json) {
    ObjectReader reader(m_errors, json, "");
    int schema = 0;
    reader.read("schema", schema, Need::Yes);
    if (schema != kSchema)
      m_errors.add("schema is " + std::to_string(schema) + ", and this version reads " + std::to_string(kSchema) + ".");
    BlockProfile profile;
    if (const Json* key = reader.object("key", Need::Yes)) profile.key = keyOf(*key);
    reader.read("blocks", profile.block_names, Need::Yes);
    profile.updates = list<Timing>(reader, "updates",
                                   [this](const Json& value, const std::string& path) { return timing(value, path); });
    if (const Json* overhead = reader.object("action_overhead", Need::Yes))
      profile.action_overhead = timing(*overhead, "action_overhead");
    profile.sizes = list<BlockProfile::Size>(
        reader, "sizes", [this](const Json& value, const std::string& path) { return size(value, path); });
    check(profile);
    return profile;
  }

 private:
  void check(const BlockProfile& profile) {
    const std::size_t blocks = profile.block_names.size();
    if (blocks == 0) m_errors.add("blocks is empty.");
    if (profile.updates.size() != blocks)
      m_errors.add("updates must have one time for each of the " + std::to_string(blocks) + " blocks.");
    for (std::size_t i = 0; i < profile.sizes.size(); ++i) {
      const std::string where = indexPath("sizes", i);
      if (profile.sizes[i].blocks.size() != blocks)
        m_errors.add(where + ".blocks must have " + std::to_string(blocks) + " elements.");
      if (profile.sizes[i].samples <= (i == 0 ? 0 : profile.sizes[i - 1].samples))
        m_errors.add(where + ".samples must be above the one before it.");
      if (!(profile.sizes[i].all_lanes_slowdown >= 1)) m_errors.add(where + ".all_lanes_slowdown must be 1 or more.");
    }
  }

  ProfileKey keyOf(const Json& json) {
    ObjectReader reader(m_errors, json, "key");
    ProfileKey key;
    reader.read("machine", key.machine, Need::Yes);
    reader.read("device", key.device, Need::Yes);
    reader.read("arch", key.arch, Need::Yes);
    reader.read("classes", key.classes, Need::Yes);
    reader.read("shape", key.shape, Need::Yes);
    reader.read("precision", key.precision, Need::Yes);
    reader.read("layout", key.layout, Need::Yes);
    reader.read("optimizer", key.optimizer, Need::Yes);
    reader.read("training", key.training, Need::Yes);
    reader.read("threads", key.threads, Need::Yes);
    reader.read("lanes", key.lanes, Need::Yes);
    reader.read("software", key.software, Need::Yes);
    return key;
  }

  Timing timing(const Json& json, const std::string& path) {
    ObjectReader reader(m_errors, json, path);
    Timing timing;
    reader.read("median_s", timing.median, Need::Yes);
    reader.read("low_s", timing.low, Need::Yes);
    reader.read("high_s", timing.high, Need::Yes);
    reader.read("n", timing.n, Need::Yes);
    if (!(timing.median >= 0)) m_errors.add(path + ".median_s must be 0 or more.");
    return timing;
  }

  Timing timingIn(ObjectReader& reader, const char* key) {
    const Json* value = reader.object(key, Need::Yes);
    return value ? timing(*value, reader.pathOf(key)) : Timing{};
  }

  BlockTiming block(const Json& json, const std::string& path) {
    ObjectReader reader(m_errors, json, path);
    return {timingIn(reader, "forward"), timingIn(reader, "backward"), timingIn(reader, "backward_input"),
            timingIn(reader, "backward_weight"), timingIn(reader, "transfer")};
  }

  BlockProfile::Size size(const Json& json, const std::string& path) {
    ObjectReader reader(m_errors, json, path);
    BlockProfile::Size size;
    reader.read("samples", size.samples, Need::Yes);
    reader.read("all_lanes_slowdown", size.all_lanes_slowdown, Need::Yes);
    size.forward = timingIn(reader, "forward");
    size.backward = timingIn(reader, "backward");
    size.blocks = list<BlockTiming>(reader, "blocks",
                                    [this](const Json& value, const std::string& at) { return block(value, at); });
    return size;
  }

  template <class T, class Read>
  std::vector<T> list(ObjectReader& reader, const char* key, const Read& read) {
    std::vector<T> values;
    const Json* const json = reader.list(key, Need::Yes);
    for (std::size_t i = 0; json && i < json->size(); ++i)
      values.push_back(read((*json)[i], indexPath(reader.pathOf(key), i)));
    return values;
  }

  FieldErrors& m_errors;
};

}  // namespace

std::string toJson(const BlockProfile& profile) {
  return prettyJson({{"schema", kSchema},
                     {"key", jsonOf(profile.key)},
                     {"blocks", profile.block_names},
                     {"updates", listOf(profile.updates)},
                     {"action_overhead", jsonOf(profile.action_overhead)},
                     {"sizes", listOf(profile.sizes)}});
}

Result<BlockProfile> parseBlockProfile(const std::string& json, const std::string& place) {
  const Result<Json> value = parseJsonText(json, place);
  if (!value.ok()) return value.error();
  FieldErrors errors(place);
  BlockProfile profile = ProfileReader(errors).profile(*value);
  if (errors.first()) return *errors.first();
  return profile;
}

}  // namespace lanelab
