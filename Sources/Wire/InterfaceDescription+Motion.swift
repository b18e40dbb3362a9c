extension InterfaceDescription {
  /// The members of an event, indented as they stand in both replies that are one.
  private static let event = """
      sequence: int,
      timestamp_ns: int,
      x: float,
      y: float,
      state: string,
      reason: ?string,
      reduced_motion: bool,
      gap: ?bool,
      dropped: ?int,
      rate: ?Rate,
      tilt: ?Tilt,
      scene: ?object
    """

  static let motion = """
    # Content offsets that follow the motion of the device, from its gyroscope.
    #
    # A message ends in NUL. On a connection whose first message ends in a
    # newline every message is a line, both ways (JSON Lines). Replies come in
    # the order of the calls; while a stream is open nothing else on its
    # connection is processed. Unknown parameters are errors. A message that is
    # not a proper call is answered, where it can be, with InvalidParameter
    # (naming the member, or "message", "nesting" or "pipelining") or
    # MessageTooLong, and the connection is closed.
    #
    # Changing state for others (Recenter, Pan, SetReducedMotion, Calibrate) and
    # seeing rates are for root, the daemon's user and the control group, or for
    # whom the configuration lets; others get org.varlink.service.PermissionDenied.
    interface org.parallaxd.Motion

    # Angular rates about x, y and z in rad/s, right-hand rule, in the device
    # frame: x to the right of the screen, y to its top, z towards the viewer.
    type Rate (x: float, y: float, z: float)

    # Tilt from neutral, -1 to 1 on each axis, signs as the offset's: by how much the
    # device is turned from the way it is usually held (tilt.range is 1, and neutral
    # follows with tilt.recenter_time).
    type Tilt (x: float, y: float)

    type Sensor (
      # iio, replay or demo
      backend: string,
      name: ?string,
      label: ?string,
      id: ?string,
      path: ?string,
      uri: ?string,
      # buffer, poll or replay; null before the sensor was ever opened
      mode: ?string,
      # Why this device and this mode, a sentence each
      why: []string,
      # Samples per second
      frequency_asked: ?float,
      frequency_set: ?float,
      frequency_measured: ?float,
      # monotonic, realtime, ..., wake-up or trace
      clock: ?string,
      # rad/s per LSB, along x, y and z
      scale: ?[]float,
      # Nine numbers by rows
      mount_matrix: ?[]float,
      mount_matrix_from: ?string,
      # Broken rows of a trace that were left out
      skipped_rows: ?int
    )

    type Configuration (
      files: []string,
      # Seconds since 1970-01-01 UTC
      loaded_at: int,
      # Why the last reload was refused; the settings before it are in force
      last_error: ?string,
      # Scenes that Subscribe takes by name; null from a daemon before them
      scenes: ?[]string
    )

    # A setting in force: section.key, and its value as the file would have it; null: infinite.
    type Setting (name: string, value: ?string)

    type Counters (
      samples: int,
      updates: int,
      # Samples that were dropped
      invalid: int,
      out_of_order: int,
      clock_steps: int,
      # Silences longer than the gap limit; not those in which the sensor was off
      gaps: int,
      # Scans left out because the sensor had just been switched on, the last time
      settling: int,
      wakeups: int,
      events_sent: int,
      # Updates that subscribers missed because they did not read
      dropped: int
    )

    # Opens a stream of events (call it with "more"). The first event is the
    # present state, at once. The sensor runs while somebody subscribes.
    #
    # min_interval: seconds of sample time between events, 0 to 60 (0); a change
    #   of state passes at once.
    # only_changes: leave out events that differ from the last one sent in
    #   nothing but sequence, timestamp_ns and dropped (true).
    # rate: with rates (false), while they are measured; for those who may see
    #   them.
    # tilt: with tilt (false).
    # reduced_motion: reduced for this subscriber (false).
    # screen_rotation: degrees counter-clockwise that this subscriber's picture
    #   is turned, 0, 90, 180 or 270 (0): turns everything for it.
    # scene: {name} of one of the daemon's scenes, or an object with bounds and
    #   background (each {width, height} or [width, height], points), layers (from
    #   far to near, each {} or {depth}), front (true), distance_factor (2),
    #   front_factor (20), and effects (each {key_path, axis, minimum, maximum},
    #   or {effects}: a group). Else InvalidScene.
    # backlog: how many unread events may wait, 1 to 1024 (8). While they do the
    #   newest event replaces the one not sent yet.
    #
    # sequence: index of the last update in the event, -1 before the first.
    # timestamp_ns: of the newest sample in it, 0 before the first.
    # x, y: the offset in points; x to the right, y up.
    # state: idle, starting, running, reduced, waiting or stalled.
    # reason: no-device, permission, busy, no-data, suspended, replay-ended,
    #   configuration or user; absent where there is none.
    # gap: samples were missed before this event; absent where not.
    # dropped: updates that this subscriber missed since its last event because
    #   it did not read; absent where none.
    # rate: absent where not asked for, and while the state is not running.
    # tilt: absent where not asked for; GetMotion always has it.
    method Subscribe(
      min_interval: ?float,
      only_changes: ?bool,
      rate: ?bool,
      tilt: ?bool,
      reduced_motion: ?bool,
      screen_rotation: ?int,
      scene: ?object,
      backlog: ?int
    ) -> (
    \(event)
    )

    # The present state, as the first event of a stream would have it. Does not
    # wake the sensor.
    method GetMotion() -> (
    \(event)
    )

    # All about the daemon. Does not wake the sensor. What does not apply is null.
    method GetStatus() -> (
      version: string,
      state: string,
      reason: ?string,
      # One sentence for people
      text: string,
      # Seconds until the sensor is tried again
      retry_in: ?float,
      reduced_motion: bool,
      sensor: Sensor,
      configuration: Configuration,
      settings: []Setting,
      # rad/s, along x, y and z
      bias: []float,
      # 0 to 1; null where no bias is estimated
      bias_confidence: ?float,
      # What the tilt is made of just now, and why: the gyroscope, or the gyroscope
      # and an accelerometer
      tilt: ?string,
      counters: Counters,
      subscribers: int,
      connections: int,
      # Connections that have a page open; they count as subscribers
      pages: ?int
    )

    # Offset, tilt and scenes to neutral, for everybody.
    method Recenter() -> ()

    # Moves the content by hand: points in screen direction, x to the right, y
    # DOWN; at most a million either way. Ignored while motion is reduced.
    method Pan(x: float, y: float) -> ()

    # Overrides the configuration until the daemon stops; null gives it back to
    # the configuration. With "more": reduced for as long as the connection lives
    # (enabled is true or null then, and the one reply says "continues").
    method SetReducedMotion(enabled: ?bool) -> ()

    # Measures the bias (rad/s, along x, y and z of the sensor's own frame) with the
    # device at rest, for so many seconds (5; 2 to 60) from the first sample on, and
    # replies then. The sensor is on meanwhile. What is found is the estimate from
    # then on, with confidence 1, and is remembered; it is taken off where
    # calibration.mode is auto. For root, the daemon's user and the control group.
    #
    # DeviceMoved, as soon as it moves; NoSensor where there is none, it says nothing
    # or one thing for ever, or while motion is reduced so that it is not read. Calls
    # behind it wait. A hang-up ends it. Each of several callers at once is served by
    # itself.
    #
    # noise: the standard deviation of the samples, rad/s.
    method Calibrate(duration: ?float) -> (bias: []float, confidence: float, noise: ?[]float)

    # A page of shared memory with the newest offset, to be read at the display's
    # own refresh without a system call: include/parallax_page.h has the layout and
    # a reader. fileDescriptor is an index into the descriptors that come with the
    # reply's first byte; map size bytes of it, for reading.
    #
    # The connection counts as a subscriber until it closes, and takes further
    # calls. It gets one page (TooManySubscribers for a second). There are rates in
    # it for those who may see them; where a reload takes that right away the page is
    # written no more, and the connection ends: with PermissionDenied, or where the
    # right is still there without, to be opened anew. An accelerometer is read for
    # subscribers with tilt, not for a page: the tilt in it is as theirs.
    method OpenPage() -> (version: int, size: int, fileDescriptor: int)

    # Raw scans, as the pipeline sees them (call it with "more"; ExpectedMore
    # otherwise). For root, the daemon's user and the control group; where
    # server.allow_raw is true for everybody, else PermissionDenied. Counts as a
    # subscriber: the sensor runs.
    #
    # The daemon begins its stream anew, so that from the first scan on it computes
    # what a fresh pipeline computes from the same scans; but not for a caller who may
    # not Recenter (see mid_stream). A header comes first, when
    # the sensor runs, then a batch for each wake-up of the sensor. Another header,
    # with restart, comes where the stream begins anew for another reason: the sensor
    # was opened again, a recording began its next lap, settings were read again, the
    # bias was calibrated, or another raw stream began.
    #
    # recenter: the offset becomes neutral at the same moment, for everybody (false);
    #   for those who may Recenter.
    #
    # Of a header; rate = matrix * ((raw + offset) * scale - bias):
    # format: integer (a converter's numbers) or decimal (a recording's).
    # scale: rad/s per unit, along x, y and z.
    # offset: added before the scale.
    # matrix: the mount matrix, nine numbers by rows.
    # bias: rad/s in the sensor's frame, of the moment.
    # bias_variance: how much is known of it, (rad/s)^2: 1 where nothing is; absent
    #   where it is not estimated.
    # frequency: samples per second that the sensor is set to; absent where unknown.
    # no_data: a scan with this value on all three axes holds no data.
    # clock: the one the sensor stamps its scans by, as in the status; the
    #   timestamps themselves are mapped to CLOCK_MONOTONIC.
    # name, label, path: the sensor's.
    # restart: what came before belongs to another stream; absent where not.
    # mid_stream: the stream was not begun anew for this caller, so that the live
    #   offsets do not follow from these scans alone; absent where it was.
    #
    # Of a batch:
    # timestamp_ns: of the newest scan in it.
    # timestamps_ns: of each scan, the oldest first; absent where there is one.
    # raw: x, y and z of each scan, three numbers a scan.
    # values: instead of raw where they are no integers.
    # dropped: scans lost before this batch because this subscriber did not read;
    #   absent where none.
    method SubscribeRaw(recenter: ?bool) -> (
      format: ?string,
      scale: ?[]float,
      offset: ?[]float,
      matrix: ?[]float,
      clock: ?string,
      timestamp_ns: ?int,
      raw: ?[]int,
      bias: ?[]float,
      frequency: ?float,
      no_data: ?float,
      name: ?string,
      label: ?string,
      path: ?string,
      restart: ?bool,
      mid_stream: ?bool,
      timestamps_ns: ?[]int,
      values: ?[]float,
      dropped: ?int,
      bias_variance: ?float
    )

    # There is no usable sensor.
    error NoSensor (reason: string)

    # The device was moved during the calibration; the bias is unchanged.
    error DeviceMoved ()

    # So many connections are allowed, in all or per user. The first call of one
    # too many gets this answer.
    error TooManySubscribers (limit: int)

    # What is wrong with a scene: where in it, and the rest of the sentence,
    # "is -1; allowed: ...".
    error InvalidScene (path: string, reason: string)

    # A message has more than so many bytes.
    error MessageTooLong (limit: int)

    """
}
