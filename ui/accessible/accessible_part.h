// SPDX-License-Identifier: GPL-3.0-only
// A part of a view without a widget of its own, for screen readers. Thread: GUI.
#pragma once

#include <QAccessible>
#include <QCoreApplication>
#include <QWidget>
#include <map>

namespace lanelab {

/// Has no children and no actions unless it says otherwise.
class AccessiblePart : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  /// `view` must outlive it.
  explicit AccessiblePart(const QWidget& view) : m_view(view) {}

  bool isValid() const override { return exists(); }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override { return m_view.window()->windowHandle(); }
  QAccessibleInterface* child(int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  /// The child whose rectangle holds the point on the screen.
  QAccessibleInterface* childAt(int x, int y) const override;
  QString text(QAccessible::Text kind) const override;
  void setText(QAccessible::Text, const QString&) override {}
  QRect rect() const override;
  QAccessible::Role role() const override { return QAccessible::ListItem; }
  void* interface_cast(QAccessible::InterfaceType type) override;

  QStringList actionNames() const override { return {}; }
  void doAction(const QString&) override {}
  QStringList keyBindingsForAction(const QString&) const override { return {}; }

 protected:
  /// Whether the view still has it; nothing below is asked without.
  virtual bool exists() const = 0;
  virtual QString name() const = 0;
  virtual QString description() const { return {}; }
  /// In the view's coordinates; empty while it is not drawn.
  virtual QRect area() const = 0;

 private:
  const QWidget& m_view;
};

/// The interfaces of a view's parts: each is made when it is first asked for, and stays until it is dropped.
template <class Key>
class PartCache {
 public:
  PartCache() = default;
  PartCache(const PartCache&) = delete;
  PartCache& operator=(const PartCache&) = delete;
  ~PartCache() {
    keepOnly([](const Key&) { return false; });
  }

  template <class Make>
  QAccessibleInterface* get(const Key& key, const Make& make) {
    const auto [at, is_new] = m_ids.try_emplace(key, QAccessible::Id());
    if (is_new) at->second = QAccessible::registerAccessibleInterface(make());
    return QAccessible::accessibleInterface(at->second);
  }
  /// Never while one of them is asked: it would be deleted under its caller.
  template <class Keep>
  void keepOnly(const Keep& keep) {
    std::erase_if(m_ids, [&](const auto& entry) {
      if (keep(entry.first)) return false;
      QAccessible::deleteAccessibleInterface(entry.second);
      return true;
    });
  }

 private:
  std::map<Key, QAccessible::Id> m_ids;
};

}  // namespace lanelab
