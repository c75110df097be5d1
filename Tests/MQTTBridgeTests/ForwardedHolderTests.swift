// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@testable import MQTTBridge

@Suite struct ForwardedHolderTests {
    @Test(
        arguments: [
            ("page", Principal("kiosk-3"), "kiosk-3/page"), (nil, .anonymous, "anonymous/"),
            ("otto/page", .user(1_000), "uid:1000/otto/page"),
        ] as [(String?, Principal, String)]
    )
    func `a forwarded holder is read as the same holder of the same principal`(
        name: String?,
        principal: Principal,
        text: String
    ) {
        #expect(ForwardedHolder(name, of: principal).text == text)
        let back = ForwardedHolder(mirrored: text, of: "mqtt", at: "hall")
        #expect(back.name == name)
        #expect(back.principal == principal)
    }

    /// A node's own token `kiosk-3` is a different principal than the gateway's.
    @Test(
        arguments: [
            ("page", "kiosk-3", "hall/kiosk-3"), ("kiosk-3/page", "kiosk-3", "hall/kiosk-3"),
            ("page", "mqtt", "hall/mqtt"), (nil, "anonymous", "hall/anonymous"), ("/page", "mqtt", "hall/mqtt"),
        ] as [(String?, String, String)]
    )
    func `other leases belong to principals of the other daemon`(holder: String?, principal: String, own: String) {
        let mirrored = ForwardedHolder(mirrored: holder, of: principal, at: "hall")
        #expect(mirrored.name == holder)
        #expect(mirrored.principal.text == own)
    }
}
