#include "ui/timeline/cause_text.h"

#include <QCoreApplication>

namespace lanelab {
namespace {

struct Texts {
  Q_DECLARE_TR_FUNCTIONS(IdleTable)
};

}  // namespace

QString causeText(Cause cause) {
  switch (cause) {
    case Cause::Fill: return Texts::tr("fill");
    case Cause::Drain: return Texts::tr("drain");
    case Cause::Imbalance: return Texts::tr("imbalance");
    case Cause::Jitter: return Texts::tr("jitter");
    case Cause::TransferQueued: return Texts::tr("transfer queued");
    case Cause::Transfer: return Texts::tr("transfer");
    case Cause::Data: return Texts::tr("data");
    case Cause::Sync: return Texts::tr("sync");
    case Cause::Allocator: return Texts::tr("allocator");
    case Cause::Host: return Texts::tr("host");
    case Cause::Contention: return Texts::tr("contention");
    case Cause::Profiler: return Texts::tr("profiler");
    case Cause::Unresolved: return Texts::tr("unresolved");
  }
  return {};
}

}  // namespace lanelab
