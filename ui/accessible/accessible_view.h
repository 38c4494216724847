// SPDX-License-Identifier: GPL-3.0-only
// A view whose parts have no widgets: a list of lanes, before its child widgets. It announces the part that the
// keyboard is on as if that had the focus. Thread: GUI.
#pragma once

#include <QAccessibleWidget>
#include <QString>
#include <QWidget>

namespace lanelab {

class AccessibleView : public QAccessibleWidget {
 public:
  int childCount() const override { return laneCount() + QAccessibleWidget::childCount(); }
  QAccessibleInterface* child(int index) const override;
  int indexOfChild(const QAccessibleInterface* child) const override;
  QAccessibleInterface* childAt(int x, int y) const override;
  QAccessibleInterface* focusChild() const override;

 protected:
  explicit AccessibleView(QWidget& view) : QAccessibleWidget(&view, QAccessible::List), m_watch(view, *this) {}

  virtual int laneCount() const = 0;
  virtual QAccessibleInterface* laneInPlace(int place) const = 0;
  /// -1 for what is none of its lanes.
  virtual int placeOf(const QAccessibleInterface& part) const = 0;
  /// Null if there is none at the point, in the view's coordinates.
  virtual QAccessibleInterface* partAt(QPoint point) const = 0;
  /// That the keyboard is on; null if it is on none.
  virtual QAccessibleInterface* currentPart() const = 0;

  /// The current part may be another one, or have another name. Heard only while the view has the keyboard, and once.
  void announceCurrent();
  /// Connections to the view's signals end with it, before the interface goes.
  QObject* context() const { return &m_watch; }

 private:
  /// Announces the current part after Qt has announced that the view got the keyboard.
  class Watch : public QObject {
   public:
    Watch(QWidget& view, AccessibleView& owner) : m_owner(owner) { view.installEventFilter(this); }
    bool eventFilter(QObject* watched, QEvent* event) override;

   private:
    AccessibleView& m_owner;
  };

  QAccessible::Id m_announced = 0;
  QString m_announced_name;
  mutable Watch m_watch;  ///< last: it goes first
};

}  // namespace lanelab
