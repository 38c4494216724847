// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/collect/cupti/cupti_api.h"

#include <dlfcn.h>

#include <array>

namespace lanelab {

namespace {

void CUPTIAPI ignoreCallback(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}

bool driverWorks() {
  static const bool works = [] {
    void* const driver = ::dlopen("libcuda.so.1", RTLD_LAZY);
    const auto init = driver ? reinterpret_cast<CUresult (*)(unsigned)>(::dlsym(driver, "cuInit")) : nullptr;
    return init && init(0) == CUDA_SUCCESS;
  }();
  return works;
}

class RealCuptiApi final : public CuptiApi {
 public:
  CUptiResult subscribe(std::string& holder) override {
    if (!driverWorks()) return CUPTI_ERROR_UNKNOWN;
    std::array<char, CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN> name{};
    CUpti_SubscriberParams parameters{};
    parameters.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
    parameters.subscriberName = "LaneLab";
    parameters.oldSubscriberName = name.data();
    parameters.oldSubscriberSize = name.size();
    const CUptiResult result = cuptiSubscribe_v2(&m_subscriber, ignoreCallback, nullptr, &parameters);
    name.back() = '\0';
    holder = name.data();
    return result;
  }
  CUptiResult unsubscribe() override { return cuptiUnsubscribe(m_subscriber); }
  CUptiResult useSystemThreadIds() override { return cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM); }
  CUptiResult registerCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                CUpti_BuffersCallbackCompleteFunc complete) override {
    return cuptiActivityRegisterCallbacks(request, complete);
  }
  CUptiResult enable(CUpti_ActivityKind kind) override { return cuptiActivityEnable(kind); }
  CUptiResult enableAndDump(CUpti_ActivityKind kind) override { return cuptiActivityEnableAndDump(kind); }
  CUptiResult ignoreFunction(bool runtime, std::uint32_t callback) override {
    return runtime ? cuptiActivityEnableRuntimeApi(callback, 0) : cuptiActivityEnableDriverApi(callback, 0);
  }
  CUptiResult disable(CUpti_ActivityKind kind) override { return cuptiActivityDisable(kind); }
  CUptiResult flushAll(std::uint32_t flag) override { return cuptiActivityFlushAll(flag); }
  CUptiResult droppedRecords(CUcontext context, std::uint32_t stream, std::size_t& dropped) override {
    return cuptiActivityGetNumDroppedRecords(context, stream, &dropped);
  }
  CUptiResult pushExternalId(std::uint64_t id) override {
    return cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, id);
  }
  CUptiResult popExternalId() override {
    std::uint64_t last = 0;
    return cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last);
  }
  CUptiResult timestamp(std::uint64_t& time) override { return cuptiGetTimestamp(&time); }
  std::string textOf(CUptiResult result) override {
    const char* text = nullptr;
    return cuptiGetErrorMessage(result, &text) == CUPTI_SUCCESS && text != nullptr ? text : "unknown error";
  }
  RecordLibrary records() override { return RecordLibrary::ofCupti(); }

 private:
  CUpti_SubscriberHandle m_subscriber = nullptr;
};

}  // namespace

std::shared_ptr<CuptiApi> realCuptiApi() { return std::make_shared<RealCuptiApi>(); }

}  // namespace lanelab
