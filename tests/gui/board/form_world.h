// SPDX-License-Identifier: GPL-3.0-only
// The form of an experiment in a window of its own, and what a user does with its fields.
#pragma once

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include "tests/gui/board/small_world.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/experiment/form_fields.h"
#include "ui/experiment/form_rows.h"

namespace lanelab {

struct FormWorld : SmallWorld {
  FormWorld() : panel(&document) {
    panel.resize(340, 900);
    panel.show();
    panel.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&panel, 5000));
  }
  TextField* field(const char* name) { return panel.findChild<TextField*>(name); }
  QLineEdit* input(const char* name) { return field(name)->input(); }
  QString sentence(const char* name) {
    const auto* label = panel.findChild<FormField*>(name)->findChild<SentenceLabel*>();
    return label->isHidden() ? QString() : label->text();
  }
  void type(const char* name, const QString& text) {
    input(name)->setFocus();
    input(name)->selectAll();
    if (text.isEmpty()) QTest::keyClick(input(name), Qt::Key_Delete);
    QTest::keyClicks(input(name), text);
  }
  void choose(const char* name, const QString& value) {
    QComboBox* box = panel.findChild<ChoiceField*>(name)->input();
    const int index = box->findData(value);
    ASSERT_GE(index, 0) << name;
    box->setCurrentIndex(index);
    Q_EMIT box->activated(index);
  }
  void click(const char* name) { QTest::mouseClick(panel.findChild<QPushButton*>(name), Qt::LeftButton); }
  const Experiment& experiment() const { return document.experiment(); }
  ExperimentPanel panel;
};

}  // namespace lanelab
