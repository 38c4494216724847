// SPDX-License-Identifier: GPL-3.0-only
// Where each data.source opens, checks and counts its rows. Errors (BadInput) name place and fix.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/experiment/experiment.h"
#include "engine/torch/data/row_source.h"

namespace lanelab {

/// Inputs and targets from training.seed: one batch a step, as far as 512 MiB go. Inputs are normal numbers, or tokens
/// that are all as likely; targets are class or token ids, all as likely, or normal numbers.
DataParts randomRows(const Experiment& experiment, const ModelSpec& model);

/// `inputs` and `targets` of data.path, and `validation_inputs` and `validation_targets` where it has them. Targets may
/// be missing where the network gives its loss. Errors (BadInput) name place and fix, and of tokens that the network
/// does not know the first.
Result<DataParts> openTensorFile(const Experiment& experiment, const ModelSpec& model);
/// Looks at the header only: what is wrong with names, types and shapes.
Status checkTensorFile(const Experiment& experiment, const ModelSpec& model);
/// Rows to train on, by the header's inputs.
Result<std::int64_t> countTensorFile(const Experiment& experiment);

/// The bytes of the file data.path as tokens. Row i has the bytes [i T, i T + T) as inputs, for a network of T tokens,
/// and the byte after each of them as targets. All bytes are in memory once, and become int64 batch by batch. Errors
/// (BadInput): the file cannot be read, is shorter than T + 1 bytes, or has a byte that the network does not know.
Result<DataParts> openText(const Experiment& experiment, const ModelSpec& model);
Result<std::int64_t> countText(const Experiment& experiment);

constexpr std::int64_t kDigitsValidation = 360;  ///< beside kDigitsTraining

/// The bundled handwritten digits (resources/data): small, real, and learnt in seconds. 8x8 pixels of 0 ... 16, scaled
/// to -1 ... 1, each enlarged to a square so that they fill data.shape, grey on 1 or 3 channels. Errors (BadInput) name
/// the key.
Result<DataParts> openDigits(const Experiment& experiment);
Status checkDigits(const Experiment& experiment);

/// CIFAR-10 as its binary version comes: data_batch_*.bin to train on, test_batch.bin to validate with. A record is a
/// class id (0 ... 9) and 3x32x32 bytes, planes of red, green, blue. Pixels stay bytes in memory and become numbers
/// batch by batch, normalised by the set's mean and deviation a channel. data.path is the folder. Errors (BadInput)
/// name file, record and fix.
Result<DataParts> openCifar10(const Experiment& experiment);

/// Looks at names and sizes only.
Status checkCifar10(const Experiment& experiment, std::vector<std::string>& warnings);
/// Images to train on.
Result<std::int64_t> countCifar10(const Experiment& experiment);

/// A folder of pictures, one folder a class: torchvision's ImageFolder. data.path holds one folder a class with PNG and
/// JPEG files; classes count in the order of their names. If it holds `train` and `val` instead, each of these does.
/// Without them every fifth image of a class is for validation. Images are read when their batch comes: the shorter
/// side is scaled to data.shape (bilinear, antialiased), the rest cut off evenly, channels normalised by ImageNet's
/// mean and deviation. Each image's header and end are looked at first (image_check.h): unreadable ones are an error,
/// or with data.skip_unreadable a warning. Errors (BadInput) name the folder and the fix.
Result<DataParts> openImageFolder(const Experiment& experiment, std::vector<std::string>& warnings);

/// Images to train on, as openImageFolder would have them. Looks into the files only with data.skip_unreadable.
Result<std::int64_t> countImageFolder(const Experiment& experiment);

/// [3, height, width] bytes of an image, as decodeImage makes them. Any thread. Errors name the file and the fix.
Result<at::Tensor> readImage(const std::string& path);

}  // namespace lanelab
