// SPDX-License-Identifier: GPL-3.0-only
// The rows that describe the values of an experiment, one a key of its file. Reading, writing, known keys, checks of
// ranges, the JSON Schema, and the form with its tooltips follow from them.
//
// A struct has its rows beside it: describeFields(const S*, see) calls see(field) for each, in the order of the file.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace lanelab {

// Bounds far above every use: they only keep sums within 64 bits, so that a slip of the pen is a sentence and not an
// overflow.
constexpr int kLargestCount = 1'000'000;
constexpr int kMostLanes = 256;
constexpr int kMostVariants = 256;
constexpr int kMostNameCharacters = 200;
constexpr int kMostLaneThreads = 1024;
constexpr int kLargestInputSide = 65536;
constexpr double kLeastLimitMib = 0.001;
constexpr double kMostLimitMib = 1e12;  ///< its bytes are within 64 bits

/// What holds for a value besides its type. Numbers in a list, and texts in one, are each within the limits.
template <class S>
struct FieldRules {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool above_low = false;  ///< low itself is not allowed
  int most_characters = 0;
  int fewest_characters = 0;
  const char* pattern = nullptr;  ///< regular expression that texts match
  int fewest_items = 0;
  int most_items = 0;
  bool unique_items = false;
  const std::vector<std::string>& (*words)() = nullptr;  ///< all allowed texts; enums have their table
  bool required = false;
  bool if_changed = false;              ///< written only where it is not the default
  bool (*written)(const S&) = nullptr;  ///< written only where this holds
  bool own_default = false;             ///< the default depends on other values, as the description says
  const char* former_key = nullptr;     ///< what an earlier version called it; still read
  const char* label = nullptr;          ///< of its row in the form; none: the form has no row for it, or its own
  const char* placeholder = nullptr;    ///< of the form's input while there is no value
};

template <class S, class T>
struct Field {
  Field(const char* its_key, T S::*its_member, const char* its_name, const char* its_description,
        const FieldRules<S>& its_rules = {})
      : key(its_key), member(its_member), name(its_name), description(its_description), rules(its_rules) {}

  const char* key;
  T S::*member;
  const char* name;         ///< for sentences about a wrong value: "learning rate" in "The learning rate must be ..."
  const char* description;  ///< for the schema and tooltips; may be empty
  FieldRules<S> rules;
};

struct AnyField {
  template <class S, class T>
  void operator()(const Field<S, T>&) const {}
};

/// A struct that has rows.
template <class S>
concept Described = requires(AnyField any) {
  describeFields(static_cast<const S*>(nullptr), any);
};

template <Described S, class See>
void forEachField(See&& see) {
  describeFields(static_cast<const S*>(nullptr), see);
}

}  // namespace lanelab
