// Read by clients with `ReplyDecoder`, whose keys are in camel case by then.
extension MotionEvent: Decodable {
  private enum CodingKeys: String, CodingKey {
    case sequence, x, y, state, reason, reducedMotion, gap, dropped, rate, tilt
    case timestampNanoseconds = "timestampNs"
  }

  package init(from decoder: any Decoder) throws {
    self.init()
    let members = try decoder.container(keyedBy: CodingKeys.self)
    sequence = try members.decode(Int64.self, forKey: .sequence)
    timestampNanoseconds = try members.decode(Int64.self, forKey: .timestampNanoseconds)
    x = try members.decode(Double.self, forKey: .x)
    y = try members.decode(Double.self, forKey: .y)
    state = try members.decode(MotionState.self, forKey: .state)
    reason = try members.decodeIfPresent(StateReason.self, forKey: .reason)
    reducedMotion = try members.decode(Bool.self, forKey: .reducedMotion)
    gap = try members.decodeIfPresent(Bool.self, forKey: .gap) ?? false
    dropped = try members.decodeIfPresent(Int64.self, forKey: .dropped) ?? 0
    rate = try members.decodeIfPresent(Rate.self, forKey: .rate)
    tilt = try members.decodeIfPresent(Tilt.self, forKey: .tilt)
  }
}
