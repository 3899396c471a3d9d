// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/store_reader.h"

#include "ui/style/qt_text.h"

#include <filesystem>
#include <utility>

namespace attnscope::ui {

StoreReader::StoreReader(OpenStore open, const QString& file, QObject* parent)
    : QObject(parent)
    , m_open(std::move(open))
    , m_file(file)
{
    m_thread = std::jthread([this](std::stop_token stop) {
        while (const auto request = m_queue.take(stop))
            request->onWorker();
        m_store.reset();
    });
}

StoreReader::~StoreReader()
{
    m_thread.request_stop();
    m_thread.join();
}

void StoreReader::setFile(const QString& file)
{
    if (file == m_file)
        return;
    m_file = file;
    emit fileChanged(file);
}

bool StoreReader::onStore(const std::string& file, ResultStore::Mode mode,
                          const std::function<void(StoreAccess&)>& act)
{
    try {
        if (mode == ResultStore::Mode::Write) {
            const auto store = m_open(file, mode);
            act(*store);
            return true;
        }
        if (m_storeFile != file)
            m_store.reset();
        if (!m_store && m_open && std::filesystem::exists(file)) {
            m_store = m_open(file, mode);
            m_storeFile = file;
        }
        if (m_store)
            act(*m_store);
        return true;
    } catch (const std::exception& error) {
        emit failed(toQt(error.what()));
        return false;
    }
}

}  // namespace attnscope::ui
