// SPDX-License-Identifier: Apache-2.0
import BrightnessClient
import Testing

@Suite struct ArgumentsTests {
    @Test(
        arguments: [
            ("", ""),
            ("set 40%", "set 40%"),
            ("set -5%", "set 5%-"),
            ("set -0.05 --json", "set 0.05- --json"),
            ("set -5", "set 5-"),
            ("set -200%", "set 200%-"),
            ("set -.5", "set .5-"),
            ("set -x", "set -x"),
            ("-d DP-2 set -5%", "set -d DP-2 5%-"),
            ("--json --display DP-2 list", "list --json --display DP-2"),
            ("--display=DP-2 watch", "watch --display=DP-2"),
            ("--json", "--json"),
            ("--display", "--display"),
            ("--unix /run/socket --help", "--unix /run/socket --help"),
            ("--version", "--version"),
            ("-d DP-2 schedules set night", "schedules set -d DP-2 night"),
            ("--json schedules", "schedules --json"),
            ("--json boost -- printf -5%", "boost --json -- printf -5%"),
            ("s -d DP-2 -5%", "s -d DP-2 5%-"),
            ("set --json -5%", "set --json 5%-"),
            ("set --reason -10% -5%", "set --reason -10% 5%-"),
            ("set --reason=-10% -5% --transition -3", "set --reason=-10% 5%- --transition -3"),
            ("boost --holder -1kiosk --reason -10%", "boost --holder -1kiosk --reason -10%"),
            ("schedules set -5%", "schedules set -5%"),
        ]
    )
    func `common options follow the command, and a minus the level of set`(words: String, normalized: String) {
        #expect(Arguments(words.split(separator: " ").map(String.init)).normalized.joined(separator: " ") == normalized)
    }

    @Test(
        arguments: [
            ("frob", "unknown command \"frob\". The commands are set, boost and watch."),
            ("bost --ttl 60", "unknown command \"bost\". Did you mean boost? The commands are set, boost and watch."),
            ("-d DP-2 wach", "unknown command \"wach\". Did you mean watch? The commands are set, boost and watch."),
            ("40%", "unknown command \"40%\". The commands are set, boost and watch."),
            ("boost", nil), ("help set", nil), ("--json", nil), ("-d DP-2", nil), ("", nil), ("--frob", nil),
        ]
    )
    func `a word that is not a command gets advice`(words: String, advice: String?) {
        let arguments = Arguments(words.split(separator: " ").map(String.init))
        #expect(arguments.advice(among: ["set", "boost", "watch"]) == advice)
    }

    @Test(arguments: [("boost -- true", true), ("boost --", false), ("boost", false), ("boost --ttl x -- true", true)])
    func `a word after the terminator is a command`(words: String, runsCommand: Bool) {
        #expect(Arguments(words.split(separator: " ").map(String.init)).runsCommand == runsCommand)
    }
}
