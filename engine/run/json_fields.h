// The JSON reader is in engine/base; this keeps older includes working.
#pragma once

#include "engine/base/json_fields.h"
