#pragma once

#include <QDir>
#include <QFile>
#include <QString>

namespace attnscope::ui::test {

using namespace Qt::StringLiterals;

/// What a program holds that ends with whoever asked for it: threads, open files, child processes.
struct Held {
    int threads = 0, files = 0, processes = 0;

    static Held now()
    {
        const QDir tasks(u"/proc/self/task"_s);
        Held held;
        for (const QString& task : tasks.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            ++held.threads;
            QFile children(tasks.filePath(task + u"/children"_s));
            if (children.open(QIODevice::ReadOnly))
                held.processes += int(children.readAll().split(' ').size()) - 1;
        }
        held.files = int(
            QDir(u"/proc/self/fd"_s).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot).size());
        return held;
    }
    bool isWithin(const Held& before) const
    {
        return threads <= before.threads && files <= before.files && processes <= before.processes;
    }
    QString text() const { return u"%1 threads, %2 files, %3 processes"_s.arg(threads).arg(files).arg(processes); }
};

}
