#include "ui/engine/store_reader.h"

#include "ui/engine/guarded.h"

#include <filesystem>
#include <utility>

namespace attnscope::ui {

StoreReader::StoreReader(std::function<void()> delay, const QString& file, QObject* parent)
    : QObject(parent)
    , m_delay(std::move(delay))
    , m_file(file)
{}

void StoreReader::setFile(const QString& file)
{
    if (file == m_file)
        return;
    m_file = file;
    emit fileChanged(file);
}

bool StoreReader::onStore(const std::string& file, ResultStore::Mode mode,
                          const std::function<void(ResultStore&)>& act)
{
    bool done = true;
    const auto work = [&] {
        if (m_delay)
            m_delay();
        if (mode == ResultStore::Mode::Write) {
            ResultStore store(file, mode);
            act(store);
            return;
        }
        if (m_storeFile != file)
            m_store.reset();
        if (!m_store && std::filesystem::exists(file)) {
            m_store = std::make_unique<ResultStore>(file, mode);
            m_storeFile = file;
        }
        if (m_store)
            act(*m_store);
    };
    guarded(work, [&](const QString& sentence) {
        done = false;
        emit failed(sentence);
    });
    return done;
}

}
