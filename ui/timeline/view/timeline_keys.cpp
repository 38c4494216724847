// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>

#include "ui/timeline/view/timeline_commands.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

constexpr double kKeyZoom = 1.5;
constexpr double kKeyPan = 0.15;  // of what is seen

using To = const KeyTargets&;

void escape(To to) {
  if (to.pointer.cancel()) return;
  if (to.changes.isPending()) return to.changes.restore();
  to.focus.setSelection({});
  to.focus.setCurrent({});
  to.focus.chooseLane({});
  to.view.showFound({});
}

/// From gap to gap, else through time.
void sideways(To to, int direction) {
  to.focus.currentGap() ? to.moves.stepGap(direction) : to.moves.panBy(direction * kKeyPan);
}

/// Pending changes become settings; else to what the current gap waited for, or into the selection or the span.
void enter(To to) {
  if (to.changes.isPending())
    Q_EMIT to.view.doItRequested();
  else
    to.focus.currentGap() ? to.moves.followArrow(-1) : to.moves.zoomToFocus();
}

void scale(To to, double factor, bool all) { to.pulling.scaleCurrent(factor, all); }

constexpr auto kAltShift = Qt::AltModifier | Qt::ShiftModifier;

struct KeyBinding {
  Qt::Key key;
  Qt::KeyboardModifiers with;  ///< Control and Alt must be as here, Shift may be held beside keys that do not name it
  void (*act)(To to);
};

/// The first that matches counts.
constexpr KeyBinding kBindings[] = {{Qt::Key_W, Qt::NoModifier, [](To to) { to.moves.zoomBy(1 / kKeyZoom); }},
                                    {Qt::Key_Plus, Qt::NoModifier, [](To to) { to.moves.zoomBy(1 / kKeyZoom); }},
                                    {Qt::Key_Equal, Qt::NoModifier, [](To to) { to.moves.zoomBy(1 / kKeyZoom); }},
                                    {Qt::Key_S, Qt::NoModifier, [](To to) { to.moves.zoomBy(kKeyZoom); }},
                                    {Qt::Key_Minus, Qt::NoModifier, [](To to) { to.moves.zoomBy(kKeyZoom); }},
                                    {Qt::Key_A, Qt::NoModifier, [](To to) { to.moves.panBy(-kKeyPan); }},
                                    {Qt::Key_Left, Qt::NoModifier, [](To to) { sideways(to, -1); }},
                                    {Qt::Key_D, Qt::NoModifier, [](To to) { to.moves.panBy(kKeyPan); }},
                                    {Qt::Key_Right, Qt::NoModifier, [](To to) { sideways(to, +1); }},
                                    {Qt::Key_Left, Qt::ControlModifier, [](To to) { to.view.previousStep(); }},
                                    {Qt::Key_Right, Qt::ControlModifier, [](To to) { to.view.nextStep(); }},
                                    {Qt::Key_Left, kAltShift, [](To to) { scale(to, kShorter, true); }},
                                    {Qt::Key_Right, kAltShift, [](To to) { scale(to, kLonger, true); }},
                                    {Qt::Key_Left, Qt::AltModifier, [](To to) { scale(to, kShorter, false); }},
                                    {Qt::Key_Right, Qt::AltModifier, [](To to) { scale(to, kLonger, false); }},
                                    {Qt::Key_Up, Qt::AltModifier, [](To to) { to.pulling.moveCurrent(-1); }},
                                    {Qt::Key_Down, Qt::AltModifier, [](To to) { to.pulling.moveCurrent(+1); }},
                                    {Qt::Key_Home, Qt::NoModifier, [](To to) { to.view.fit(); }},
                                    {Qt::Key_F, Qt::NoModifier, [](To to) { to.view.fit(); }},
                                    {Qt::Key_Return, Qt::NoModifier, [](To to) { enter(to); }},
                                    {Qt::Key_Enter, Qt::NoModifier, [](To to) { enter(to); }},
                                    {Qt::Key_Backspace, Qt::NoModifier, [](To to) { to.view.previousZoom(); }},
                                    {Qt::Key_Up, Qt::NoModifier, [](To to) { to.moves.stepRow(-1); }},
                                    {Qt::Key_Down, Qt::NoModifier, [](To to) { to.moves.stepRow(+1); }},
                                    {Qt::Key_Period, Qt::NoModifier, [](To to) { to.moves.stepSpan(+1); }},
                                    {Qt::Key_Comma, Qt::NoModifier, [](To to) { to.moves.stepSpan(-1); }},
                                    {Qt::Key_G, Qt::ShiftModifier, [](To to) { to.moves.stepGap(-1); }},
                                    {Qt::Key_G, Qt::NoModifier, [](To to) { to.moves.stepGap(+1); }},
                                    {Qt::Key_Z, Qt::NoModifier, [](To to) { to.moves.zoomToFocus(); }},
                                    {Qt::Key_BracketLeft, Qt::NoModifier, [](To to) { to.moves.followArrow(-1); }},
                                    {Qt::Key_BracketRight, Qt::NoModifier, [](To to) { to.moves.followArrow(+1); }},
                                    {Qt::Key_Up, Qt::ControlModifier, [](To to) { to.moves.moveLane(-1); }},
                                    {Qt::Key_Down, Qt::ControlModifier, [](To to) { to.moves.moveLane(+1); }},
                                    {Qt::Key_C, Qt::ShiftModifier, [](To to) { to.moves.toggleReplica(); }},
                                    {Qt::Key_C, Qt::NoModifier, [](To to) { to.moves.toggleCollapsed(); }},
                                    {Qt::Key_P, Qt::NoModifier, [](To to) { to.moves.togglePinned(); }},
                                    {Qt::Key_1, Qt::NoModifier, [](To to) { to.moves.toggleLegend(1); }},
                                    {Qt::Key_2, Qt::NoModifier, [](To to) { to.moves.toggleLegend(2); }},
                                    {Qt::Key_3, Qt::NoModifier, [](To to) { to.moves.toggleLegend(3); }},
                                    {Qt::Key_4, Qt::NoModifier, [](To to) { to.moves.toggleLegend(4); }},
                                    {Qt::Key_5, Qt::NoModifier, [](To to) { to.moves.toggleLegend(5); }},
                                    {Qt::Key_6, Qt::NoModifier, [](To to) { to.moves.toggleLegend(6); }},
                                    {Qt::Key_7, Qt::NoModifier, [](To to) { to.moves.toggleLegend(7); }},
                                    {Qt::Key_8, Qt::NoModifier, [](To to) { to.moves.toggleLegend(8); }},
                                    {Qt::Key_9, Qt::NoModifier, [](To to) { to.moves.toggleLegend(9); }},
                                    {Qt::Key_Slash, Qt::NoModifier, [](To to) { Q_EMIT to.view.findRequested(); }},
                                    {Qt::Key_Space, Qt::NoModifier, [](To to) { to.pointer.holdSpace(); }},
                                    {Qt::Key_Escape, Qt::NoModifier, [](To to) { escape(to); }}};

const KeyBinding* bindingOf(const QKeyEvent& event) {
  const auto held = event.modifiers();
  if (held & Qt::MetaModifier) return nullptr;
  const auto found = std::ranges::find_if(kBindings, [&](const KeyBinding& binding) {
    constexpr Qt::KeyboardModifiers kExact = Qt::ControlModifier | Qt::AltModifier;
    return event.key() == binding.key && (held & kExact) == (binding.with & kExact) &&
           (!binding.with.testFlag(Qt::ShiftModifier) || held & Qt::ShiftModifier);
  });
  return found == std::end(kBindings) ? nullptr : found;
}

}  // namespace

bool isTimelineKey(const QKeyEvent& event) { return bindingOf(event) != nullptr; }

void pressTimelineKey(const QKeyEvent& event, const KeyTargets& targets) {
  const KeyBinding* const binding = bindingOf(event);
  if (!binding) return;
  const TimeRange seen = targets.view.visibleRange();
  const auto span = targets.focus.current();
  const auto gap = targets.focus.currentGap();
  binding->act(targets);
  const bool moved = span != targets.focus.current() || gap != targets.focus.currentGap();  // which has been described
  if (!moved && targets.view.visibleRange() != seen) targets.focus.describeRange();
}

}  // namespace lanelab
