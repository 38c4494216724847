// SPDX-License-Identifier: GPL-3.0-only
// Asks a Llama with its modules where a device map puts them: a prompt of token numbers, and what it continues with.
// Thread: the window's; the network computes on a worker.
#pragma once

#include <QDialog>
#include <QTemporaryDir>

#include "engine/run/llama_question.h"
#include "ui/look/work.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace lanelab {

class InferDialog : public QDialog {
  Q_OBJECT

 public:
  /// What is known before anyone types; `weights` may be one of Qt's resources.
  struct Start {
    QString title;
    LlamaConfig config;
    DeviceMap map;
    QString weights, prompt;
  };
  InferDialog(Start start, LlamaInference infer, QWidget* parent = nullptr);

  bool computing() const { return m_computing.busy(); }

 private:
  void ask();
  void showAnswer(const Result<LlamaAnswer>& answer);
  /// Whether the first weights are one of Qt's resources, whose path means nothing to the user.
  bool isBuiltIn() const;
  QString builtInName() const;
  /// A path that can be mapped into memory.
  Result<std::string> weightsFile();
  Result<LlamaQuestion> question();
  QString costOf(const LlamaAnswer& answer) const;

  Start m_start;
  LlamaInference m_infer;
  QLineEdit *m_weights, *m_prompt;
  QSpinBox* m_generate;
  QCheckBox* m_int8;
  QLabel *m_result, *m_cost;
  QPushButton *m_open, *m_ask;
  QTemporaryDir m_unpacked;
  LongWork m_computing;
};

}  // namespace lanelab
