// SPDX-License-Identifier: GPL-3.0-only
// A library with the name of NVIDIA's driver (libcuda.so.1) and none of its functions.
extern "C" void lanelabEmptyDriver() {}
