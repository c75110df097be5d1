// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Devices

@Suite struct LightDeviceURLTests {
    @Test(
        arguments: [
            ("http://light.local", "http://light.local/events", nil),
            ("http://light.local/", "http://light.local/events", nil),
            ("HTTPS://Light.Local:8443/events", "https://light.local:8443/events", nil),
            ("http://192.168.1.20#desk", "http://192.168.1.20/events", "desk"),
            ("http://[fd00::1]:80/sensor/ambient_light", "http://[fd00::1]:80/sensor/ambient_light", nil),
            ("http://a/x?y=z#Ambient%20Light", "http://a/x?y=z", "Ambient Light"),
            ("http://a#B%C3%BCro%2F1", "http://a/events", "Büro/1"), ("http://a#", "http://a/events", nil),
            ("http://a?y=z", "http://a/?y=z", nil),
        ] as [(String, String, String?)]
    )
    func `a URL has the path of events unless it names one`(text: String, request: String, sensor: String?) throws {
        let url = try #require(LightDeviceURL(text))
        #expect((url.request, url.sensor) == (request, sensor))
        #expect(LightDeviceURL(url.description) == url)
    }

    @Test(arguments: [
        "", "light.local", "ftp://light.local", "file:///etc/passwd", "http://", "http:///events", "http://user@light",
        "http://user:secret@light.local/", "http://a b", "http://a\r\nHost: b", "http://[::1", "http://a:0",
        "http://a:x",
        "http://a:65536", "http://ä.local", "http://a/\"", "http://[]", "http://a#100%", "http://a#%FF",
        "http://" + String(repeating: "a", count: 1_024),
    ])
    func `anything else is rejected, passwords included`(text: String) {
        #expect(LightDeviceURL(text) == nil)
    }
}
