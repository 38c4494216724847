// SPDX-License-Identifier: GPL-3.0-only
// What the simulator expects of a step, worked out off the window's thread: that reads stored block times and
// simulates.
//
// Thread: the window's. The latest question wins: an earlier one is cancelled, and its answer is dropped if it comes.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "ui/look/background.h"

namespace lanelab {

class Executor;
class Resolution;
struct RunRecord;
struct Trace;

/// Of a variant of a run, or without one of the open experiment, which is going to run here.
struct StepQuestion {
  std::shared_ptr<const RunRecord> record;
  std::shared_ptr<const Resolution> resolution;  ///< of the open experiment; never null
  std::string variant;
};

/// Null where nothing can be said. Called off the window's thread.
using PredictStep = std::function<std::shared_ptr<const Trace>(const StepQuestion& question, std::stop_token stop)>;

/// From the block times that are stored for this user.
PredictStep predictFromStoredTimes(std::shared_ptr<const Executor> executor);

class StepPredictor : public QObject {
 public:
  using Then = std::function<void(const std::shared_ptr<const Trace>& predicted)>;

  explicit StepPredictor(PredictStep predict, QObject* parent = nullptr)
      : QObject(parent), m_predict(std::move(predict)) {}
  ~StepPredictor() override { cancel(); }

  /// `then` is called on the window's thread, unless another question or cancel() comes before.
  void ask(StepQuestion question, Then then);
  void cancel() { m_stop.request_stop(); }

 private:
  const PredictStep m_predict;
  std::stop_source m_stop;  ///< of the latest question
  Background m_background;  ///< last: it ends before what it uses
};

}  // namespace lanelab
