// SPDX-License-Identifier: GPL-3.0-only
// What nearly every test of the window includes beside what all tests do.
#pragma once

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QWidget>
