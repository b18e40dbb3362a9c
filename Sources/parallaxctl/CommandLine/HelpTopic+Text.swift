// What is told about the commands.
extension HelpTopic {
  static let overview = """
    Usage: parallaxctl [--socket PATH] COMMAND [OPTION]…

    Talks to parallaxd, which turns a gyroscope's rotation into content offsets.

      status                   what the daemon does, and why; --json for programs
      watch                    a live picture: the offset moves a landscape
      subscribe                the events as they come, one JSON object a line
      page                     the shared page, read as what draws would read it
      recenter                 the offset becomes (0, 0), for every subscriber
      pan X Y                  moves the offset, in points: X to the right, Y DOWN
      reduced-motion on|off|default
                               content at rest for everybody; default: as configured
      calibrate                measures what the sensor shows at rest, its bias
      record FILE              what the sensor says, raw, for process and replays
      doctor                   looks for what is wrong and says what mends it
      margin                   how much larger than the screen a background must be
      process TRACE            a recording through the same pipeline, offline
      plot TRACE               the same as a picture: rates, offset, updates, gaps
      help [COMMAND]           more on a command, with examples

      -s, --socket PATH        the daemon's socket; else the variable
                               PARALLAXD_SOCKET, else /run/parallaxd/socket, else
                               $XDG_RUNTIME_DIR/parallaxd/socket
      -h, --help               this text; after a command, that command's
      -V, --version            the version

    Examples:
      parallaxctl status
      parallaxctl watch --seconds 30
      parallaxctl subscribe --count 100 > events.jsonl
      parallaxctl process walk.gcsv > offsets.csv
      parallaxctl plot walk.gcsv -o walk.svg

    Exit: 0 on success (also when watch, subscribe or record is ended by Ctrl-C), 1
    failure, 2 wrong usage, 3 no daemon or it has left, 4 refused: no right to
    connect or to do this, 78 wrong configuration, or a scene that is wrong or
    missing.
    See parallaxctl(1), parallaxd(8).

    """

  var explanation: String {
    switch self {
    case .status:
      """
      Says what the daemon does, and why: state, sensor, settings, counters. Does not
      wake the sensor.

        -j, --json               the reply of GetStatus as it came, one JSON object

      Examples:
        parallaxctl status
        parallaxctl status --json | jq .sensor.frequency_measured
      """
    case .subscribe:
      """
      Prints the events of a subscription, one JSON object a line, exactly as
      received. The first is the present state, at once; the next come when something
      changes. Ends by Ctrl-C.

        -n, --count N            ends after N events
            --seconds N          ends after N seconds
        -r, --rates              with the rates about x, y and z in rad/s (needs the
                                 right to see them)
        -t, --tilt               with the tilt from how the device is usually held:
                                 -1 to 1 on each axis
        -a, --all                every update, also when nothing in it has changed
        -i, --min-interval SECONDS
                                 at most one event in so much sample time, 0 to 60; a
                                 change of state passes at once
            --scene FILE|NAME    with the numbers of a scene: one of the daemon's by
                                 its name, or of a file, TOML or .json; ./NAME is a
                                 file of that name

      Examples:
        parallaxctl subscribe --count 1
        parallaxctl subscribe --scene launcher | jq -c .scene.layers
        parallaxctl subscribe --min-interval 0.5 | jq -r '[.x, .y] | @csv'
        parallaxctl subscribe --rates --all --seconds 10 > walk.jsonl
      """
    case .watch:
      """
      Draws a live picture: a landscape that moves with the offset, what is near more
      than what is far; in front of it a dot for the offset itself, with its trail.
      The frame says which part of the plane it shows, in points, and + in it is
      neutral. Below are offset and tilt, the rates against the threshold | (where you
      may see them) and the state. Motion of the demonstration is marked SYNTHETIC.

      Keys: q (or Ctrl-C) quits, r recenters, for every subscriber. It also ends with
      a recording that the daemon plays. The last line says where the offset was.

      Where the output is no terminal, or TERM is dumb: a plain line per change, ten a
      second at most. NO_COLOR=1 turns the colours off.

            --seconds N          ends after N seconds
            --scene FILE|NAME    the landscape moves as the layers of a scene do, from
                                 its farthest to its nearest; B, 0, 1 … and F are
                                 where background, layers and front are, and below it
                                 stand their numbers: one of the daemon's scenes by
                                 its name, or a file, TOML or .json; ./NAME is a file
                                 of that name

      Examples:
        parallaxctl watch
        parallaxctl watch --scene launcher
        parallaxctl watch --seconds 10 | tee motion.txt
      """
    case .page:
      """
      Opens the daemon's shared page and reads it at a frame rate, as what draws
      would: a line per frame with the offset looked ahead to that moment, rates
      (where you may see them), the state, and how old the record is. On a terminal
      the line renews itself. Reading makes no system call and costs the daemon
      nothing. Ends by Ctrl-C, or with a recording that the daemon plays.

        -r, --rate HZ            frames a second, 0.1 to 1000 (60)
            --seconds N          ends after N seconds
        -j, --json               one JSON object a frame

      Examples:
        parallaxctl page
        parallaxctl page --rate 10 --seconds 5
        parallaxctl page --json --seconds 10 | jq .age_ns
      """
    case .recenter:
      """
      Makes the offset (0, 0), for every subscriber. Needs the right to change things
      for others: root, the daemon's user, or the control group.

      Example:
        parallaxctl recenter
      """
    case .pan:
      """
      Moves the offset as a finger on the screen would: X points to the right, Y
      points DOWN; the offset itself counts y up. While motion is reduced it is
      ignored, and said to be (exit 1). For every subscriber; needs the right to
      change things for others: root, the daemon's user, or the control group.

      Examples:
        parallaxctl pan 40 0
        parallaxctl pan -12.5 -30        moves up and to the left
      """
    case .reducedMotion:
      """
      Switches reduced motion for everybody until the daemon stops: on puts the
      content at rest and lets the sensor sleep, off moves it even where the
      configuration says otherwise, default goes by the configuration again. Needs the
      right to change things for others: root, the daemon's user, or the control
      group.

      Example:
        parallaxctl reduced-motion on
      """
    case .calibrate:
      """
      Measures what the sensor shows while the device lies still (its bias), for 5
      seconds. Lay it where nothing shakes it and leave it alone: where it moves, that
      is said and nothing changes (exit 1). What is found is taken off from then on,
      for every subscriber, and remembered for this sensor; with calibration.mode
      "fixed" or "off" it is remembered, and what to configure is said. Of a recording
      that the daemon plays nothing is remembered. The daemon finds the bias by itself
      too, whenever the device lies still: this is for when you do not want to wait.
      Needs the right to change things for others: root, the daemon's user, or the
      control group.

            --duration SECONDS   2 to 60

      Examples:
        parallaxctl calibrate
        parallaxctl calibrate --duration 20
      """
    case .record:
      """
      Records the raw scans that the daemon sees into FILE, a Gyroflow .gcsv, until
      Ctrl-C. It has all that process and a replay need to compute what the daemon
      computed, bit for bit: the stream begins anew with the recording, and the offset
      becomes (0, 0), for every subscriber, where you may do that. The recording ends
      where the stream begins anew once more (the sensor is opened again, a replay's
      next lap, a reload, a calibration, another recording) or scans are lost (exit
      1); what is in it is good. A pan, a recentering or reduced motion meanwhile
      moves the live offset alone. FILE is a file, no pipe or device. Raw scans are
      for root, the daemon's user and the control group, unless server.allow_raw says
      otherwise; of those whom that lets in the stream does not begin anew, and the
      recording says so.

            --seconds N          ends after N seconds
        -f, --force              replaces an existing file
            --keep-offset        leaves the offset where it is

      Examples:
        parallaxctl record walk.gcsv
        parallaxctl record --force walk.gcsv && parallaxctl process walk.gcsv
      """
    case .doctor:
      """
      Looks at the machine as for a bug report: kernel modules, gyroscopes, rights,
      triggers, who else reads the sensor, the service, and two seconds of the
      daemon's stream. Says in plain words what is wrong, and the command that mends
      it. As root it sees more. Exit 0: nothing is wrong, 1: something is.

            --report FILE        writes all of it into a new FILE, for a bug report,
                                 and a short recording into FILE.gcsv: for root, the
                                 control group, or with server.allow_raw
            --axes               asks for three turns of the device and prints the
                                 line `axes = "…"` for [sensor] that makes them come
                                 out right; needs the right to see rates

      Examples:
        sudo parallaxctl doctor
        sudo parallaxctl doctor --report report.txt
        parallaxctl doctor --axes
      """
    case .margin:
      """
      Says how much larger than what is seen of it a background must be, to each side,
      so that it is at its edge no sooner than where the offset ends: E / ((layers +
      front + 1) · distance factor). E is motion.limit; where that is infinite, what
      the rule makes of a swing: multiplier · gain · swing in rad, divided by the
      update interval unless the integration is "angle". Needs no daemon. The settings
      are the system's unless --config or --set says otherwise.

            --scene FILE|NAME    the scene: of a file, TOML or .json, or from scenes
                                 beside the configuration
            --layers N           how many layers; over what the scene says
            --front              with something in front of them
            --distance-factor D  over what the scene says; 2 without one
            --bounds WxH         what is seen, in points: then the background's size
                                 is printed too
            --limit POINTS       how far the offset comes, over motion.limit
            --swing DEGREES      how far the device is turned from neutral, either
                                 way; 20
        -c, --config FILE        the settings of this file
            --set SECTION.KEY=VALUE
                                 one setting; may be repeated, the last one counts

      Examples:
        parallaxctl margin --scene launcher
        parallaxctl margin --layers 3 --front --bounds 390x844 --swing 30
        parallaxctl margin --layers 2 --limit 120
      """
    case .process, .plot: ""
    case .help:
      """
      Tells more on a command.

      Example:
        parallaxctl help subscribe
      """
    }
  }
}
