#include "app/attnscope/single_window.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QFileInfo>
#include <QLocalServer>
#include <QLocalSocket>
#include <QTimer>

#include <unistd.h>

namespace attnscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int replyTime = 2'000;               // milliseconds
constexpr qsizetype longestMessage = 1 << 20;  // bytes
constexpr QDataStream::Version streamFormat = QDataStream::Qt_6_0;
constexpr const char* greetingText = "attnscope 1";
constexpr const char* activationVariable =
    "XDG_ACTIVATION_TOKEN";  // lets the window come to the front under Wayland

QString socketName(const QString& settingsPath)
{
    const QByteArray path = QFileInfo(settingsPath).absoluteFilePath().toUtf8();
    return u"attnscope-%1-%2"_s.arg(::getuid())
        .arg(QString::fromLatin1(QCryptographicHash::hash(path, QCryptographicHash::Sha256).toHex().left(16)));
}

}

bool SingleWindow::handOver(const QString& settingsPath, const QStringList& files)
{
    QStringList absolute;
    for (const QString& file : files)
        absolute << QFileInfo(file).absoluteFilePath();
    QLocalSocket socket;
    socket.connectToServer(socketName(settingsPath));
    if (!socket.waitForConnected(replyTime))
        return false;
    QByteArray message;
    QDataStream parts(&message, QIODevice::WriteOnly);
    parts.setVersion(streamFormat);
    parts << QByteArray(greetingText) << qgetenv(activationVariable) << absolute;
    QDataStream out(&socket);
    out.setVersion(streamFormat);
    out << message;
    // A window that hangs does not reply; this program then opens one of its own.
    return socket.waitForBytesWritten(replyTime) && socket.waitForReadyRead(replyTime);
}

SingleWindow::SingleWindow(const QString& settingsPath, QObject* parent)
    : QObject(parent)
    , m_server(new QLocalServer(this))
{
    const QString name = socketName(settingsPath);
    m_server->setSocketOptions(QLocalServer::UserAccessOption);
    if (!m_server->listen(name)) {
        QLocalServer::removeServer(name);  // of a program that was killed
        m_server->listen(name);
    }
    connect(m_server, &QLocalServer::newConnection, this, &SingleWindow::receive);
}

SingleWindow::~SingleWindow() = default;

void SingleWindow::receive()
{
    while (QLocalSocket* socket = m_server->nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        QTimer::singleShot(replyTime, socket, &QLocalSocket::abort);
        const auto read = [this, socket] {
            if (socket->bytesAvailable() > longestMessage)
                return socket->abort();
            QDataStream in(socket);
            in.setVersion(streamFormat);
            in.startTransaction();
            QByteArray message;
            in >> message;
            if (!in.commitTransaction())
                return;
            QDataStream parts(message);
            parts.setVersion(streamFormat);
            QByteArray greeting, token;
            QStringList files;
            parts >> greeting >> token >> files;
            if (parts.status() != QDataStream::Ok || greeting != greetingText)
                return socket->abort();
            socket->write("taken");
            socket->flush();
            if (!token.isEmpty())
                qputenv(activationVariable, token);
            emit filesHandedOver(files);
        };
        connect(socket, &QLocalSocket::readyRead, this, read);
        read();
    }
}

}
