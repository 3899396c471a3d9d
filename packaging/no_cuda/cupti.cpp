// NVIDIA's profiler library where there is none, see cudart.cpp: whatever is asked of it is not supported.

namespace {

constexpr int notSupported = 27;  // CUPTI_ERROR_NOT_SUPPORTED

}  // namespace

#define ATTNSCOPE_REFUSED(name) \
    int name()                  \
    {                           \
        return notSupported;    \
    }

extern "C" {

ATTNSCOPE_REFUSED(cuptiActivityDisable)
ATTNSCOPE_REFUSED(cuptiActivityEnable)
ATTNSCOPE_REFUSED(cuptiActivityEnableCudaEventDeviceTimestamps)
ATTNSCOPE_REFUSED(cuptiActivityEnableDriverApi)
ATTNSCOPE_REFUSED(cuptiActivityEnableRuntimeApi)
ATTNSCOPE_REFUSED(cuptiActivityFlushAll)
ATTNSCOPE_REFUSED(cuptiActivityGetNextRecord)
ATTNSCOPE_REFUSED(cuptiActivityGetNumDroppedRecords)
ATTNSCOPE_REFUSED(cuptiActivityPopExternalCorrelationId)
ATTNSCOPE_REFUSED(cuptiActivityPushExternalCorrelationId)
ATTNSCOPE_REFUSED(cuptiActivityRegisterCallbacks)
ATTNSCOPE_REFUSED(cuptiActivityRegisterTimestampCallback)
ATTNSCOPE_REFUSED(cuptiActivitySetAttribute)
ATTNSCOPE_REFUSED(cuptiEnableCallback)
ATTNSCOPE_REFUSED(cuptiEnableDomain)
ATTNSCOPE_REFUSED(cuptiFinalize)
ATTNSCOPE_REFUSED(cuptiSubscribe)
ATTNSCOPE_REFUSED(cuptiUnsubscribe)

int cuptiGetVersion(unsigned* version)
{
    *version = 0;
    return notSupported;
}

int cuptiGetResultString(int, const char** text)
{
    *text = "this Attnscope is for the CPU and contains no CUPTI";
    return 0;
}

}
