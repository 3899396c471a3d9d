#include "core/archive/tar.h"

#include "core/base/text.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#include <exception>
#include <memory>

namespace attnscope {

namespace {

constexpr int64_t tarBlock = 512;

/// libarchive converts names to the locale's encoding: here they stay the same bytes in every locale.
class Utf8Names {
public:
    Utf8Names()
        : m_utf8(::newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{}))
        , m_before(::uselocale(m_utf8))
    {}
    ~Utf8Names()
    {
        ::uselocale(m_before);
        if (m_utf8 != locale_t{})
            ::freelocale(m_utf8);
    }
    Utf8Names(const Utf8Names&) = delete;
    Utf8Names& operator=(const Utf8Names&) = delete;

private:
    locale_t m_utf8, m_before;
};

/// What libarchive's callbacks are given; exceptions may not pass through C.
struct TarCallbacks {
    TarInput& input;
    std::exception_ptr failure;
};

/// Runs `work`; what it throws is kept and -1 returned.
template <typename Work>
auto guarded(void* data, const Work& work) -> decltype(work(*static_cast<TarCallbacks*>(data)))
{
    auto& callbacks = *static_cast<TarCallbacks*>(data);
    try {
        return work(callbacks);
    } catch (...) {
        callbacks.failure = std::current_exception();
        return -1;
    }
}

la_ssize_t readTar(::archive*, void* data, const void** bytes)
{
    return guarded(data, [&](TarCallbacks& callbacks) {
        const std::span<const std::byte> next = callbacks.input.next();
        *bytes = next.data();
        return la_ssize_t(next.size());
    });
}

la_int64_t skipTar(::archive*, void* data, la_int64_t count)
{
    return guarded(data, [&](TarCallbacks& callbacks) { return la_int64_t(callbacks.input.skip(count)); });
}

class TarLister {
public:
    TarLister(TarInput& input, const std::string& name, int64_t size)
        : m_size(size)
        , m_callbacks{input, nullptr}
        , m_reader(::archive_read_new(), &::archive_read_free)
        , m_builder(name)
    {
        if (!m_reader)
            throw std::bad_alloc();
    }

    ArchiveListing list()
    {
        ::archive* const reader = m_reader.get();
        ::archive_read_support_format_tar(reader);
        ::archive_read_set_read_callback(reader, readTar);
        ::archive_read_set_skip_callback(reader, skipTar);
        ::archive_read_set_callback_data(reader, &m_callbacks);
        check(::archive_read_open1(reader));
        ::archive_entry* entry = nullptr;
        int64_t end = 0;
        for (;;) {
            const int result = ::archive_read_next_header(reader, &entry);
            const int64_t at = ::archive_filter_bytes(reader, 0);
            if (result == ARCHIVE_EOF) {
                // Zeros mark the end: without them it was cut off between two entries.
                if (at < end + tarBlock)
                    m_builder.refuse("it ends before its last entry", "it was cut off; copy or download it again");
                break;
            }
            check(result);
            const int64_t bytes = ::archive_entry_size(entry);
            if (bytes < 0 || (m_size >= 0 && bytes > m_size - at))
                m_builder.refuse("its entry `" + printable(nameOf(entry)) + "` reaches beyond its end",
                                 "it was cut off; copy or download it again");
            end = at + (bytes + tarBlock - 1) / tarBlock * tarBlock;
            add(entry, at, bytes);
        }
        while (m_size < 0 && !m_callbacks.input.next().empty()) {
            // A gzip file's checksum is at its end.
        }
        return m_builder.finish();
    }

private:
    void check(int result)
    {
        if (m_callbacks.failure)
            std::rethrow_exception(m_callbacks.failure);
        if (result == ARCHIVE_OK || result == ARCHIVE_WARN)
            return;
        const char* const problem = ::archive_error_string(m_reader.get());
        m_builder.refuse("it cannot be read as a tar archive ("
                         + printable(problem != nullptr ? problem : "its headers are damaged") + ")");
    }

    std::string nameOf(::archive_entry* entry) const
    {
        const char* const name = ::archive_entry_pathname(entry);
        if (name == nullptr)
            m_builder.refuse("it has a name that is not UTF-8", "pack the folder again");
        return name;
    }

    void add(::archive_entry* entry, int64_t at, int64_t bytes)
    {
        const std::string name = m_builder.cleaned(nameOf(entry));
        const char* const target = ::archive_entry_hardlink(entry);
        const auto type = ::archive_entry_filetype(entry);
        if (type == AE_IFDIR || name.empty())
            return;
        if (target != nullptr)
            return m_builder.addLink(name, m_builder.cleaned(target));
        if (type != AE_IFREG)
            return m_builder.leaveOut("not_a_file", name);
        if (::archive_entry_sparse_count(entry) > 0)
            m_builder.refuse("its entry `" + printable(name) + "` is stored with holes",
                             "pack it again without --sparse");
        m_builder.add(name, bytes, {.offset = at});
        if (!ListingBuilder::isLabel(name, bytes))
            return;
        std::string text(size_t(bytes), '\0');
        if (::archive_read_data(m_reader.get(), text.data(), text.size()) != bytes) {
            check(ARCHIVE_OK);
            m_builder.refuse("its entry `" + printable(name) + "` cannot be read");
        }
        m_builder.addLabel(name, text);
    }

    Utf8Names m_names;
    int64_t m_size;
    TarCallbacks m_callbacks;
    std::unique_ptr<::archive, int (*)(::archive*)> m_reader;
    ListingBuilder m_builder;
};

}

ArchiveListing listTar(TarInput& input, const std::string& name, int64_t size)
{
    return TarLister(input, name, size).list();
}

}
