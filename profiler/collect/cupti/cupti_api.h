// SPDX-License-Identifier: GPL-3.0-only
// The calls of CUPTI that the collector makes: a seam for tests, and the one place where the library is called.
#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "profiler/collect/cupti/cupti_decoder.h"

namespace lanelab {

class CuptiApi {
 public:
  virtual ~CuptiApi() = default;

  /// `holder` gets the name of the tool that holds the only subscriber's place, where CUPTI knows it.
  virtual CUptiResult subscribe(std::string& holder) = 0;
  virtual CUptiResult unsubscribe() = 0;
  virtual CUptiResult useSystemThreadIds() = 0;
  virtual CUptiResult registerCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                        CUpti_BuffersCallbackCompleteFunc complete) = 0;
  virtual CUptiResult enable(CUpti_ActivityKind kind) = 0;
  virtual CUptiResult enableAndDump(CUpti_ActivityKind kind) = 0;                ///< also what there is already
  virtual CUptiResult ignoreFunction(bool runtime, std::uint32_t callback) = 0;  ///< of a kind that is enabled
  virtual CUptiResult disable(CUpti_ActivityKind kind) = 0;
  virtual CUptiResult flushAll(std::uint32_t flag) = 0;  ///< calls the complete callback; hold no lock that it takes
  virtual CUptiResult droppedRecords(CUcontext context, std::uint32_t stream, std::size_t& dropped) = 0;
  virtual CUptiResult pushExternalId(std::uint64_t id) = 0;  ///< of the calling thread's further calls
  virtual CUptiResult popExternalId() = 0;
  virtual CUptiResult timestamp(std::uint64_t& time) = 0;
  virtual std::string textOf(CUptiResult result) = 0;
  virtual RecordLibrary records() = 0;
};

/// Without a driver that works its subscribe() fails with CUPTI_ERROR_UNKNOWN and calls nothing: all functions of CUDA
/// 13.2's CUPTI call themselves without end there.
std::shared_ptr<CuptiApi> realCuptiApi();

}  // namespace lanelab
