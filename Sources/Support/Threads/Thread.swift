// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// Starts a thread that owns what it runs.
package enum Thread {
    private final class Body {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// - Parameter name: At most 15 bytes; shown by `ps -L` and `perf`.
    package static func start(named name: String, _ run: @escaping @Sendable () -> Void) throws(ThreadError) {
        let body = Unmanaged.passRetained(Body(name: name, run: run))
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                _ = clinux_name_thread(body.name)
                body.run()
                return nil
            },
            body.toOpaque()
        )
        guard code == 0 else {
            body.release()
            throw ThreadError(call: "pthread_create", code: code)
        }
        pthread_detach(thread)
    }
}

/// The system could not create a thread or a descriptor.
package struct ThreadError: Error {
    /// The call that failed, and its error number.
    package let call: String
    package let code: Int32
}
