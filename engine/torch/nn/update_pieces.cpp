// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/update_pieces.h"

#include <ATen/Parallel.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/record_function.h>

#include <algorithm>

#include "base/stop_point.h"
#include "engine/model/update_piece.h"

namespace lanelab {

namespace {

/// Whether the n-th number in memory is the same element of both. Strides of one element say nothing.
bool sameOrder(const at::Tensor& a, const at::Tensor& b) {
  for (std::int64_t i = 0; i < a.dim(); ++i) {
    if (a.size(i) != 1 && a.stride(i) != b.stride(i)) return false;
  }
  return true;
}

bool canDivide(const TensorList& tensors) {
  const at::Tensor& first = tensors.front();
  return first.numel() > kUpdatePieceNumbers && std::ranges::all_of(tensors, [&](const at::Tensor& tensor) {
           return tensor.is_cpu() && tensor.is_non_overlapping_and_dense() && sameOrder(first, tensor);
         });
}

/// The numbers of a tensor in the order of memory. No view of autograd's, so that it can be moved.
at::Tensor flat(const at::Tensor& tensor) { return tensor.as_strided({tensor.numel()}, {1}, tensor.storage_offset()); }

/// Views of each tensor that move through the whole without being made again, and a temporary.
class MovingPieces {
 public:
  MovingPieces(const TensorList& tensors, bool with_temporary) {
    for (const at::Tensor& tensor : tensors) {
      m_starts.push_back(tensor.storage_offset());
      m_pieces.push_back(flat(tensor));
    }
    if (with_temporary) m_pieces.push_back(at::empty({kUpdatePieceNumbers}, tensors.front().options()));
  }

  TensorList& at(std::int64_t begin, std::int64_t count) {
    for (std::size_t i = 0; i < m_pieces.size(); ++i) {
      at::TensorImpl* const impl = m_pieces[i].unsafeGetTensorImpl();
      impl->set_sizes_contiguous(count);
      if (i < m_starts.size()) impl->set_storage_offset(m_starts[i] + begin);
    }
    return m_pieces;
  }

 private:
  std::vector<std::int64_t> m_starts;
  TensorList m_pieces;
};

void updateWhole(const TensorList& tensors, bool with_temporary, const std::function<void(TensorList&)>& update) {
  TensorList all = tensors;
  if (with_temporary) all.push_back(at::empty_like(tensors.front()));
  update(all);
}

}  // namespace

void updateInPieces(const TensorList& tensors, bool with_temporary, const std::function<void(TensorList&)>& update) {
  stopPoint();
  const at::NoGradGuard no_grad;
  if (!canDivide(tensors)) return updateWhole(tensors, with_temporary, update);
  RECORD_FUNCTION("lanelab::update", std::vector<c10::IValue>(tensors.begin(), tensors.end()));
  const std::int64_t numbers = tensors.front().numel(),
                     pieces = (numbers + kUpdatePieceNumbers - 1) / kUpdatePieceNumbers;
  at::parallel_for(0, pieces, 1, [&](std::int64_t begin, std::int64_t end) {
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    const at::DisableRecordFunctionGuard as_one_operator;
    MovingPieces moving(tensors, with_temporary);
    for (std::int64_t piece = begin; piece < end; ++piece) {
      const std::int64_t from = piece * kUpdatePieceNumbers;
      update(moving.at(from, std::min(kUpdatePieceNumbers, numbers - from)));
    }
  });
  for (const at::Tensor& tensor : tensors) tensor.unsafeGetTensorImpl()->bump_version();
}

}  // namespace lanelab
