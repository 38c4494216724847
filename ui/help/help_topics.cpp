// SPDX-License-Identifier: GPL-3.0-only
#include "ui/help/help_topics.h"

#include <QWidget>
#include <algorithm>

namespace lanelab {
namespace {

struct Row {
  const char* part;
  const char* address;
};

constexpr Row kRows[] = {
    // The centre and its tool bar.
    {"board", "docs/guide.md#run-your-own-experiment"},
    {"blockFind", "docs/guide.md#run-your-own-experiment"},
    {"variantTabs", "docs/models-and-training.md#strategies"},
    {"timeline", "docs/traces-and-idle-time.md#the-timeline"},
    {"findStrip", "docs/traces-and-idle-time.md#the-timeline"},
    {"changeStrip", "docs/traces-and-idle-time.md#drag-a-span"},
    {"splitSizeControl", "docs/planning.md#choose-the-micro-batch-size"},
    {"schedule", "docs/schedules.md"},
    {"viewedRunBar", "docs/guide.md#compare-two-runs"},
    // Panes, and parts of the form.
    {"runsDock", "docs/guide.md#compare-two-runs"},
    {"experimentDock", "docs/guide.md#run-your-own-experiment"},
    {"variantList", "docs/models-and-training.md#strategies"},
    {"variantStrategy", "docs/models-and-training.md#strategies"},
    {"variantSchedule", "docs/schedules.md"},
    {"variantRecompute", "docs/models-and-training.md#training-modes"},
    {"modelArch", "docs/models-and-training.md#networks"},
    {"modelBlocks", "docs/models.md#look-at-it"},
    {"dataSource", "docs/models-and-training.md#data"},
    {"trainingLoss", "docs/models-and-training.md#losses"},
    {"trainingRecompute", "docs/models-and-training.md#training-modes"},
    {"trainingPrecision", "docs/models-and-training.md#training-modes"},
    {"record", "docs/traces-and-idle-time.md#what-is-recorded"},
    {"stagesDock", "docs/planning.md#plan-a-cut"},
    {"scheduleDock", "docs/schedules.md#edit-an-order-in-the-window"},
    {"layersDock", "docs/models-and-training.md#networks"},
    {"lossDock", "docs/models-and-training.md#losses"},
    {"compareDock", "docs/performance.md#how-it-is-measured"},
    {"comparisonTrust", "docs/performance.md#can-i-trust-a-run"},
    {"idleDock", "docs/traces-and-idle-time.md#why-a-lane-is-idle"},
    {"suggestionStrip", "docs/planning.md#suggested-fixes"},
    {"sweepDock", "docs/planning.md#choose-the-micro-batch-size"},
    {"memoryDock", "docs/schedules.md#memory-as-a-dial"},
    {"statisticsDock", "docs/traces-and-idle-time.md#statistics-of-spans"},
    {"lessonsDock", "docs/guide.md#lessons"},
    {"welcomeStrip", "docs/guide.md#first-steps"},
    {"detailsDock", "docs/guide.md#find-out-why-a-lane-is-idle"},
    // Dialogs.
    {"attachDialog", "docs/round-trip.md#ask-a-running-job"},
    {"bookmarksDialog", "docs/traces-and-idle-time.md#the-timeline"},
    {"checkDialog", "docs/models-and-training.md#check-a-variant"},
    {"commandPalette", "docs/guide.md#get-help"},
    {"cutsDialog", "docs/planning.md#plan-a-cut"},
    {"deviceMapDialog", "docs/device-maps.md#in-the-window"},
    {"helpWindow", "docs/guide.md#get-help"},
    {"importModelDialog", "docs/models.md#in-the-window"},
    {"inferDialog", "docs/device-maps.md#inference-under-a-map"},
    {"keysDialog", "docs/guide.md#get-help"},
    {"memoryLimitDialog", "docs/schedules.md#memory-limits"},
    {"overlayDialog", "docs/guide.md#overlay-runs"},
    {"planExportDialog", "docs/round-trip.md#take-the-plan-home"},
    {"queueDialog", "docs/guide.md#queue-runs"},
    {"settingsDialog", "docs/guide.md#settings"},
    {"differencesDialog", "docs/guide.md#return-to-your-work"},
    {"runsComparison", "docs/guide.md#compare-two-runs"},
    {"whatIfDialog", "docs/traces-and-idle-time.md#what-if"},
    {"exportDialog", "docs/guide.md#share-a-run"},
};

}  // namespace

const QList<HelpTopic>& helpTopics() {
  static const QList<HelpTopic> topics = [] {
    QList<HelpTopic> made;
    for (const Row& row : kRows) made.append({QLatin1String(row.part), helpPlace(QLatin1String(row.address))});
    return made;
  }();
  return topics;
}

HelpPlace helpTopicOf(const QWidget* widget) {
  for (; widget; widget = widget->parentWidget()) {
    const auto found = std::ranges::find(helpTopics(), widget->objectName(), &HelpTopic::part);
    if (found != helpTopics().end()) return found->place;
  }
  return {QStringLiteral("docs/guide.md"), {}};
}

}  // namespace lanelab
