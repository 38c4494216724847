// SPDX-License-Identifier: GPL-3.0-only
// A bridge to a screen reader, as a plugin that Qt finds in the program: the offscreen platform has none of its own.
#include "tests/gui/accessible/heard.h"

#include <QAccessibleBridge>
#include <QAccessibleBridgePlugin>
#include <QtPlugin>

namespace lanelab::test {

class HeardBridge : public QAccessibleBridge {
 public:
  void setRootObject(QAccessibleInterface*) override {}
  void notifyAccessibilityUpdate(QAccessibleEvent* event) override { Heard::note(*event); }
};

class HeardPlugin : public QAccessibleBridgePlugin {
  Q_OBJECT
  Q_PLUGIN_METADATA(IID QAccessibleBridgeFactoryInterface_iid FILE "heard.json")

 public:
  QAccessibleBridge* create(const QString&) override { return new HeardBridge; }
};

}  // namespace lanelab::test

Q_IMPORT_PLUGIN(HeardPlugin)

#include "heard.moc"
