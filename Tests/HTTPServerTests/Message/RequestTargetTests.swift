// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct RequestTargetTests {
    @Test(
        arguments: [
            ("/livez", "/livez", nil),
            ("/", "/", nil),
            ("*", "*", nil),
            ("//evil.example/livez", "//evil.example/livez", nil),
            ("http://localhost:80/livez", "/livez", "localhost:80"),
            ("HTTP://LocalHost/livez", "/livez", "LocalHost"),
            ("http://localhost", "/", "localhost"),
            ("http://localhost/", "/", "localhost"),
            ("http:///livez", "/livez", ""),
            ("http://", "/", ""),
            ("http://a@localhost/b@c", "/b@c", "a@localhost"),
            ("http:/livez", "http:/livez", nil),
            ("https://localhost/livez", "https://localhost/livez", nil),
            ("localhost:80", "localhost:80", nil),
            ("", "", nil),
        ] as [(String, String, String?)]
    )
    func `a target is a path, an absolute URL or an asterisk`(text: String, path: String, authority: String?) {
        text.withCString { text in
            let target = RequestTarget(text)
            #expect(target.path.string == path)
            #expect(target.authority == authority)
        }
    }
}
