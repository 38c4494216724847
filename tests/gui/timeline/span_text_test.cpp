// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include "profiler/trace/core_time.h"
#include "profiler/trace/trace_builder.h"
#include "ui/timeline/layout/span_text.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

/// What is said of an action of 10 ms, on whose core its thread was for `cpu`, while other programs used this
/// percentage of the cores.
QString sentenceOf(Nanoseconds cpu, std::optional<double> others = {}) {
  TraceBuilder builder("Single", {{"cpu:0", "cpu:0"}});
  if (others)
    builder.appendValue(builder.addCounter(-1, std::string(kOtherProgramsCounter), "%"), 900'000'000, *others);
  Span action;
  action.name = builder.intern("0F0");
  action.category = Category::Action;
  action.phase = Phase::Forward;
  action.start = 1'000'000'000;
  action.end = 1'010'000'000;
  action.cpu = cpu;
  action.step = action.stage = action.micro_batch = 0;
  builder.append(builder.addTrack(0, Track::Kind::Compute, "compute"), action);
  return spanSentence(TimelineData(builder.snapshot()), {0, 0});
}

TEST(SpanText, SaysHowMuchOfAnActionItsThreadHadACore) {
  EXPECT_TRUE(sentenceOf(9'500'000).contains(QStringLiteral("CPU: 95 % of it"))) << sentenceOf(9'500'000).toStdString();
  EXPECT_FALSE(sentenceOf(9'900'000).contains(QStringLiteral("CPU:"))) << "little enough";
  EXPECT_FALSE(sentenceOf(-1).contains(QStringLiteral("CPU:"))) << "not known";
}

TEST(OriginText, OnlyWholeRepeatsAreCalledMeasured) {
  struct Case {
    Origin origin;
    Extent extent;
    const char* words;
  };
  for (const Case& each :
       {Case{Origin::Measured, Extent::Whole, "measured"},
        Case{Origin::Measured, Extent::Unfinished, "unfinished, not counted"},
        Case{Origin::Measured, Extent::WarmUp, "warm-up, not counted"},
        Case{Origin::Replayed, Extent::Whole, "replayed"}, Case{Origin::Predicted, Extent::Whole, "predicted"}}) {
    Trace trace;
    trace.origin = each.origin;
    trace.extent = each.extent;
    EXPECT_EQ(originText(trace), each.words);
  }
}

TEST(SpanText, SaysWhatOtherProgramsUsedWhileAnActionHadNoCore) {
  const QString fact = QStringLiteral("Other programs: 47 % of the machine's cores");
  EXPECT_TRUE(sentenceOf(5'000'000, 47).contains(fact)) << sentenceOf(5'000'000, 47).toStdString();
  EXPECT_FALSE(sentenceOf(9'900'000, 47).contains(QStringLiteral("Other programs"))) << "it had its core";
  EXPECT_FALSE(sentenceOf(5'000'000).contains(QStringLiteral("Other programs"))) << "not recorded";
}

}  // namespace
}  // namespace lanelab
