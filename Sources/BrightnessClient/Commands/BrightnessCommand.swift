// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Support

struct BrightnessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: ClientProgram.name,
        abstract: "Reads and sets the brightness of displays that brightnessd serves.",
        usage: "brightness [<command>] [<options>]",
        discussion: """
            Without a command it shows the default display.

              brightness 40, brightness -5    percent; also max, 0.4 and raw:480
              brightness boost 10m            full brightness, for at most ten minutes
              brightness boost 80 10m         80 %
              brightness boost -- mpv film    full brightness while the command runs
              brightness dim 20 until 07:00   at most 20 %
              brightness sleep 10m            off for ten minutes; wake 10m keeps it on
              brightness off, on, toggle      until somebody changes it again
              brightness restore              ends your boost; restore dim ends your dim
              brightness name DP-1 "Left"     a name in your own words
              brightness curve DP-1 perceptual
                                              percent as eyes see it
              brightness order DP-2 DP-1      their order on the dashboard
              brightness light                the light in the room
              brightness schedules            what the daemon does by the clock
              brightness location 52.5,13.4   its location, for sunrise and sunset
              brightness presets              values for several displays
              brightness configuration export what people have set, as a file
              brightness watch                every change, as it happens
              brightness dashboard            the address of the dashboard
              brightness provide tv --on CMD  adds a display made of commands
              brightness key-window open      lets Home Assistant connect

            A display, group:NAME or all stands at the end: brightness 40 DP-2, brightness off all. The common options \
            may also stand before the command: brightness -d DP-2 set 40.

            Exit status: 0 on success; 1 if the daemon rejects the request or the client fails; 3 if no daemon \
            answers; 64 for an invalid command line. With "-- COMMAND" it is that of the command; 125 if the client \
            fails, 126 if the command cannot be run, 127 if there is no such command.
            """,
        version: ReleaseVersion.text,
        subcommands: [
            StateCommand.command, ListCommand.command, SetCommand.command, BoostCommand.command, DimCommand.command,
            WakeCommand.command, SleepCommand.command, PowerCommand.command, RestoreCommand.command,
            AutoCommand.command, NameCommand.command, CurveCommand.command, OrderCommand.command, LightCommand.command,
            SchedulesCommand.self, PresetsCommand.self, ConfigurationCommand.self, WatchCommand.command,
            HistoryCommand.command, DashboardCommand.command, ProvideCommand.command, KeyWindowCommand.self,
            CompletionsCommand.self,
        ],
        defaultSubcommand: StateCommand.command
    )
}
