// Precompiled for the tests of what speaks to LibTorch.
#pragma once

#include "core/torch_headers.h"

#include <QtTest/QtTest>
