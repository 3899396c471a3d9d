#pragma once

#include "ui/style/qt_text.h"

#include "core/base/error.h"

#include <chrono>
#include <concepts>
#include <exception>

namespace attnscope::ui {

/// A sentence of the engine, with the window's own ways in place of the command line's options.
QString inWindow(const char* sentence);

/// Calls `work` at the edge of a thread: what it throws ends here, as `cancelled()`, or as one sentence for `failed`.
template <std::invocable Work, std::invocable<QString> Failed, std::invocable WhenCancelled>
void guarded(Work&& work, Failed&& failed, WhenCancelled&& cancelled)
{
    try {
        work();
    } catch (const Cancelled&) {
        cancelled();
    } catch (const std::exception& error) {
        failed(inWindow(error.what()));
    }
}

/// The same for work that nobody cancels.
template <std::invocable Work, std::invocable<QString> Failed>
void guarded(Work&& work, Failed&& failed)
{
    guarded(work, failed, [&] { failed(toQt(Cancelled().what())); });
}

/// Limits progress to ten reports a second.
class ReportRate {
public:
    bool isDue();

private:
    std::chrono::steady_clock::time_point m_last{};
};

}
