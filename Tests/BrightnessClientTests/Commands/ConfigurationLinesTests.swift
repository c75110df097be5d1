// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessClient

@Suite struct ConfigurationLinesTests {
    @Test(arguments: [
        ("{}", "{}"), (#"{"version":1}"#, "{\n  \"version\":1\n}"),
        (
            #"{"presets":[{"name":"a, [b]","displays":{"all":{"on":true}}},{"name":"\\\"}"}],"displays":[],"#
                + #""location":{"x":1}}"#,
            #"""
            {
              "presets":[
                {"name":"a, [b]","displays":{"all":{"on":true}}},
                {"name":"\\\"}"}
              ],
              "displays":[],
              "location":{
                "x":1
              }
            }
            """#
        ),
        (
            #"{"presets":[{"name":"\#u{301}a"},{"name":"]]]]"}]}"#,
            #"""
            {
              "presets":[
                {"name":"\#u{301}a"},
                {"name":"]]]]"}
              ]
            }
            """#
        ),
    ])
    func `a configuration has a line for each member and record`(json: String, lines: String) {
        #expect(ExportCommand.lines(of: json) == lines)
    }
}
