// SPDX-License-Identifier: GPL-3.0-only
// The commands with their keys, and what gives the chosen one another key. Thread: GUI.
#pragma once

#include <QWidget>

class QKeySequenceEdit;
class QPushButton;
class QTreeWidget;

namespace lanelab {

class KeyMap;

namespace look {
class PlainLabel;
}

class KeysPage : public QWidget {
  Q_OBJECT

 public:
  explicit KeysPage(KeyMap* keys, QWidget* parent = nullptr);
  /// Lists the commands whose path has all words.
  void filter(const QString& words);

 private:
  QWidget* makeEditor();
  void list();
  void choose();
  void judge();
  void assign();
  void reset();
  int chosen() const;

  KeyMap* m_keys;
  QTreeWidget* m_list;
  QKeySequenceEdit* m_key;
  QPushButton* m_assign;
  QPushButton* m_remove;
  QPushButton* m_reset;
  look::PlainLabel* m_sentence;
};

}  // namespace lanelab
