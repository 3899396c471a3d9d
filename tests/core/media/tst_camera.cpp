// The camera, over a device that this test is: buffers, formats and failures as Video4Linux has them.
#include "core/base/error.h"
#include "core/media/camera/camera.h"
#include "core/media/camera/camera_device.h"
#include "tests/support/test_class.h"

#include <QElapsedTimer>

#include <linux/videodev2.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <functional>
#include <set>
#include <thread>

using namespace attnscope;

namespace {

constexpr uint32_t width = 66, height = 48;

/// What the test sees and sets while the Camera owns the device.
struct Driver {
    uint32_t format = V4L2_PIX_FMT_YUYV;
    uint32_t padding = 0;  ///< bytes behind each row
    uint32_t capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
    int failStreamOn = 0, failDequeue = 0;
    size_t cutBy = 0;              ///< bytes that an image is too short
    std::vector<uint8_t> encoded;  ///< an image for all, where set
    std::vector<std::vector<uint8_t>> memory;
    std::deque<uint32_t> queued, filled;
    std::set<uint32_t> broken;  ///< buffers marked as damaged
    int mapped = 0;
    bool streaming = false;
    uint8_t next = 0;  ///< brightness of the next image
    double time = 100;

    uint32_t row() const { return (format == V4L2_PIX_FMT_RGB24 ? 3 : 2) * width + padding; }

    /// The camera takes images; as many as there is room for.
    void expose(int count)
    {
        for (; count > 0; --count) {
            next = uint8_t(next + 20);
            time += 0.04;
            if (queued.empty())
                continue;
            const uint32_t index = queued.front();
            queued.pop_front();
            std::vector<uint8_t>& image = memory[index];
            if (!encoded.empty())
                std::copy(encoded.begin(), encoded.end(), image.begin());
            else
                for (size_t i = 0; i < image.size(); ++i)
                    image[i] = format == V4L2_PIX_FMT_YUYV && i % row() < 2 * width && i % row() % 2 == 1 ? 128
                                                                                                          : next;
            filled.push_back(index);
        }
    }
};

class FakeDevice : public CameraDevice {
public:
    explicit FakeDevice(Driver& driver)
        : m_driver(driver)
    {}

    std::string path() const override { return "/dev/video7"; }

    int control(unsigned long request, void* argument) override
    {
        switch (request) {
        case VIDIOC_QUERYCAP:
            return capability(*static_cast<v4l2_capability*>(argument));
        case VIDIOC_ENUM_FMT:
            return enumerate(*static_cast<v4l2_fmtdesc*>(argument));
        case VIDIOC_S_FMT:
            return setFormat(static_cast<v4l2_format*>(argument)->fmt.pix);
        case VIDIOC_S_PARM:
            static_cast<v4l2_streamparm*>(argument)->parm.capture.timeperframe = {1, 25};
            return 0;
        case VIDIOC_REQBUFS:
            return request4(*static_cast<v4l2_requestbuffers*>(argument));
        case VIDIOC_QUERYBUF:
            return query(*static_cast<v4l2_buffer*>(argument));
        case VIDIOC_QBUF:
            m_driver.queued.push_back(static_cast<v4l2_buffer*>(argument)->index);
            return 0;
        case VIDIOC_DQBUF:
            return dequeue(*static_cast<v4l2_buffer*>(argument));
        case VIDIOC_STREAMON:
            m_driver.streaming = m_driver.failStreamOn == 0;
            return m_driver.failStreamOn;
        case VIDIOC_STREAMOFF:
            m_driver.streaming = false;
            return 0;
        }
        return ENOTTY;
    }

    uint8_t* map(size_t, int64_t offset) override
    {
        ++m_driver.mapped;
        return m_driver.memory[size_t(offset)].data();
    }
    void unmap(uint8_t*, size_t) override { --m_driver.mapped; }
    bool wait(std::chrono::milliseconds) override
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return !m_driver.filled.empty();
    }

private:
    int capability(v4l2_capability& capability) const
    {
        std::memcpy(capability.card, "Test Camera", 12);
        capability.capabilities = V4L2_CAP_DEVICE_CAPS;
        capability.device_caps = m_driver.capabilities;
        return 0;
    }
    int enumerate(v4l2_fmtdesc& description) const
    {
        description.pixelformat = description.index == 0 ? V4L2_PIX_FMT_SRGGB8 : m_driver.format;
        return description.index < 2 ? 0 : EINVAL;
    }
    int setFormat(v4l2_pix_format& format) const
    {
        format.width = width;
        format.height = height;
        format.bytesperline = m_driver.encoded.empty() ? m_driver.row() : 0;
        return 0;
    }
    int request4(v4l2_requestbuffers& request)
    {
        request.count = 3;
        m_driver.memory.assign(
            3, std::vector<uint8_t>(std::max<size_t>(m_driver.row() * height, m_driver.encoded.size())));
        return 0;
    }
    int query(v4l2_buffer& buffer) const
    {
        buffer.length = uint32_t(m_driver.memory[buffer.index].size());
        buffer.m.offset = buffer.index;
        return 0;
    }
    int dequeue(v4l2_buffer& buffer)
    {
        if (m_driver.failDequeue != 0)
            return m_driver.failDequeue;
        if (m_driver.filled.empty())
            return EAGAIN;
        buffer.index = m_driver.filled.front();
        m_driver.filled.pop_front();
        buffer.bytesused = uint32_t(
            (m_driver.encoded.empty() ? m_driver.memory[0].size() : m_driver.encoded.size()) - m_driver.cutBy);
        buffer.flags = m_driver.broken.count(buffer.index) > 0 ? V4L2_BUF_FLAG_ERROR : 0;
        buffer.timestamp = {time_t(m_driver.time),
                            suseconds_t((m_driver.time - double(time_t(m_driver.time))) * 1e6)};
        return 0;
    }

    Driver& m_driver;
};

Camera open(Driver& driver, double stallSeconds = 0.1, std::stop_token stop = {})
{
    CameraOptions options;
    options.stallSeconds = stallSeconds;
    return Camera(std::make_unique<FakeDevice>(driver), options, stop);
}

QString failure(const std::function<void()>& action)
{
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// The grey of the current frame, after checking that it is one.
int greyOf(Camera& camera)
{
    Clip clip;
    camera.appendTo(clip);
    for (const uint8_t value : clip.pixels)
        if (std::abs(value - clip.pixels[0]) > 2)
            return -1;
    return clip.pixels[0];
}

}

class TestCamera : public QObject {
    Q_OBJECT

private slots:
    void pictureArrivesInItsColours_data()
    {
        columns<uint, uint, int>("format", "padding", "grey");
        // 16 + 20 of limited range is (20 + 20 - 16) · 255 / 219.
        row("YUYV", uint(V4L2_PIX_FMT_YUYV), 0U, 28);
        row("YUYV with padding", uint(V4L2_PIX_FMT_YUYV), 60U, 28);
        row("RGB", uint(V4L2_PIX_FMT_RGB24), 0U, 40);
        row("RGB with padding", uint(V4L2_PIX_FMT_RGB24), 10U, 40);
    }

    void pictureArrivesInItsColours()
    {
        QFETCH(uint, format);
        QFETCH(uint, padding);
        QFETCH(int, grey);
        Driver driver;
        driver.format = format;
        driver.padding = padding;
        driver.next = 20;
        Camera camera = open(driver);
        QCOMPARE(camera.info().name, "Test Camera");
        QVERIFY(camera.size() == (FrameSize{width, height}));
        driver.expose(1);
        QVERIFY(camera.advance());
        const int seen = greyOf(camera);
        QVERIFY2(std::abs(seen - grey) <= 2, qPrintable(QString::number(seen)));
    }

    void newestPictureIsTakenAndNoBufferIsLost()
    {
        Driver driver;
        driver.format = V4L2_PIX_FMT_RGB24;
        Camera camera = open(driver);
        for (int round = 0; round < 20; ++round) {
            driver.expose(1);
            driver.expose(1);
            QVERIFY(camera.advance());
            QCOMPARE(greyOf(camera), int(driver.next));
            QCOMPARE(driver.queued.size() + driver.filled.size(), size_t(2));  // the third is being looked at
        }
    }

    void damagedPicturesAreLeftOut()
    {
        Driver driver;
        driver.format = V4L2_PIX_FMT_RGB24;
        Camera camera = open(driver);
        driver.broken = {1};
        driver.expose(2);
        QVERIFY(camera.advance());
        QCOMPARE(greyOf(camera), 20);
        QCOMPARE(driver.queued.size(), size_t(2));
    }

    void timesAreTheDrivers()
    {
        Driver driver;
        Camera camera = open(driver);
        driver.expose(1);
        camera.advance();
        QCOMPARE(camera.seconds(), 0.0);
        driver.expose(3);
        camera.advance();
        QVERIFY(std::abs(camera.seconds() - 0.12) < 1e-3);
    }

    void shortPictureIsReplacedByTheOneBefore()
    {
        Driver driver;
        driver.format = V4L2_PIX_FMT_RGB24;
        Camera camera = open(driver);
        driver.cutBy = 1;
        driver.expose(1);
        camera.advance();
        QVERIFY(failure([&] { greyOf(camera); }).contains("its first image is damaged"));
        driver.cutBy = 0;
        driver.expose(1);
        camera.advance();
        QCOMPARE(greyOf(camera), 40);
    }

    void jpegIsDecoded()
    {
        QFile file(TEST_DATA_DIR "/preprocess/videos/mjpeg_15fps_45f_160x120.avi");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray video = file.readAll();
        const qsizetype start = video.indexOf("\xff\xd8\xff"), end = video.indexOf("\xff\xd9", start) + 2;
        Driver driver;
        driver.format = V4L2_PIX_FMT_MJPEG;
        driver.encoded.assign(video.begin() + start, video.begin() + end);
        Camera camera = open(driver);
        QCOMPARE(camera.format(), "66×48, MJPG, 25 frames per second");
        driver.expose(1);
        QVERIFY(camera.advance());
        Clip clip;
        camera.appendTo(clip);
        double mean = 0;
        for (size_t i = 0; i < clip.pixels.size(); i += 3)
            mean += clip.pixels[i];
        QVERIFY(std::abs(mean / (width * height) - 166.6) < 3);  // the golden video's first frame
    }

    void failureIsSaidInASentence()
    {
        Driver busy;
        busy.failStreamOn = EBUSY;
        QCOMPARE(failure([&] { open(busy); }),
                 "Test Camera: another program is using the camera; close it there.");
        Driver metadata;
        metadata.capabilities = V4L2_CAP_META_CAPTURE | V4L2_CAP_STREAMING;
        QVERIFY(failure([&] { open(metadata); }).contains("this is not a camera"));
        Driver unknown;
        unknown.format = V4L2_PIX_FMT_SBGGR8;
        QVERIFY(failure([&] { open(unknown); }).contains("an unsupported format"));
        Driver gone;
        Camera camera = open(gone);
        gone.failDequeue = ENODEV;
        QCOMPARE(failure([&] { camera.advance(); }),
                 "Test Camera: the camera was disconnected; connect it again.");
        Driver silent;
        Camera waiting = open(silent, 0.05);
        QVERIFY(failure([&] { waiting.advance(); }).contains("delivered no image"));
    }

    void cameraIsReleasedAlways()
    {
        Driver driver;
        {
            Camera camera = open(driver);
            QVERIFY(driver.streaming);
            QCOMPARE(driver.mapped, 3);
            const Camera moved = std::move(camera);
        }
        QVERIFY(!driver.streaming);
        QCOMPARE(driver.mapped, 0);
        driver.failStreamOn = EIO;
        failure([&] { open(driver); });
        QCOMPARE(driver.mapped, 0);
    }

    void stoppingEndsWaiting()
    {
        Driver driver;
        std::stop_source stop;
        Camera camera = open(driver, 60, stop.get_token());
        stop.request_stop();
        THROWS(Cancelled, camera.advance());
    }

    void machineWithoutCameraSaysSo()
    {
        if (!cameras().empty())
            QSKIP("this machine has a camera");
        QCOMPARE(failure([] { firstCamera(); }), "No camera found. Connect one, or open a video.");
    }

    void deviceThatIsNoneIsRefused()
    {
        QVERIFY(failure([] { Camera("/dev/null"); }).contains("this is not a camera"));
        QVERIFY(failure([] { Camera("/dev/video-none"); }).contains("cannot be opened"));
        QVERIFY(failure([] { Camera(TEST_DATA_DIR "/preprocess/videos.json"); }).contains("this is not a camera"));
    }
};

ATTNSCOPE_EVENT_TEST(TestCamera)
#include "tst_camera.moc"
