<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AccessibleBoard</name>
    <message numerus="yes">
        <source>%1, %n block(s), %2 of all %3</source>
        <translation>
            <numerusform>%1, %n block, %2 of all %3</numerusform>
            <numerusform>%1, %n blocks, %2 of all %3</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AccessibleTimeline</name>
    <message numerus="yes">
        <source>%n gap(s)</source>
        <translation>
            <numerusform>%n gap</numerusform>
            <numerusform>%n gaps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Charts</name>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n epoch</numerusform>
            <numerusform>%n epochs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n repeat(s)</source>
        <translation>
            <numerusform>%n repeat</numerusform>
            <numerusform>%n repeats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OverlayDialog</name>
    <message numerus="yes">
        <source>%n lane(s)</source>
        <translation>
            <numerusform>%n lane</numerusform>
            <numerusform>%n lanes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n curve(s)</source>
        <translation>
            <numerusform>%n curve</numerusform>
            <numerusform>%n curves</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Mean of %n repeat(s)</source>
        <translation>
            <numerusform>Mean of %n repeat</numerusform>
            <numerusform>Mean of %n repeats</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message numerus="yes">
        <source>%n listed module(s)</source>
        <translation>
            <numerusform>%n listed module</numerusform>
            <numerusform>%n listed modules</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunsList</name>
    <message numerus="yes">
        <source>%n repeat(s)</source>
        <translation>
            <numerusform>%n repeat</numerusform>
            <numerusform>%n repeats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Schedule</name>
    <message numerus="yes">
        <source>%n action(s)</source>
        <translation>
            <numerusform>%n action</numerusform>
            <numerusform>%n actions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n column(s)</source>
        <translation>
            <numerusform>%n column</numerusform>
            <numerusform>%n columns</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::AttachDialog</name>
    <message numerus="yes">
        <source>%n rank(s) will record at the same time. Nothing is recorded yet.</source>
        <translation>
            <numerusform>%n rank will record at the same time. Nothing is recorded yet.</numerusform>
            <numerusform>%n ranks will record at the same time. Nothing is recorded yet.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Asking %n rank(s)</source>
        <translation>
            <numerusform>Asking %n rank</numerusform>
            <numerusform>Asking %n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Recording on %n rank(s)</source>
        <translation>
            <numerusform>Recording on %n rank</numerusform>
            <numerusform>Recording on %n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::BoardView</name>
    <message numerus="yes">
        <source>%1, %n thread(s)</source>
        <translation>
            <numerusform>%1, %n thread</numerusform>
            <numerusform>%1, %n threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Lane %1, %2, %3: %n block(s), %4 of all %5</source>
        <translation>
            <numerusform>Lane %1, %2, %3: %n block, %4 of all %5</numerusform>
            <numerusform>Lane %1, %2, %3: %n blocks, %4 of all %5</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %n block(s)</source>
        <translation>
            <numerusform>Move %n block</numerusform>
            <numerusform>Move %n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 on lane %2, %n block(s) selected</source>
        <translation>
            <numerusform>%1 on lane %2, %n block selected</numerusform>
            <numerusform>%1 on lane %2, %n blocks selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 takes %n sample(s) in a micro-batch.</source>
        <translation>
            <numerusform>%1 takes %n sample in a micro-batch.</numerusform>
            <numerusform>%1 takes %n samples in a micro-batch.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n other parameter(s)</source>
        <translation>
            <numerusform>%1 and %n other parameter</numerusform>
            <numerusform>%1 and %n other parameters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) picked up. Up and Down choose the lane, Enter drops, Esc cancels.</source>
        <translation>
            <numerusform>%n block picked up. Up and Down choose the lane, Enter drops, Esc cancels.</numerusform>
            <numerusform>%n blocks picked up. Up and Down choose the lane, Enter drops, Esc cancels.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::CheckDialog</name>
    <message numerus="yes">
        <source>All variants equal their reference after %n step(s), measured.</source>
        <translation>
            <numerusform>All variants equal their reference after %n step, measured.</numerusform>
            <numerusform>All variants equal their reference after %n steps, measured.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::CutsDialog</name>
    <message numerus="yes">
        <source>The first is the fastest of %n cut(s) that were tried.</source>
        <translation>
            <numerusform>The first is the fastest of %n cut that were tried.</numerusform>
            <numerusform>The first is the fastest of %n cuts that were tried.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::FileOpener</name>
    <message numerus="yes">
        <source>The network is %1 now, in %n block(s). Undo to restore the one before.</source>
        <translation>
            <numerusform>The network is %1 now, in %n block. Undo to restore the one before.</numerusform>
            <numerusform>The network is %1 now, in %n blocks. Undo to restore the one before.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::FlameView</name>
    <message numerus="yes">
        <source>%n span(s), the longest %1</source>
        <translation>
            <numerusform>%n span, the longest %1</numerusform>
            <numerusform>%n spans, the longest %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::ImportModelDialog</name>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation>
            <numerusform>%n block</numerusform>
            <numerusform>%n blocks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::LayerTableModel</name>
    <message numerus="yes">
        <source>Move %n block(s)</source>
        <translation>
            <numerusform>Move %n block</numerusform>
            <numerusform>Move %n blocks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::MainWindow</name>
    <message numerus="yes">
        <source>%n queued run(s) will not start: the queue is in memory only.</source>
        <translation>
            <numerusform>%n queued run will not start: the queue is in memory only.</numerusform>
            <numerusform>%n queued runs will not start: the queue is in memory only.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) of this file could not be used; lanelab-cli import lists them by kind.</source>
        <translation>
            <numerusform>%n event of this file could not be used; lanelab-cli import lists them by kind.</numerusform>
            <numerusform>%n events of this file could not be used; lanelab-cli import lists them by kind.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::OverlayDialog</name>
    <message numerus="yes">
        <source>Reading %n run(s)...</source>
        <translation>
            <numerusform>Reading %n run...</numerusform>
            <numerusform>Reading %n runs...</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::PlacementStrip</name>
    <message numerus="yes">
        <source>, %n empty lane(s)</source>
        <translation>
            <numerusform>, %n empty lane</numerusform>
            <numerusform>, %n empty lanes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::QueueButton</name>
    <message numerus="yes">
        <source>%n queued</source>
        <translation>
            <numerusform>%n queued</numerusform>
            <numerusform>%n queued</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::RunsList</name>
    <message numerus="yes">
        <source>Deleted %n run(s); the others are in use.</source>
        <translation>
            <numerusform>Deleted %n run; the others are in use.</numerusform>
            <numerusform>Deleted %n runs; the others are in use.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Restored %n run(s).</source>
        <translation>
            <numerusform>Restored %n run.</numerusform>
            <numerusform>Restored %n runs.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::SchedulePane</name>
    <message numerus="yes">
        <source>%n stage(s)</source>
        <translation>
            <numerusform>%n stage</numerusform>
            <numerusform>%n stages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n micro-batch(es)</source>
        <translation>
            <numerusform>%n micro-batch</numerusform>
            <numerusform>%n micro-batches</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::SessionKeeper</name>
    <message numerus="yes">
        <source>Those of %n other window(s) are restored when LaneLab is started again.</source>
        <translation>
            <numerusform>Those of %n other window are restored when LaneLab is started again.</numerusform>
            <numerusform>Those of %n other windows are restored when LaneLab is started again.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::StageSummary</name>
    <message numerus="yes">
        <source>%n stage(s)</source>
        <translation>
            <numerusform>%n stage</numerusform>
            <numerusform>%n stages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::StatisticsPane</name>
    <message numerus="yes">
        <source>%n span(s)</source>
        <translation>
            <numerusform>%n span</numerusform>
            <numerusform>%n spans</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n group(s)</source>
        <translation>
            <numerusform>%n group</numerusform>
            <numerusform>%n groups</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::SweepView</name>
    <message numerus="yes">
        <source>%n repeat(s)</source>
        <translation>
            <numerusform>%n repeat</numerusform>
            <numerusform>%n repeats</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::TimelineChanges</name>
    <message numerus="yes">
        <source>With %n other change(s)</source>
        <translation>
            <numerusform>With %n other change</numerusform>
            <numerusform>With %n other changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::TimelineComparison</name>
    <message numerus="yes">
        <source>%n matching action(s)</source>
        <translation>
            <numerusform>%n matching action</numerusform>
            <numerusform>%n matching actions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::TimelinePresenter</name>
    <message numerus="yes">
        <source>%n span(s)</source>
        <translation>
            <numerusform>%n span</numerusform>
            <numerusform>%n spans</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n flow(s)</source>
        <translation>
            <numerusform>%n flow</numerusform>
            <numerusform>%n flows</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lanelab::WhatIfDialog</name>
    <message numerus="yes">
        <source>%n micro-batch(es)</source>
        <translation>
            <numerusform>%n micro-batch</numerusform>
            <numerusform>%n micro-batches</numerusform>
        </translation>
    </message>
</context>
</TS>
