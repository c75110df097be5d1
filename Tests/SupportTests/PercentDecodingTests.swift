// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

@Suite struct PercentDecodingTests {
    @Test(
        arguments: [
            ("", ""), ("a/b", "a/b"), ("B%C3%BCro%20links", "Büro links"), ("B%c3%bcro", "Büro"), ("100%25", "100%"),
            ("%", nil), ("%2", nil), ("a%zz", nil), ("%+5", nil), ("%-0", nil), ("%FF", nil), ("%C3", nil),
        ] as [(String, String?)]
    )
    func `percent signs stand for bytes of UTF-8`(text: String, decoded: String?) {
        #expect(String(percentDecoding: text[...]) == decoded)
    }
}
