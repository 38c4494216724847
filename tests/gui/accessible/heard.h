// SPDX-License-Identifier: GPL-3.0-only
// What a screen reader hears: events with the name that their object had then, as a bridge of Qt gets them (heard.cpp),
// and interfaces with their names.
#pragma once

#include <QAccessible>
#include <string>
#include <utility>
#include <vector>

#include "ui/accessible/accessibility.h"

namespace lanelab::test {

/// What was heard since it was made; one at a time.
class Heard {
 public:
  Heard() { s_events.clear(); }

  /// The names of those that events of this kind were about, in order.
  std::vector<std::string> of(QAccessible::Event type) const {
    std::vector<std::string> names;
    for (const auto& [kind, name] : s_events)
      if (kind == type) names.push_back(name);
    return names;
  }
  std::string last(QAccessible::Event type) const {
    const std::vector<std::string> names = of(type);
    return names.empty() ? std::string("(nothing)") : names.back();
  }
  void forget() { s_events.clear(); }

  /// For the bridge.
  static void note(const QAccessibleEvent& event) {
    const QAccessibleInterface* const about = event.accessibleInterface();
    s_events.emplace_back(event.type(), about ? about->text(QAccessible::Name).toStdString() : std::string());
  }

 private:
  static inline std::vector<std::pair<QAccessible::Event, std::string>> s_events;
};

/// Base of a world whose views are to have our interfaces: they ask for one when they are made.
struct Accessible {
  Accessible() { installAccessibility(); }
};

inline std::string nameOf(const QAccessibleInterface* part) {
  return part ? part->text(QAccessible::Name).toStdString() : std::string("(none)");
}

inline std::vector<QAccessibleInterface*> childrenOf(const QAccessibleInterface& parent) {
  std::vector<QAccessibleInterface*> children;
  for (int i = 0; i < parent.childCount(); ++i) children.push_back(parent.child(i));
  return children;
}

inline std::vector<std::string> namesIn(const QAccessibleInterface& parent) {
  std::vector<std::string> names;
  for (const QAccessibleInterface* child : childrenOf(parent)) names.push_back(nameOf(child));
  return names;
}

}  // namespace lanelab::test
