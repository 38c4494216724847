// SPDX-License-Identifier: GPL-3.0-only
// What nearly every test includes; to read it once a test program takes less than to read it in each file.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
