# SPDX-License-Identifier: GPL-3.0-only
# Read by ctest, for all tests. PyTorch's threads that wait for work spin for milliseconds otherwise, on cores that other tests need: of a check of a ViT
# beside a build they took two thirds of the time.
set(ENV{OMP_WAIT_POLICY} passive)
