// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ESPHome

@Suite struct NoiseCipherTests {
    /// The bytes of the client library for some of 300 frames, by their number.
    private static let library = [
        0: "7eca235cc8c696fdf2ef812bbc750a0d408dbd0cf24464",
        255: "694391ab1561f102234a2aaf7cf9cc6a4d210689fdfd1a4a84",
        256: "9af3981490aa182ab95d905070a6118ec5b12b36d298f822a5",
        299: "0a529b7d81618a95ec0f37f3b5c75e295142094456367edf39",
    ]

    private static func digits(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func `300 frames have the bytes of the client library, and each is decrypted in its turn only`() {
        let key = [UInt8](0..<32)
        var (sending, receiving) = (NoiseCipher(key: key), NoiseCipher(key: key))
        var earlier: [UInt8] = []
        for number in 0..<300 {
            let text = Array("frame \(number)".utf8)
            let frame = sending.encrypt(text)
            if let expected = Self.library[number] { #expect(Self.digits(frame) == expected) }
            #expect(receiving.decrypt(earlier) == nil)
            #expect(receiving.decrypt(frame) == text)
            earlier = frame
        }
    }
}
