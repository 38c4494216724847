// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include "profiler/io/build/gpu_names.h"
#include "profiler/io/tables/unknown_work.h"
#include "tests/support/written_trace.h"
#include "tests/unit/io/traced_gpus.h"

namespace lanelab {
namespace {

/// A span of a writer that has no categories.
std::string bare(const std::string& pid, const std::string& tid, const std::string& name, int start, int length,
                 const std::string& category = {}) {
  return R"("pid":)" + pid + R"(,"tid":)" + tid + R"(,"name":")" + name + R"(","ts":)" + std::to_string(start) +
         R"(,"dur":)" + std::to_string(length) + (category.empty() ? "" : R"(,"cat":")" + category + "\"");
}

/// The gaps of a file and of what an import of it writes.
std::string gapsTwice(const TracedGpus& file) {
  const std::string gaps = gapsOf(file);
  EXPECT_EQ(gapsOf(*importedFrom(toChromeJson(*importedFrom(file.text())))), gaps);
  return gaps;
}

TEST(OtherDialects, DevicesOfJaxAndTensorFlowAreTheirStreams) {
  TracedGpus file;
  for (const std::string pid : {"1", "2"}) {
    file.process(pid, "/device:GPU:" + std::to_string(std::stoi(pid) + 3));
    file.thread(pid, "13", "Stream #13(MemcpyD2D,Compute)").thread(pid, "20", "Stream #20(Compute)");
    file.thread(pid, "101", "XLA Modules").thread(pid, "102", "XLA Ops").thread(pid, "103", "Steps");
    file.event(bare(pid, "103", "0", 0, 500)).event(bare(pid, "101", "jit_step", 5, 400));
    file.event(bare(pid, "13", "gemm_fusion", 10, 50)).event(bare(pid, "102", "gemm.1", 10, 50));
    file.event(bare(pid, "13", "MemcpyD2D", 70, 10)).event(bare(pid, "13", "gemm_fusion", 100, 50));
    file.event(bare(pid, "20", "ncclDevKernel_AllReduce", 120, 60)).event(bare(pid, "20", "all-gather-start", 200, 10));
  }
  file.process("701", "/host:CPU").event(bare("701", "1", "PjitFunction", 0, 900)).raw("{}");
  EXPECT_EQ(gapsTwice(file),
            "/device:GPU:4: window 200 busy 100 transfer 10 communication 40 unresolved 50; "
            "/device:GPU:5: window 200 busy 100 transfer 10 communication 40 unresolved 50");
  EXPECT_EQ(countsOf(file), "kernel_without_launch 8");
}

TEST(OtherDialects, OfATpuTheOperatorsOfXlaAreTheWork) {
  TracedGpus file;
  file.process("1", "/device:TPU:0").thread("1", "1", "XLA Modules").thread("1", "2", "XLA Ops");
  file.event(bare("1", "1", "jit_step", 0, 100)).event(bare("1", "2", "fusion.1", 0, 20));
  file.event(bare("1", "2", "all-reduce.3", 30, 10)).event(bare("1", "2", "fusion.2", 60, 20));
  EXPECT_EQ(gapsTwice(file), "/device:TPU:0: window 80 busy 40 communication 10 unresolved 30");
}

TEST(OtherDialects, CallsOfTensorFlowHaveTheIdsOfTheirWork) {
  TracedGpus file;
  file.process("1", "/device:GPU:0").thread("1", "13", "Stream #13(Compute,MemcpyD2D)").process("501", "/host:CPU");
  const auto event = [&](const std::string& pid, const std::string& tid, double start, int id) {
    file.event(bare(pid, tid, "gemm", start, 10) + R"(,"args":{"context_id":"$$1","correlation_id":")" +
               std::to_string(id) + "\"}");
  };
  event("501", "77", 0, 37209);
  event("1", "13", 15, 37209);
  event("501", "77", 40, 37210);
  event("1", "13", 55, 37210);
  file.event(bare("501", "77", "Executor", 0, 100));
  EXPECT_EQ(gapsTwice(file), "/device:GPU:0: window 50 busy 20 host 25 unresolved 5");
  EXPECT_EQ(countsOf(file), "");
}

TEST(OtherDialects, AscendsStreamsAreItsWorkAndWhatItsOtherProcessesRepeatIsNot) {
  TracedGpus file;
  file.process("1", "Python").process("3", "Ascend Hardware", "NPU").process("4", "Communication", "NPU");
  file.thread("3", "2", "Stream 2").thread("3", "11", "Stream 11").thread("4", "1", "Group 0 Communication");
  file.event(bare("1", "7", "ProfilerStep#3", 0, 200)).event(bare("3", "2", "MatMulV2", 10, 40));
  file.event(bare("3", "11", "hcom_allReduce_", 40, 60)).event(bare("4", "1", "hcom_allReduce__0_1", 40, 60));
  file.event(bare("3", "2", "EVENT_WAIT", 50, 30)).event(bare("3", "2", "Add", 80, 30));
  EXPECT_EQ(gapsTwice(file), "NPU: window 100 busy 70 communication 30");
}

TEST(OtherDialects, ProcessesNamedAsDevicesAreGpus) {
  TracedGpus rpd;
  rpd.process("0", "GPU0").process("1", "GPU1").raw("{}");
  for (const std::string pid : {"0", "1"})
    rpd.event(bare(pid, "0", "gemm", 0, 10))
        .event(bare(pid, "0", "CopyDeviceToHost", 10, 5))
        .event(bare(pid, "1", "relu", 20, 10));
  rpd.event(bare("4242", "9", "hipLaunchKernel", 0, 5));
  EXPECT_EQ(gapsTwice(rpd), "GPU0: window 30 busy 20 unresolved 10; GPU1: window 30 busy 20 unresolved 10");
  rpd.event(bare("4242", "9", "hipLaunchKernel", 12, 6));  // of the last kernel of GPU0, which an arrow tells
  rpd.raw(R"({"ph":"s","cat":"api_op","name":"api_op","id":"1","pid":"4242","tid":"9","ts":13})");
  rpd.raw(R"({"ph":"f","cat":"api_op","name":"api_op","id":"1","pid":"0","tid":"1","ts":20,"bp":"e"})");
  EXPECT_EQ(gapsTwice(rpd), "GPU0: window 30 busy 20 host 8 unresolved 2; GPU1: window 30 busy 20 unresolved 10");
  TracedGpus categories = rpd;
  categories.event(bare("4242", "9", "cudaFree", 40, 5, "cuda_runtime"));
  EXPECT_EQ(gapsOf(categories), "GPU0: window 30 busy 20 unresolved 10; GPU1: window 30 busy 20 unresolved 10")
      << "a file that has calls by category shows launches by them";
  TracedGpus operators;
  operators.process("0", "GPU0").event(bare("0", "0", "gemm", 0, 10)).event(bare("0", "0", "relu", 20, 10));
  operators.event(bare("4242", "9", "aten::relu", 12, 6));
  operators.raw(R"({"ph":"s","cat":"async","id":"1","pid":"4242","tid":"9","ts":13})");
  operators.raw(R"({"ph":"f","cat":"async","id":"1","pid":"0","tid":"0","ts":20,"bp":"e"})");
  EXPECT_EQ(gapsTwice(operators), "GPU0: window 30 busy 20 unresolved 10") << "an operator is not a launch call";
  TracedGpus converted;
  converted.event(bare("\"Device 2\"", "\"Stream 7\"", "gemm", 0, 10, "cuda"));
  converted.event(bare("\"Device 2\"", "\"Stream 7\"", "gemm", 50, 10, "cuda") + R"(,"args":{"correlationId":4})");
  converted.event(bare("\"Host\"", "\"CUDA API 1\"", "cudaLaunchKernel", 20, 10, "cuda_api") +
                  R"(,"args":{"correlationId":4})");
  EXPECT_EQ(gapsTwice(converted), "GPU 2: window 60 busy 20 host 20 unresolved 20");
}

TEST(OtherDialects, CategoriesOfOtherRecordersAreWorkOfGpus) {
  TracedGpus file;
  file.process("4242", "XPU").event(bare("4242", "7", "gemm", 0, 10, "gpu_op"));
  file.event(bare("4242", "7", "zeCommandListAppendMemoryCopy(M2D)", 10, 10, "gpu_op"));
  file.event(bare("4242", "7", "gemm", 40, 10, "gpu_op")).event(bare("1", "1", "zeLaunch", 0, 5, "cpu_op"));
  EXPECT_EQ(gapsTwice(file), "XPU: window 50 busy 20 transfer 10 unresolved 20");
}

TEST(OtherDialects, NamesThatOnlyLookLikeDevicesAreNone) {
  for (const char* name :
       {"/host:CPU", "/device:CPU:0", "python", "GPU", "device manager", "GPU watcher", "cudnn 9", ""})
    EXPECT_EQ(deviceOfProcess(name), std::nullopt) << name;
  TracedGpus file;
  file.process("1", "GPU 0").kernel("7", 0, 0, 10).event(bare("1", "1", "sample", 0, 100));
  EXPECT_EQ(gapsOf(file), "GPU 0: window 10 busy 10") << "a file with kernels tells its GPUs";
}

TEST(OtherDialects, AFileFullOfOtherSpansIsNotEmpty) {
  TracedGpus file;
  file.process("5", "allreduce.weight_1").event(bare("5", "1", "NEGOTIATE_ALLREDUCE", 0, 10));
  file.event(bare("5", "1", "ALLREDUCE", 10, 10)).event(bare("6", "2", "task", 0, 10, "task::f"));
  EXPECT_EQ(unknownWorkSentence(*importedFrom(file.text())),
            "The trace has 3 spans on 2 threads of allreduce.weight_1 and process 6, without work in a category that "
            "LaneLab knows (kernel for GPUs, cpu_op for threads). Categories: none (2) and task::f (1). Record with "
            "PyTorch's profiler, Nsight Systems or rocprofv3, or give the spans of GPUs the category kernel or "
            "gpu_memcpy and those of threads cpu_op.");
  EXPECT_EQ(unknownWorkSentence(*importedFrom("[]")),
            "The trace has no spans, so there is nothing to explain: 0 instants, 0 counter values.");
}

}  // namespace
}  // namespace lanelab
