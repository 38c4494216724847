// SPDX-License-Identifier: GPL-3.0-only
// Help: the list of keys, made from the menus themselves, and About.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ui/look/wheel.h"

class QMenuBar;
class QWidget;

namespace lanelab {

/// Every action of the menus that has a key, the keys of board and timeline, and what the wheel does there. Not modal:
/// it may stay open beside the work.
void showKeysDialog(QWidget* parent, const QMenuBar& menus, look::WheelUse wheel);

/// `facts` are names and versions of what computes.
void showAboutDialog(QWidget* parent, const std::vector<std::pair<std::string, std::string>>& facts);

}  // namespace lanelab
