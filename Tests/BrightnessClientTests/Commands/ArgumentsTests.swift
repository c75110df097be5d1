// SPDX-License-Identifier: Apache-2.0
import BrightnessClient
import Testing

@Suite struct ArgumentsTests {
    private static func normalized(_ words: String) throws(ClientError) -> String {
        try Arguments(words.split(separator: " ").map(String.init)).normalized().joined(separator: " ")
    }

    @Test(
        arguments: [
            ("", ""),
            ("set 40%", "set 40%"),
            ("set -5%", "set 5%-"),
            ("set -0.05 --json", "set --json 0.05-"),
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
            ("s -d DP-2 -5%", "set -d DP-2 5%-"),
            ("set --json -5%", "set --json 5%-"),
            ("set --reason -10% -5%", "set --reason -10% 5%-"),
            ("set --reason=-10% -5% --transition -3", "set --reason=-10% --transition -3 5%-"),
            ("boost --holder -1kiosk --reason -10%", "boost --holder -1kiosk --reason -10%"),
            ("schedules set -5%", "schedules set 5%-"),
            ("help set", "help set"),
            ("-- -10%", "set 10%-"), ("set -- -10%", "set 10%-"), ("name hall -- -x", "name -d hall -- -x"),
        ]
    )
    func `common options follow the command, and a minus the level of set`(words: String, normalized: String) throws {
        #expect(try Self.normalized(words) == normalized)
    }

    @Test(
        arguments: [
            ("50%", "set 50%"), ("+10%", "set +10%"), ("-10%", "set 10%-"), ("0.4", "set 0.4"), ("50", "set 50"),
            ("max", "set max"), ("up", "set 10%+"), ("up 5%", "set 5%+"), ("down", "set 10%-"),
            ("-d hall 50%", "set -d hall 50%"), ("set 50 %", "set 50%"), ("set to 50%", "set 50%"),
            ("set 50% all", "set 50% -d all"), ("set hall 50%", "set -d hall 50%"), ("set 50% --all", "set -d all 50%"),
            ("--all set 50%", "set -d all 50%"), ("set 50% hall", "set 50% -d hall"), ("set hall", "set hall"),
            ("50 hall", "set 50 -d hall"), ("all 50%", "set -d all 50%"),
            ("group:lobby off", "power -d group:lobby off"),
            ("all", "-d all"), ("list hall", "list -d hall"),
            ("off", "power off"), ("on", "power on"), ("toggle", "power toggle"), ("off hall", "power off -d hall"),
            ("power hall off", "power -d hall off"), ("power onn", "power onn"), ("power all", "power -d all"),
            ("boost 10m", "boost --ttl 10m"), ("boost 80% 10m", "boost --brightness 80% --ttl 10m"),
            ("boost 80% for 1h30m", "boost --brightness 80% --ttl 1h30m"), ("boost --for 10m", "boost --for 10m"),
            ("dim 20% until 07:00", "dim --brightness 20% --until 07:00"), ("dim to 20%", "dim --brightness 20%"),
            ("dim --until 7am", "dim --until 7am"), ("sleep 10m", "sleep --ttl 10m"),
            ("sleep until 7:00", "sleep --until 7:00"),
            ("boost hall", "boost -d hall"), ("boost 80 10m hall", "boost --brightness 80 --ttl 10m -d hall"),
            ("sleep 10m group:lobby", "sleep --ttl 10m -d group:lobby"),
            ("boost all", "boost -d all"), ("boost 80% -- mpv film", "boost --brightness 80% -- mpv film"),
            ("boost off", "restore"), ("sleep off", "restore --kind sleep"), ("unboost", "restore"),
            ("undim", "restore --kind dim"), ("restore wake", "restore --kind wake"),
            ("restore hall", "restore -d hall"),
            ("restore --all", "restore --all"), ("history 2h", "history --since 2h"),
            ("history hall", "history -d hall"),
            ("get hall", "get -d hall"), ("auto on hall", "auto on -d hall"), ("status", "state"), ("displays", "list"),
            ("lux", "light"), ("version", "--version"),
            ("name hall Left", "name -d hall Left"), ("name -d hall Left", "name -d hall Left"), ("name", "name"),
            ("-d hall name Left", "name -d hall Left"), ("--display=hall rename Left", "name --display=hall Left"),
            ("curve hall perceptual", "curve -d hall perceptual"),
            ("curve hall 0:3,100:80", "curve -d hall 0:3,100:80"),
            ("curve perceptual hall", "curve -d hall perceptual"),
            ("curve perceptual", "curve perceptual"), ("location 52.5 13.4", "schedules location 52.5 13.4"),
            ("presets save day hall", "presets save day -d hall"),
            ("schedules set night --from 22:00 hall", "schedules set --from 22:00 night -d hall"),
            ("name hall", "name -d hall"), ("name hall --reset", "name --reset -d hall"),
            ("schedules add night --from 22:00", "schedules set --from 22:00 night"),
            ("schedule", "schedules"), ("schedules delete night", "schedules remove night"),
            ("schedules disable night", "schedules pause night"), ("schedules on night", "schedules resume night"),
        ]
    )
    func `a short form is written out`(words: String, normalized: String) throws {
        #expect(try Self.normalized(words) == normalized)
    }

    @Test(
        arguments: [
            ("boost 80 90", "Name one brightness."), ("boost 10m 20m", "Name one time."),
            ("sleep 10", #""10" has no unit: write 10s, 10m or 10h."#),
            ("dim until sunset", "A schedule may end at sunset, a dim may not: brightness help schedules."),
            ("wake 80%", "A wake has no brightness: leave 80% out, or boost or dim the display to it."),
            ("sleep 7:00", #""7:00" is a time of the day: write until 07:00."#),
            (
                "boost sleep 1",
                #""sleep" is neither a brightness nor a time. To run a command during the boost: "#
                    + "brightness boost -- sleep 1."
            ),
            ("boost --duration 10m", "There is no option --duration. Did you mean --for 10m?"),
            ("set --percent 80", "There is no option --percent. Did you mean brightness set 80%?"),
            ("-l", "There is no option -l. Did you mean brightness list?"),
            ("set 40 -q", "There is no option -q. Did you mean >/dev/null?"),
            ("list --host kiosk", "There is no option --host. Did you mean --server URL?"),
            ("off hall desk", "Name one display, group:NAME or all."),
            ("set 50% hall desk", "Name one display, group:NAME or all."),
            ("-d hall -d desk set 60%", "Name one display, group:NAME or all."),
            ("--display=hall off desk", "Name one display, group:NAME or all."),
            ("history 1m hall desk", "Name one display, group:NAME or all."),
            ("restore dim sleep", "Name one kind of lease."),
            ("off hall 5m", "power has no time. To switch for a time: brightness sleep 10m, or wake until 07:00."),
            ("off until 7:00", "power has no time. To switch for a time: brightness sleep 10m, or wake until 07:00."),
        ]
    )
    func `a form without a meaning is answered with the right one`(words: String, sentence: String) {
        #expect(throws: ClientError.usage(sentence)) { try Self.normalized(words) }
    }

    @Test(
        arguments: [
            ("bost --ttl 60", "bost", "Did you mean boost?"), ("-d DP-2 wach", "wach", "Did you mean watch?"),
            ("sett 70%", "sett", "Did you mean set?"), ("dimm 20%", "dimm", "Did you mean dim?"),
            ("togle", "togle", "Did you mean toggle?"), ("probe", "probe", "That is brightnessd probe."),
            ("link kiosk", "link", "That is brightnessd link."),
            ("identify", "identify", "brightness -d ID boost 10s shows which display it is."),
            ("hall 50%", "hall", "For a display of this name: brightness -d hall 50%."),
            ("right -10", "right", "For a display of this name: brightness -d right -10."),
            ("right boost 10m", "right", "For a display of this name: brightness -d right boost 10m."),
            ("lihgt hall", "lihgt", "Did you mean light?"), ("shedules list", "shedules", "Did you mean schedules?"),
            (
                "follow DP-1", "follow",
                "That is an option of the daemon: brightnessd --follow DP-1=intel_backlight."
            ),
            (
                "film", "film",
                "For a display of this name: brightness -d film. For a preset: brightness presets apply film. "
                    + "brightness --help lists the commands."
            ),
            ("presets aply film", "presets aply", "Did you mean brightness presets apply film?"),
            ("preset film", "presets film", "To apply a preset of this name: brightness presets apply film."),
            ("schedules pasue night", "schedules pasue", "Did you mean brightness schedules pause night?"),
            ("key-window 5m", "key-window 5m", "The commands are close, open and show."),
        ]
    )
    func `a word that is not a command gets the nearest one, else where to look`(
        words: String,
        unknown: String,
        meant: String
    ) {
        #expect(throws: ClientError.usage("There is no command \"\(unknown)\". \(meant)")) {
            try Self.normalized(words)
        }
    }

    @Test(arguments: [
        ("bost -- true", true), ("--json boost -- true", true), ("set -- true", false), ("-- -10%", false),
        ("boost -- true", true), ("boost --", false), ("boost", false), ("boost --ttl x -- true", true),
    ])
    func `a word after the terminator of a lease is a command`(words: String, runsCommand: Bool) {
        #expect(Arguments(words.split(separator: " ").map(String.init)).runsCommand == runsCommand)
    }
}
