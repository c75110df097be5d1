// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import Testing

@testable import Devices

@Suite struct DeviceErrorTests {
    @Test(arguments: [
        (ENOENT, DeviceError.absent(path: "/f")),
        (ENODEV, .absent(path: "/f")),
        (ENXIO, .absent(path: "/f")),
        (EACCES, .permission(path: "/f")),
        (EPERM, .permission(path: "/f")),
        (EROFS, .permission(path: "/f")),
        (EIO, .io(path: "/f", errno: EIO)),
        (EINVAL, .io(path: "/f", errno: EINVAL)),
        (ETIMEDOUT, .io(path: "/f", errno: ETIMEDOUT)),
        (ENOTDIR, .io(path: "/f", errno: ENOTDIR)),
    ])
    func `an error number is mapped to a device error`(number: Int32, error: DeviceError) {
        #expect(DeviceError(errno: number, path: "/f") == error)
    }

    @Test(arguments: [
        (DeviceError.absent(path: "/f"), "/f does not exist"),
        (.permission(path: "/f"), "/f: permission denied (brightnessd probe shows the fix)"),
        (.malformed(path: "/f", text: "abc"), #"/f: invalid value "abc""#),
        (.unplugged(path: "/f"), "nothing is plugged in at /f"),
        (.unswitched(path: "/f", .busy), "/f: another program holds the CEC adapter"),
        (.io(path: "/f", errno: EIO), "/f: Input/output error (errno 5)"),
    ])
    func `the message of an error names the file and the reason`(error: DeviceError, text: String) {
        #expect(error.logText == text)
    }

    @Test func `a call interrupted by a signal is repeated`() {
        var results: [(Int, Int32)] = [(-1, EINTR), (-1, EINTR), (3, 0)]
        let result = uninterrupted {
            let (result, number) = results.removeFirst()
            errno = number
            return result
        }
        guard case .done(3) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(results.isEmpty)
    }

    @Test func `a failed call is made once, and its error number is kept`() {
        var calls = 0
        let result = uninterrupted {
            calls += 1
            errno = EIO
            return -1
        }
        guard case .failed(EIO) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(calls == 1)
    }
}
