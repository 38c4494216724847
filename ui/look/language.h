// SPDX-License-Identifier: GPL-3.0-only
// The language of the window's texts. Thread: the one of the window, once, before any text is made.
#pragma once

class QCoreApplication;

namespace lanelab::look {

/// Texts in English, with its plurals: "1 step", "2 steps". Fails loudly without its file: the file is a resource.
void useEnglish(QCoreApplication& app);

}  // namespace lanelab::look
