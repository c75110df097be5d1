// SPDX-License-Identifier: Apache-2.0

extension Language {
    /// German.
    static let germanTable: [String: String] = [
        """
          brightness key-window                shows whether there is a key, and whether the window is open
          brightness key-window open           for five minutes: add the ESPHome integration in this time
          brightness key-window open --for 1m
          brightness key-window close

        The daemon needs --esphome. While the window is open, any machine that reaches its port can make the key.
        """:
            """
          brightness key-window                zeigt, ob es einen Schlüssel gibt und ob das Fenster offen ist
          brightness key-window open           für fünf Minuten: füge in dieser Zeit die ESPHome-Integration hinzu
          brightness key-window open --for 1m
          brightness key-window close

        Der Daemon braucht --esphome. Solange das Fenster offen ist, kann jeder Rechner, der seinen Port \
        erreicht, den Schlüssel machen.
        """,
        """
          brightness presets set film left=30% right=off
          brightness presets save day             as the displays are now
          brightness presets apply film
          brightness presets apply film --for 1h  by leases; then everything is as before
          brightness presets remove film

        The displays of a preset are ids, patterns such as hall:*, group:NAME, tag:NAME or all. The most specific \
        one counts.
        """:
            """
          brightness presets set film left=30% right=off
          brightness presets save day             wie die Displays jetzt sind
          brightness presets apply film
          brightness presets apply film --for 1h  durch Leases; danach ist alles wie vorher
          brightness presets remove film

        Die Displays einer Voreinstellung sind IDs, Muster wie hall:*, group:NAME, tag:NAME oder all. Das \
        genaueste zählt.
        """,
        "  See '": "  '",
        " for detailed help.": " zeigt mehr.",
        " for more information.": " zeigt mehr.",
        " is invalid for ": " ist ungültig für ",
        " unexpected arguments: ": " Argumente zu viel: ",
        "\"{0}\" has no unit: write {1}% for a brightness, or {2}s, {3}m or {4}h.":
            "„{0}“ hat keine Einheit: Schreibe {1}% für eine Helligkeit, oder {2}s, {3}m oder {4}h.",
        "\"{0}\" has no unit: write {1}%, or raw:{2} for a step of the display.":
            "„{0}“ hat keine Einheit: Schreibe {1}%, oder raw:{2} für eine Stufe des Displays.",
        "\"{0}\" has no unit: write {1}s, {2}m or {3}h.": "„{0}“ hat keine Einheit: Schreibe {1}s, {2}m oder {3}h.",
        "\"{0}\" has no unit: write {1}{2}%.": "„{0}“ hat keine Einheit: Schreibe {1}{2}%.",
        "\"{0}\" has no value: write 30%, on or off after the \"=\".":
            "„{0}“ hat keinen Wert: Schreibe 30%, on oder off hinter das „=“.",
        "\"{0}\" is a time of the day: write until {1}.": "„{0}“ ist eine Uhrzeit: Schreibe until {1}.",
        """
        "{0}" is neither a brightness nor a time. To run a command during the {1}: brightness {2} -- {3}. For a \
        display: brightness -d {4} {5}.
        """:
            """
        „{0}“ ist weder eine Helligkeit noch eine Zeit. Um während eines {1} ein Programm auszuführen: \
        brightness {2} -- {3}. Für ein Display: brightness -d {4} {5}.
        """,
        "\"{0}\" is not a brightness for a {1}: write 80%, 0.8 or raw:480.":
            "„{0}“ ist keine Helligkeit für {1}: Schreibe 80%, 0.8 oder raw:480.",
        "\"{0}\" is not a brightness for {1}: write 40% or 0.4.":
            "„{0}“ ist keine Helligkeit für {1}: Schreibe 40% oder 0.4.",
        "\"{0}\" is not a brightness: write {1}.": "„{0}“ ist keine Helligkeit: Schreibe {1}.",
        """
        "{0}" is not a curve: write linear, perceptual, or 2 to {1} points such as 0:3,50:30,100:80, where the first \
        number rises from 0 to 100 and the second rises as well.
        """:
            """
        „{0}“ ist keine Kurve: Schreibe linear, perceptual oder 2 bis {1} Punkte wie 0:3,50:30,100:80. Die erste \
        Zahl steigt von 0 bis 100, die zweite steigt ebenfalls.
        """,
        "\"{0}\" is not a display with its value: write left=30%, right=off or all=40%,on.":
            "„{0}“ ist kein Display mit seinem Wert: Schreibe left=30%, right=off oder all=40%,on.",
        "\"{0}\" is not a list of days: write mon,tue, mon-fri, weekdays or weekend.":
            "„{0}“ ist keine Liste von Tagen: Schreibe mon,tue, mon-fri, weekdays oder weekend.",
        "\"{0}\" is not a name: it has 1 to 64 characters, and no \"/\".":
            "„{0}“ ist kein Name: Er hat 1 bis 64 Zeichen und kein „/“.",
        "\"{0}\" is not a place: write degrees north (at most 90) and east (at most 180), such as 52.52,13.40.":
            "„{0}“ ist kein Ort: Schreibe Grad nördlich (bis 90) und östlich (bis 180), etwa 52.52,13.40.",
        "\"{0}\" is not a server: give a URL such as {1}.": "„{0}“ ist kein Server: Gib eine URL wie {1} an.",
        "\"{0}\" is not a time for {1}: write 22:00, 10pm, sunset, or sunset-00:30 with at most 12 hours.":
            "„{0}“ ist keine Zeit für {1}: Schreibe 22:00, 10pm, sunset, oder sunset-00:30 mit höchstens 12 Stunden.",
        "\"{0}\" is not a time for {1}: write 90s, 30m, 1h30m or 2d.":
            "„{0}“ ist keine Zeit für {1}: Schreibe 90s, 30m, 1h30m oder 2d.",
        "\"{0}\" is not a time of the day for --until: write 07:00 or 7am.":
            "„{0}“ ist keine Uhrzeit für --until: Schreibe 07:00 oder 7am.",
        "\"{0}\" is too long for --since: the history goes back a year, 52w.":
            "„{0}“ ist zu lang für --since: Der Verlauf reicht ein Jahr zurück, 52w.",
        "\"{0}\" is too much: a brightness is at most 100%, or write raw:{1} for a step of the display.":
            "„{0}“ ist zu viel: Eine Helligkeit ist höchstens 100%. Schreibe raw:{1} für eine Stufe des Displays.",
        "\"{0}\" is too much: a brightness is at most 100%.": "„{0}“ ist zu viel: Eine Helligkeit ist höchstens 100%.",
        "(--token-file PATH or the variable BRIGHTNESS_TOKEN names a token.)":
            "(--token-file PFAD oder die Variable BRIGHTNESS_TOKEN nennt ein Token.)",
        "(default)": "(Standard)",
        "(default: ": "(Standard: ",
        "({0} of {1})": "({0} von {1})",
        "--from and --to are the same time: a schedule has a length.":
            "--from und --to sind dieselbe Zeit: Ein Zeitplan hat eine Dauer.",
        "--on and --off belong together: give both, or neither for a display that is always on.":
            "--on und --off gehören zusammen: Gib beide an, oder keines für ein Display, das immer an ist.",
        "--poll requires --get.": "--poll braucht --get.",
        "--server and --unix exclude each other: give one of them.":
            "--server und --unix schließen sich aus: Gib eines von beiden an.",
        "--set requires {percent} or {step}, which the brightness replaces.":
            "--set braucht {percent} oder {step}, das durch die Helligkeit ersetzt wird.",
        "--steps must be a whole number from 1 to {0}: the brightest step.":
            "--steps muss eine ganze Zahl von 1 bis {0} sein: die hellste Stufe.",
        "--steps requires --set, the command that sets the brightness.":
            "--steps braucht --set, den Befehl, der die Helligkeit setzt.",
        "--token-file PATH, or the variable BRIGHTNESS_TOKEN": "--token-file PFAD oder die Variable BRIGHTNESS_TOKEN",
        "--ttl (or --for) and --until exclude each other: give one of them.":
            "--ttl (oder --for) und --until schließen sich aus: Gib eines von beiden an.",
        "1 lease": "1 Lease",
        "40%, 0.4, +5%, -5%, 5%- or raw:480": "40%, 0.4, +5%, -5%, 5%- oder raw:480",
        ": unplugged, asleep, it rejects writes, or its machine is offline":
            ": ausgesteckt, im Standby, es lehnt Änderungen ab, oder sein Rechner ist nicht erreichbar",
        "<argument>": "<Argument>",
        "<command>": "<Befehl>",
        "<id>": "<ID>",
        "<options>": "<Optionen>",
        "<subcommand>": "<Befehl>",
        "A command to run and its arguments, after --.": "Ein Programm und seine Argumente, hinter --.",
        "A dim wins over every boost. It ends like a boost: see brightness help boost.":
            "Dimmen hat Vorrang vor jedem Boost. Es endet wie ein Boost: siehe brightness help boost.",
        "A display and its value: left=30%, right=off, all=40%,on.":
            "Ein Display und sein Wert: left=30%, right=off, all=40%,on.",
        """
        A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. [env: \
        BRIGHTNESS_TOKEN_FILE]
        """:
            """
        Datei mit dem Token, das heißt nur dem Geheimnis. Die Variable BRIGHTNESS_TOKEN enthält das Token \
        selbst. [Variable: BRIGHTNESS_TOKEN_FILE]
        """,
        "a preset": "eine Voreinstellung",
        "A preset has 1 to {0} displays, each once: brightness presets set {1} left=30% right=off.":
            "Eine Voreinstellung hat 1 bis {0} Displays, jedes einmal: brightness presets set {1} left=30% right=off.",
        "A preset has displays of its own: leave -d {0} out.":
            "Eine Voreinstellung hat eigene Displays: Lass -d {0} weg.",
        """
        A preset names at most {0} displays, and these are {1}: name some with --display, or write patterns: \
        brightness presets set {2} all=40%.
        """:
            """
        Eine Voreinstellung nennt höchstens {0} Displays, und dies sind {1}: Nenne einige mit --display, oder \
        schreibe Muster: brightness presets set {2} all=40%.
        """,
        "a schedule": "einen Zeitplan",
        "A schedule cannot be for a group: name a display of {0} with --display, or all.":
            "Ein Zeitplan kann nicht für eine Gruppe sein: Nenne mit --display ein Display von {0}, oder all.",
        "A schedule does one thing: give --dim 20%, --boost 80%, --brightness 40% or --sleep.":
            "Ein Zeitplan tut eine Sache: Gib --dim 20%, --boost 80%, --brightness 40% oder --sleep an.",
        """
        A sleep ends like a boost: see brightness help boost. With "-- COMMAND" it lasts at most a day. To switch a \
        display off until somebody switches it on, use brightness power off.
        """:
            """
        Es endet wie ein Boost: siehe brightness help boost. Mit „-- PROGRAMM“ gilt es höchstens einen Tag. \
        brightness power off schaltet ein Display aus, bis es jemand einschaltet.
        """,
        "A wake wins over every sleep. It ends like a boost: see brightness help boost.":
            """
        Anlassen hat Vorrang vor jedem befristeten Ausschalten. Es endet wie ein Boost: siehe brightness help \
        boost.
        """,
        "A {0} has no brightness: leave {1} out, or boost or dim the display to it.":
            "{0} hat keine Helligkeit: Lass {1} weg, oder nimm boost oder dim.",
        "A {0} is for one display: brightness {1} ID VALUE.": "{0} gilt für ein Display: brightness {1} ID WERT.",
        "A {0} lasts at most {1}: write --for {2}, or brightness {3} -- COMMAND for as long as a command runs.":
            "{0} gilt höchstens {1}: Schreibe --for {2}, oder brightness {3} -- PROGRAMM, solange ein Programm läuft.",
        "added": "hinzugefügt",
        "Adds a display that commands control, for a screen that the daemon cannot set itself.":
            """
        Fügt ein Display hinzu, das Befehle steuern: für einen Bildschirm, den der Daemon nicht selbst \
        einstellen kann.
        """,
        "Adds or replaces a preset with the displays as people have set them now.":
            "Legt eine Voreinstellung an oder ersetzt sie, mit den Displays, wie sie jetzt eingestellt sind.",
        "Adds or replaces a preset.": "Legt eine Voreinstellung an oder ersetzt sie.",
        "Adds or replaces a schedule.": "Legt einen Zeitplan an oder ersetzt ihn.",
        "and": "und",
        "and another": "und jemand anderem",
        "and {0} others": "und {0} anderen",
        "Another client provides {0} now, or has withdrawn it.":
            "Ein anderer Client stellt {0} jetzt bereit oder hat es entfernt.",
        "api": "API",
        "ARGUMENTS:": "ARGUMENTE:",
        "auto": "automatisch",
        "automatic": "automatisch",
        "Automatic brightness is off: \"brightness auto on\" switches it on.":
            "Die automatische Helligkeit ist aus: „brightness auto on“ schaltet sie ein.",
        "backlight": "Panel",
        "BASELINE": "GRUNDWERT",
        "bash, zsh or fish.": "bash, zsh oder fish.",
        "begins {0}": "beginnt {0}",
        "boost": "Boost",
        "boosted, then {0}": "Boost, dann {0}",
        "BRIGHTNESS": "HELLIGKEIT",
        "brightness": "Helligkeit",
        "brightness list shows every display.": "brightness list zeigt alle.",
        """
        brightness name DP-1 "Left" names the display with the id DP-1; brightness name DP-1 prints its name. The \
        name is what the dashboard and Home Assistant show. The id stays. A token needs the scope admin.
        """:
            """
        brightness name DP-1 "Links" benennt das Display mit der ID DP-1; brightness name DP-1 zeigt seinen \
        Namen. Dashboard und Home Assistant zeigen diesen Namen. Die ID bleibt. Ein Token braucht das Recht \
        admin.
        """,
        """
        brightness order DP-2 DP-1 shows DP-2 first, then DP-1, then all others; brightness order prints the \
        displays that have a place. A token needs the scope admin.
        """:
            """
        brightness order DP-2 DP-1 zeigt zuerst DP-2, dann DP-1, dann alle anderen; brightness order zeigt die \
        Displays, die einen Platz haben. Ein Token braucht das Recht admin.
        """,
        "brightness {0}": "Helligkeit {0}",
        "Brings displays to the values of a preset.": "Bringt Displays auf die Werte einer Voreinstellung.",
        "by --location": "durch --location",
        "by {0}": "von {0}",
        "CA certificates (PEM) used to verify an https server, in place of the system's. [env: BRIGHTNESS_CA_FILE]":
            """
        CA-Zertifikate (PEM), mit denen ein https-Server geprüft wird, statt denen des Systems. [Variable: \
        BRIGHTNESS_CA_FILE]
        """,
        "Closes the window.": "Schließt das Fenster.",
        "command": "Befehl",
        "Command that prints what it shows: a percent, on or off.":
            "Befehl, der ausgibt, was es zeigt: Prozent, on oder off.",
        "Command that sets the brightness; {percent} or {step} is replaced.":
            "Befehl, der die Helligkeit setzt; {percent} oder {step} wird ersetzt.",
        "Command that switches it off.": "Befehl, der es ausschaltet.",
        "Command that switches the display on.": "Befehl, der das Display einschaltet.",
        "connected": "gefunden",
        "Continues a paused schedule: inside its interval at once.":
            "Setzt einen pausierten Zeitplan fort: in seiner Zeit sofort.",
        "day": "Tag",
        "days": "Tage",
        "ddc": "Monitor",
        "Degrees north and east, such as 52.52,13.40 or -33.87,151.21.":
            "Grad nördlich und östlich, etwa 52.52,13.40 oder -33.87,151.21.",
        "Did you mean ": "Meintest du ",
        "Did you mean {0}?": "Meintest du {0}?",
        "dim": "Dimmen",
        "dimmed, then {0}": "gedimmt, dann {0}",
        "dimmed: the {0} shows when the dim ends": "gedimmt: {0} wirkt, wenn das Dimmen endet",
        "disconnected": "getrennt",
        "display": "Display",
        "display=value": "Display=Wert",
        "does not answer": "antwortet nicht",
        "Draws the brightness of a display over time as a line of blocks, and lists its changes.":
            "Zeichnet den Verlauf der Helligkeit eines Displays als Zeile aus Blöcken und listet die Änderungen auf.",
        """
        During a boost the display stays as it is. It shows the new baseline when the boost ends.

          40%, 0.4       absolute
          +5%, -5%       relative; 5%+ and 5%- mean the same, and 0.05 is 5%
          raw:480        a step of the display
        """:
            """
        Während eines Boosts bleibt das Display, wie es ist. Den neuen Grundwert zeigt es, wenn der Boost endet.

          40%, 0.4       absolut
          +5%, -5%       relativ; 5%+ und 5%- bedeuten dasselbe, und 0.05 ist 5%
          raw:480        eine Stufe des Displays
        """,
        "ended": "beendet",
        "ends soon: its page is closed": "endet bald: die Seite ist geschlossen",
        "Ends what a schedule does, and keeps the schedule for later.":
            "Beendet, was ein Zeitplan tut, und behält ihn für später.",
        """
        Ends with Ctrl-C. When the connection is lost it connects again. With --json each event is an object in a \
        line of its own: its name, id and data.
        """:
            """
        Endet mit Strg-C. Nach einem Verbindungsverlust verbindet es sich wieder. Mit --json ist jedes Ereignis \
        ein Objekt in einer eigenen Zeile: Name, ID und Daten.
        """,
        "ends {0}": "endet {0}",
        "Error: ": "Fehler: ",
        "estimated: there is no light sensor": "geschätzt: es gibt keinen Lichtsensor",
        "expired": "abgelaufen",
        "external": "von außen",
        "Forget the place that was set: that of the daemon's options counts again.":
            "Den gesetzten Ort vergessen: Der aus den Optionen des Daemons zählt wieder.",
        "found, {0}": "gefunden, {0}",
        "fri": "Fr",
        "Give every display the place of its kind and name again.": "Ordne alle Displays wieder nach Art und Name.",
        "Give the display the device's own name again.": "Gib dem Display wieder den Namen des Geräts.",
        "Gives a display a name in your own words.": "Gibt einem Display einen eigenen Namen.",
        "held until {0}": "pausiert bis {0}",
        "Help: ": "Hilfe: ",
        "Hold the values by leases for this time, 1 h at most. Then everything is as before.":
            "Halte die Werte für diese Zeit durch Leases, höchstens 1 h. Danach ist alles wie vorher.",
        "hotkey": "Taste",
        "How bright at least.": "Wie hell mindestens.",
        "How bright at least: 80%, 0.8 or raw:480. [default: 100%]":
            "Wie hell mindestens: 80%, 0.8 oder raw:480. [Standard: 100%]",
        "How bright at most: 20% or 0.2.": "Wie hell höchstens: 20% oder 0.2.",
        "How bright at most: 20%, 0.2 or raw:96. [default: 20%]":
            "Wie hell höchstens: 20%, 0.2 oder raw:96. [Standard: 20%]",
        "How far back: 90s, 30m, 1h, 2d or 1w, at most a year.":
            "Wie weit zurück: 90s, 30m, 1h, 2d oder 1w, höchstens ein Jahr.",
        "How long each change takes: 5, 90s, 5m.": "Wie lange jede Änderung dauert: 5, 90s, 5m.",
        "How long it is open: 30s to 15m. [default: 5m]": "Wie lange es offen ist: 30s bis 15m. [Standard: 5m]",
        "How long it lasts at most: 60, 90s, 45m. [default: 5m; with -- COMMAND no limit]":
            "Wie lange es höchstens gilt: 60, 90s, 45m. [Standard: 5m; mit -- PROGRAMM unbegrenzt]",
        "How long the display takes to change: 0, 5, 90s, 5m.":
            "Wie lange die Änderung des Displays dauert: 0, 5, 90s, 5m.",
        "id": "ID",
        "idle": "Abwesenheit",
        "In {0} is a line of the daemon's own token file; put only the secret, its third part, there.":
            """
        In {0} steht eine Zeile aus der Token-Datei des Daemons; dorthin gehört nur das Geheimnis, ihr dritter \
        Teil.
        """,
        "It is stored to about 1 km. A token needs the scope admin.":
            "Er wird auf etwa 1 km genau gespeichert. Ein Token braucht den Scope admin.",
        "Its name.": "Sein Name.",
        "its readings are implausible": "seine Messwerte sind unglaubwürdig",
        "Keeps a display on for a while, or while a command runs.":
            "Lässt ein Display eine Zeit lang an, oder solange ein Programm läuft.",
        "KIND": "ART",
        "kind": "Art",
        "last change": "zuletzt",
        "led": "LED",
        "Lets Home Assistant make the key that encrypts its connection.":
            "Lässt Home Assistant den Schlüssel machen, der seine Verbindung verschlüsselt.",
        "level": "Wert",
        "libcurl cannot be loaded ({0}): install the package libcurl4.":
            "libcurl lässt sich nicht laden ({0}): Installiere das Paket libcurl4.",
        "Limits the brightness of a display for a while, or while a command runs.":
            "Begrenzt die Helligkeit eines Displays eine Zeit lang, oder solange ein Programm läuft.",
        "linear, perceptual, or points such as 0:3,50:30,100:80.":
            "linear, perceptual oder Punkte wie 0:3,50:30,100:80.",
        """
        linear: the panel's own steps. perceptual: percent as eyes see it, for panels whose steps are linear in \
        light. 0:3,50:30,100:80: points, percent of brightness to percent of the panel; the first and the last are \
        the range in use. brightness curve DP-1 prints it. A token needs the scope admin.
        """:
            """
        linear: die Stufen des Panels. perceptual: Prozent, wie Augen sie sehen, für Panels, deren Licht linear \
        mit der Stufe steigt. 0:3,50:30,100:80: Punkte, Prozent Helligkeit zu Prozent des Panels; der erste und \
        der letzte begrenzen den Bereich. brightness curve DP-1 zeigt sie. Ein Token braucht das Recht admin.
        """,
        "List the changes only, up to a thousand. With --json, print their document.":
            "Liste nur die Änderungen auf, bis zu tausend. Mit --json gib ihr Dokument aus.",
        "Lists and edits schedules: what the daemon does at a time of the day.":
            "Zeigt und ändert Zeitpläne: was der Daemon zu welcher Tageszeit tut.",
        "Lists the displays.": "Listet die Displays auf.",
        "Lists the presets.": "Listet die Voreinstellungen auf.",
        "Lists the schedules.": "Listet die Zeitpläne auf.",
        "Lists, edits and applies presets: values for several displays.":
            "Zeigt, ändert und verwendet Voreinstellungen: Werte für mehrere Displays.",
        "lost": "verloren",
        "lowest {0}, highest {1}": "niedrigste {0}, höchste {1}",
        "Missing expected argument ": "Es fehlt das Argument ",
        "Missing value for ": "Es fehlt der Wert für ",
        "mon": "Mo",
        "mqtt": "MQTT",
        "NAME": "NAME",
        "name": "Name",
        "Name each display once.": "Nenne jedes Display einmal.",
        "Name one display, group:NAME or all.": "Nenne ein Display, group:NAME oder all.",
        "Name one kind of lease.": "Nenne eine Art von Lease.",
        "night": "Nacht",
        "no signal": "kein Signal",
        "no signal: another program has blanked the screen":
            "kein Signal: ein anderes Programm hat den Bildschirm abgeschaltet",
        "No {0} of this holder was in force. The {1}s that go on have other holders: see --holder and --all.":
            """
        Dieser Halter hatte kein {0} in Kraft. Was an {1} weiterläuft, hat andere Halter: siehe --holder und \
        --all.
        """,
        "Nobody answers at {0}: start brightnessd there, or name another place with --server or --unix.":
            """
        Niemand antwortet unter {0}: Starte brightnessd dort, oder nenne mit --server oder --unix einen anderen \
        Ort.
        """,
        "nobody is near": "niemand ist in der Nähe",
        "nobody is there": "niemand ist da",
        "not available": "nicht verfügbar",
        "nothing is known of that time": "aus dieser Zeit ist nichts bekannt",
        "number": "Zahl",
        "off": "aus",
        "off, {0} when on": "aus; {0}, sobald an",
        "off: the {0} shows when it is on": "aus: {0} wirkt, sobald es an ist",
        "on": "an",
        "On which days it begins, such as mon,tue or mon-fri, weekdays or weekend. [default: every day]":
            "An welchen Tagen er beginnt: mon,tue oder mon-fri, weekdays oder weekend. [Standard: jeden Tag]",
        "on {0}": "{0}",
        "on, off or resume.": "on, off oder resume.",
        "on, off or toggle.": "on, off oder toggle.",
        "on, {0}": "an, {0}",
        """
        on: the display follows the light in the room. off: it stays as it is. resume: ends the hold that a manual \
        change began.
        """:
            """
        on: das Display folgt dem Licht im Raum. off: es bleibt, wie es ist. resume: beendet die Pause, die eine \
        Änderung von Hand begonnen hat.
        """,
        "Opens the window.": "Öffnet das Fenster.",
        "OPTIONS:": "OPTIONEN:",
        "overridden by hand": "von Hand übergangen",
        "OVERVIEW: ": "ÜBERBLICK: ",
        "path": "Pfad",
        "paused": "pausiert",
        "Please provide one of ": "Gib eines davon an: ",
        "presence": "Anwesenheit",
        "Print only the ids, one per line.": "Gib nur die IDs aus, eine je Zeile.",
        "Print the daemon's answer as JSON.": "Gib die Antwort des Daemons als JSON aus.",
        "Prints or sets the place of the daemon's machine, for sunrise and sunset.":
            "Zeigt oder setzt den Ort des Daemon-Rechners, für Sonnenauf- und -untergang.",
        "Prints the brightness of a display, and why it has it. The default command.":
            "Zeigt die Helligkeit eines Displays, und warum es sie hat. Der Befehl, wenn keiner genannt ist.",
        "Prints the completions for a shell.": "Gibt die Vervollständigungen für eine Shell aus.",
        "Prints the light in the room, and what each sensor reads.":
            "Zeigt das Licht im Raum, und was jeder Sensor misst.",
        "Prints the state of each display, then every change with who caused it and why.":
            "Zeigt den Zustand jedes Displays, dann jede Änderung: wer sie veranlasst hat und warum.",
        "provided": "bereitgestellt",
        "provider": "von",
        "Raises the brightness of a display for a limited time, or while a command runs.":
            "Macht ein Display für begrenzte Zeit heller, oder solange ein Programm läuft.",
        "Reads and sets the brightness of displays that brightnessd serves.":
            "Liest und setzt die Helligkeit der Displays von brightnessd.",
        "recovered": "wiederhergestellt",
        "Release everybody's leases; needs the scope admin.": "Beende die Leases aller; braucht das Recht admin.",
        "Release only leases of this kind: {0}.": "Beende nur Leases dieser Art: {0}.",
        "Releases your own boost, or other leases. After the last one a display returns to its baseline.":
            "Beendet deinen Boost oder andere Leases. Nach dem letzten geht ein Display auf seinen Grundwert zurück.",
        "remote": "anderer Rechner",
        "removed": "entfernt",
        "Removes a preset. Displays stay as they are.":
            "Entfernt eine Voreinstellung. Die Displays bleiben, wie sie sind.",
        "Removes a schedule and ends what it does.": "Entfernt einen Zeitplan und beendet, was er tut.",
        "restore": "zurückgesetzt",
        """
        Runs until it is ended, and connects again when the connection is lost. The display has every rule of the \
        others: leases, schedules, idle, Home Assistant.

          brightness provide wall --set 'ddcutil setvcp 10 {percent}'
          brightness provide tv --on 'wlopm --on HDMI-A-1' --off 'wlopm --off HDMI-A-1'

        A command is split into words, with quotes as in a shell, and run without one: there are no variables, pipes \
        and wildcards. {percent} is 0 to 100 and {step} 0 to --steps. One command runs at a time, for at most 10 \
        seconds; the newest brightness has priority. If a command fails, the daemon tries again.

        --get prints what the display shows: a percent, on or off, as the last word of its first line. A difference \
        from what was set is a person's change, which has priority over leases.

        It ends with the status 0 when another client of the same user provides the display.
        """:
            """
        Läuft, bis es beendet wird, und verbindet sich nach einem Verbindungsverlust wieder. Für das Display \
        gelten alle Regeln der anderen: Leases, Zeitpläne, Abwesenheit, Home Assistant.

          brightness provide wall --set 'ddcutil setvcp 10 {percent}'
          brightness provide tv --on 'wlopm --on HDMI-A-1' --off 'wlopm --off HDMI-A-1'

        Ein Befehl wird in Wörter zerlegt, mit Anführungszeichen wie in einer Shell, und ohne Shell ausgeführt: \
        Es gibt keine Variablen, Pipes und Platzhalter. {percent} ist 0 bis 100 und {step} 0 bis --steps. Es \
        läuft immer nur ein Befehl, höchstens 10 Sekunden; die neueste Helligkeit hat Vorrang. Misslingt ein \
        Befehl, versucht es der Daemon wieder.

        --get gibt aus, was das Display zeigt: Prozent, on oder off, als letztes Wort der ersten Zeile. Ein \
        anderer Wert als der gesetzte ist die Änderung eines Menschen, die Vorrang vor Leases hat.

        Es endet mit dem Status 0, wenn ein anderer Client desselben Benutzers das Display bereitstellt.
        """,
        "sat": "Sa",
        "schedule": "Zeitplan",
        "Send either a place or --forget.": "Gib entweder einen Ort oder --forget an.",
        "Send either a {0} or --reset.": "Nenne entweder {0} oder --reset.",
        "Send either displays or --reset.": "Nenne entweder Displays oder --reset.",
        "Sets how a display's brightness maps to its panel's range.":
            "Legt fest, wie die Helligkeit eines Displays dem Bereich seines Panels entspricht.",
        "Sets the baseline: what a display shows without a boost.":
            "Setzt den Grundwert: was ein Display ohne Boost zeigt.",
        "Sets the order of the displays on the dashboard.": "Legt die Reihenfolge der Displays im Dashboard fest.",
        "settings": "Einstellungen",
        "Show help information.": "Zeige diese Hilfe.",
        "Show the version.": "Zeige die Version.",
        "Shows the key and the window.": "Zeigt den Schlüssel und das Fenster.",
        "Signals cannot be read ({0}): close some files first.":
            "Signale sind nicht lesbar ({0}): Schließe zuerst einige Dateien.",
        "simulated": "simuliert",
        "simulator": "Simulator",
        "since before {0}": "seit spätestens {0}",
        "since {0}": "seit {0}",
        "sleep": "Ausschalten",
        "somebody is near": "jemand ist in der Nähe",
        "somebody is there": "jemand ist da",
        "SUBCOMMANDS:": "BEFEHLE:",
        "sun": "So",
        "Sunrise and sunset need a place: brightness location 52.52,13.40 sets it.":
            "Sonnenauf- und -untergang brauchen einen Ort: brightness location 52.52,13.40 setzt ihn.",
        "Switch the displays off.": "Schalte die Displays aus.",
        "Switches a display off for a while, or while a command runs.":
            "Schaltet ein Display eine Zeit lang aus, oder solange ein Programm läuft.",
        "Switches a display on or off until somebody changes that.":
            "Schaltet ein Display ein oder aus, bis es jemand ändert.",
        "Switches automatic brightness.": "Schaltet die automatische Helligkeit.",
        "text": "Text",
        "The brightest step; the darkest is 0. [default: 100]":
            "Die hellste Stufe; die dunkelste ist 0. [Standard: 100]",
        "The brightness to set once, at the beginning.": "Die Helligkeit, die einmal gesetzt wird, am Anfang.",
        "The brightness: {0}.": "Die Helligkeit: {0}.",
        "The certificate of {0} cannot be verified: name its CA certificate with --ca-file.":
            "Das Zertifikat von {0} ist nicht prüfbar: Nenne mit --ca-file das Zertifikat seiner CA.",
        "The command runs without it.": "Das Programm läuft ohne.",
        "The connection to {0} is lost.": "Die Verbindung zu {0} ist verloren.",
        "The connection to {0} is lost; connecting again.":
            "Die Verbindung zu {0} ist verloren und wird wieder aufgebaut.",
        "The daemon does not know its place: brightness location 52.52,13.40 sets it.":
            "Der Daemon kennt seinen Ort nicht: brightness location 52.52,13.40 setzt ihn.",
        "The daemon has no display that can be set.": "Der Daemon hat kein Display, das sich setzen lässt.",
        "The daemon has no display.": "Der Daemon hat kein Display.",
        "The daemon's clock is not set. No schedule is in force until it is.":
            "Die Uhr des Daemons ist nicht gestellt. Bis dahin gilt kein Zeitplan.",
        "The daemon's Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]":
            "Der Unix-Socket des Daemons, statt --server. [Variable: BRIGHTNESS_UNIX]",
        """
        The Debian package installs them. Elsewhere, for bash: brightness completions bash > \
        ~/.local/share/bash-completion/completions/brightness
        """:
            """
        Das Debian-Paket installiert sie. Sonst, für bash: brightness completions bash > \
        ~/.local/share/bash-completion/completions/brightness
        """,
        "The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon's default one]":
            "Das Display mit seiner ID, group:NAME oder all. [Variable: BRIGHTNESS_DISPLAY; Standard: das des Daemons]",
        "The displayed name. [default: the id]": "Der angezeigte Name. [Standard: die ID]",
        "The displays are {0}.": "Die Displays sind {0}.",
        "The displays, the first one first.": "Die Displays, das erste zuerst.",
        """
        The holder of the lease. The same holder again renews its lease. [default: the token's name, or none; with \
        -- COMMAND one of its own]
        """:
            """
        Der Halter des Leases. Derselbe Halter erneuert sein Lease. [Standard: der Name des Tokens, oder keiner; \
        mit -- PROGRAMM ein eigener]
        """,
        "The holder of the leases. [default: preset]": "Der Halter der Leases. [Standard: preset]",
        "The holder: releases its leases of every kind.": "Der Halter: beendet seine Leases jeder Art.",
        "The host of {0} is unknown: check --server.": "Der Host von {0} ist unbekannt: Prüfe --server.",
        "The id of the display: letters, digits, and _ . -": "Die ID des Displays: Buchstaben, Ziffern und _ . -",
        "the idle rule": "der Abwesenheitsregel",
        "The name of the preset.": "Der Name der Voreinstellung.",
        "The name: 1 to 64 characters.": "Der Name: 1 bis 64 Zeichen.",
        "The only display is {0}.": "Das einzige Display ist {0}.",
        "The output cannot be written ({0}).": "Die Ausgabe kann nicht geschrieben werden ({0}).",
        "The reason, which every client sees.": "Der Grund, den jeder Client sieht.",
        "the schedule {0}": "dem Zeitplan {0}",
        "The server answered with the status {0}": "Der Server hat mit dem Status {0} geantwortet",
        "The stream ended.": "Der Strom ist zu Ende.",
        "The time between two runs of --get. [default: 5s]":
            "Die Zeit zwischen zwei Aufrufen von --get. [Standard: 5s]",
        "The token file {0} cannot be read ({1}); name another one with --token-file.":
            "Die Token-Datei {0} ist nicht lesbar ({1}); nenne mit --token-file eine andere.",
        "The value ": "Der Wert ",
        "The window is open for {0} s: add the ESPHome integration in Home Assistant now.":
            "Das Fenster ist {0} s offen: Füge jetzt in Home Assistant die ESPHome-Integration hinzu.",
        "then {0}": "dann {0}",
        "There is a key. Only clients with it may connect.":
            "Es gibt einen Schlüssel. Nur Clients, die ihn haben, dürfen sich verbinden.",
        "there is no command \"identify\": brightness -d ID boost 10s shows which display it is.":
            "Es gibt keinen Befehl „identify“: brightness -d ID boost 10s zeigt, welches Display es ist.",
        "There is no command: give --set, or --on and --off.":
            "Es fehlt ein Befehl: Gib --set an, oder --on und --off.",
        "There is no display \"{0}\".": "Es gibt kein Display „{0}“.",
        "There is no display \"{0}\". brightness list shows every display.":
            "Es gibt kein Display „{0}“. brightness list zeigt alle.",
        "There is no key. Only clients of this machine may connect.":
            "Es gibt keinen Schlüssel. Nur Clients dieses Rechners dürfen sich verbinden.",
        "There is no option {0}. Did you mean {1}?": "Es gibt keine Option {0}. Meintest du {1}?",
        "There is no preset: brightness help presets shows how to add one.":
            "Es gibt keine Voreinstellung: brightness help presets zeigt, wie man eine anlegt.",
        "There is no schedule: brightness help schedules shows how to add one.":
            "Es gibt keinen Zeitplan: brightness help schedules zeigt, wie man einen anlegt.",
        "There is no token in {0}: it needs the secret alone, in one line.":
            "In {0} ist kein Token: Dorthin gehört nur das Geheimnis, in einer Zeile.",
        "thu": "Do",
        "time": "Zeit",
        """
        Times are local times of the daemon's machine. Sunrise and sunset need its place:

          brightness schedules set night --from 22:00 --to 07:00 --dim 20%
          brightness schedules set evening --from sunset-00:30 --to 23:00 --brightness 40%
          brightness schedules set closed --from 18:00 --to 08:00 --days weekdays --sleep
          brightness schedules pause night
          brightness schedules resume night
          brightness schedules remove night
          brightness schedules location 52.52,13.40
        """:
            """
        Alle Zeiten sind Ortszeiten des Rechners mit dem Daemon. Sonnenauf- und -untergang brauchen seinen Ort:

          brightness schedules set night --from 22:00 --to 07:00 --dim 20%
          brightness schedules set evening --from sunset-00:30 --to 23:00 --brightness 40%
          brightness schedules set closed --from 18:00 --to 08:00 --days weekdays --sleep
          brightness schedules pause night
          brightness schedules resume night
          brightness schedules remove night
          brightness schedules location 52.52,13.40
        """,
        "Trying again.": "Neuer Versuch.",
        "tue": "Di",
        "tv": "Fernseher",
        "Unexpected argument ": "Ein Argument zu viel: ",
        "unknown": "unbekannt",
        "unknown command \"{0}\". Did you mean {1}? The commands are {2}.":
            "Unbekannter Befehl „{0}“. Meintest du {1}? Die Befehle sind {2}.",
        "unknown command \"{0}\". For a display of this name: brightness -d {1} set {2}.":
            "Unbekannter Befehl „{0}“. Für ein Display dieses Namens: brightness -d {1} set {2}.",
        "unknown command \"{0}\". The commands are {1}.": "Unbekannter Befehl „{0}“. Die Befehle sind {1}.",
        "Unknown option ": "Unbekannte Option ",
        "until released": "bis zum Beenden",
        "until the schedule ends": "bis der Zeitplan endet",
        "until {0}": "bis {0}",
        "url": "URL",
        "USAGE: ": "AUFRUF: ",
        "Usage: ": "Aufruf: ",
        "Use the daemon's option --curve again, or linear without it.":
            "Nimm wieder die Option --curve des Daemons, oder linear, falls sie fehlt.",
        "waiting for a light sensor": "wartet auf einen Lichtsensor",
        "wake": "Anlassen",
        "wed": "Mi",
        "When it begins: 22:00, 10pm, sunset or sunset-00:30.":
            "Wann er beginnt: 22:00, 10pm, sunset oder sunset-00:30.",
        "When it ends at the latest, by the clock of this machine: 07:00, 7am.":
            "Wann es spätestens endet, nach der Uhr dieses Rechners: 07:00, 7am.",
        "When it ends: 07:00, 7am, sunrise or sunrise+01:00.": "Wann er endet: 07:00, 7am, sunrise oder sunrise+01:00.",
        "Where the daemon serves. [env: BRIGHTNESS_SERVER; default: {0}]":
            "Wo der Daemon ist. [Variable: BRIGHTNESS_SERVER; Standard: {0}]",
        "while its page is open": "solange die Seite offen ist",
        "while nobody is there": "solange niemand da ist",
        "while somebody is near": "solange jemand in der Nähe ist",
        "With -- COMMAND: do not run the command without the lease.":
            "Mit -- PROGRAMM: Führe es nicht ohne das Lease aus.",
        "Without --display it has every display. A boost or dim in force does not count.":
            "Ohne --display enthält sie jedes Display. Ein Boost oder Dimmen in Kraft zählt nicht.",
        "Without --display it is for every display of the daemon's machine.":
            "Ohne --display gilt er für jedes Display am Rechner des Daemons.",
        """
        "brightness boost 80% 10m" is short for --brightness 80% --ttl 10m.

        Without a command it takes a boost and exits. The boost lasts until --ttl has passed or "brightness restore" \
        releases it.

        With "-- COMMAND" it holds the boost while the command runs, and exits with the command's status. The boost \
        also ends when this program is killed: at most 12 seconds later the display is restored. Signals are passed \
        on to the command. If the daemon cannot be reached or refuses, the program prints a warning and runs the \
        command, unless --require is given.
        """:
            """
        „brightness boost 80% 10m“ ist kurz für --brightness 80% --ttl 10m.

        Ohne Programm nimmt es einen Boost und endet. Der Boost gilt, bis --ttl vorbei ist oder „brightness \
        restore“ ihn beendet.

        Mit „-- PROGRAMM“ hält es den Boost, solange das Programm läuft, und endet mit dessen Status. Der Boost \
        endet auch, wenn dieser Befehl abgebrochen wird: Höchstens 12 Sekunden später ist das Display \
        zurückgesetzt. Signale werden an das Programm weitergegeben. Ist der Daemon nicht erreichbar oder lehnt \
        er ab, warnt der Befehl und führt das Programm aus, außer mit --require.
        """,
        """
        Without a subcommand it shows the default display.

          brightness set 40%              the baseline: also +5%, -5%, max, 0.4 and raw:480
          brightness 40%, brightness -5%  the same
          brightness boost 10m            full brightness, for ten minutes at most
          brightness boost 80% 10m        80 %
          brightness boost -- mpv film    full brightness while the command runs
          brightness dim 20% until 07:00  at most 20 %
          brightness sleep 10m            switches off for ten minutes; wake 10m keeps on
          brightness off, on, toggle      switches until somebody changes it again
          brightness restore              ends your boost; restore dim ends your dim, and so on
          brightness name DP-1 "Left"     a name in your own words
          brightness curve DP-1 perceptual  percent as eyes see it
          brightness order DP-2 DP-1      their order on the dashboard
          brightness light                the light in the room
          brightness schedules            what the daemon does by the clock
          brightness location 52.52,13.40  where it is, for sunrise and sunset
          brightness presets              values for several displays, to apply together
          brightness watch                every change, as it happens
          brightness provide tv --on …    adds a display that your own commands control
          brightness key-window open      lets Home Assistant connect without a broker

        The common options may also stand before the command: brightness -d DP-2 set 40%. -d all is every display.

        Exit status: 0 on success; 1 if the daemon rejects the request or the client fails; 3 if no daemon answers; \
        64 for an invalid command line. With "-- COMMAND" it is that of the command, 125 if the client fails, 126 if \
        the command cannot be run and 127 if there is no such command.
        """:
            """
        Ohne Unterbefehl zeigt es das Standard-Display.

          brightness set 40%              der Grundwert: auch +5%, -5%, max, 0.4 und raw:480
          brightness 40%, brightness -5%  dasselbe
          brightness boost 10m            volle Helligkeit, höchstens zehn Minuten
          brightness boost 80% 10m        80 %
          brightness boost -- mpv film    volle Helligkeit, solange das Programm läuft
          brightness dim 20% until 07:00  höchstens 20 %
          brightness sleep 10m            schaltet für zehn Minuten aus; wake 10m lässt an
          brightness off, on, toggle      schaltet, bis es jemand wieder ändert
          brightness restore              beendet deinen Boost; restore dim dein Dimmen, und so weiter
          brightness name DP-1 "Links"    ein eigener Name
          brightness curve DP-1 perceptual  Prozent, wie Augen sie sehen
          brightness order DP-2 DP-1      die Reihenfolge im Dashboard
          brightness light                das Licht im Raum
          brightness schedules            was der Daemon nach der Uhr tut
          brightness location 52.52,13.40  wo er steht, für Sonnenauf- und -untergang
          brightness presets              Werte für mehrere Displays, gemeinsam zu verwenden
          brightness watch                jede Änderung, sobald sie geschieht
          brightness provide tv --on …    fügt ein Display hinzu, das deine Befehle steuern
          brightness key-window open      lässt Home Assistant sich ohne Broker verbinden

        Die gemeinsamen Optionen dürfen auch vor dem Befehl stehen: brightness -d DP-2 set 40%. -d all ist jedes \
        Display.

        Exit-Status: 0 bei Erfolg; 1, wenn der Daemon ablehnt oder der Client scheitert; 3, wenn kein Daemon \
        antwortet; 64 für eine falsche Befehlszeile. Mit „-- PROGRAMM“ ist es dessen Status, 125, wenn der \
        Client scheitert, 126, wenn das Programm nicht ausführbar ist, und 127, wenn es das Programm nicht gibt.
        """,
        """
        Without a word it prints whether the display is on. toggle switches several displays off if one of them is on.
        """:
            """
        Ohne ein Wort zeigt es, ob das Display an ist. toggle schaltet mehrere Displays aus, wenn eines davon an \
        ist.
        """,
        "{0} answers with too many bytes: check --server and --unix.":
            "{0} antwortet mit zu vielen Bytes: Prüfe --server und --unix.",
        "{0} at the end": "{0} am Ende",
        "{0} cannot be read: name CA certificates (PEM) with --ca-file.":
            "{0} ist nicht lesbar: Nenne CA-Zertifikate (PEM) mit --ca-file.",
        "{0} cannot be run ({1})": "{0} kann nicht ausgeführt werden ({1})",
        "{0} cannot be run ({1}).": "{0} kann nicht ausgeführt werden ({1}).",
        "{0} cannot be used ({1}): check --server and --unix.":
            "{0} ist nicht verwendbar ({1}): Prüfe --server und --unix.",
        "{0} did not end within 10 seconds.": "{0} endete nicht innerhalb von 10 Sekunden.",
        "{0} does not answer as a WebSocket server does.": "{0} antwortet nicht wie ein WebSocket-Server.",
        "{0} does not answer in time.": "{0} antwortet nicht rechtzeitig.",
        "{0} does not answer in time: check that brightnessd runs there and that no firewall is in between.":
            "{0} antwortet nicht rechtzeitig: Prüfe, ob brightnessd dort läuft und keine Firewall dazwischen ist.",
        "{0} ends within quotes: {1}": "{0} endet innerhalb von Anführungszeichen: {1}",
        "{0} failed with the status {1}.": "{0} scheiterte mit dem Status {1}.",
        "{0} is not brightnessd: name the place where it serves with --server or --unix.":
            "{0} ist nicht brightnessd: Nenne mit --server oder --unix den Ort, an dem es läuft.",
        "{0} leases": "{0} Leases",
        "{0} requires a command.": "{0} braucht einen Befehl.",
        "{0} to {1}": "{0} bis {1}",
        "{0} to {1}, a column for {2}": "{0} bis {1}, eine Spalte je {2}",
        "{0}, cannot be dimmed": "{0}, nicht dimmbar",
        "{0}, shows {1}": "{0}, zeigt {1}",
        "{0}: --get printed neither a percent nor on or off: it is ignored.":
            "{0}: --get gab weder Prozent noch on oder off aus: das wird übergangen.",
        "{0}: check the command after \"--\".": "{0}: Prüfe das Programm hinter „--“.",
        "{0}: nobody was there, or somebody came back": "{0}: niemand war da, oder jemand kam zurück",
    ]
}
