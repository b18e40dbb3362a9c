import Wire

extension Server {
  /// Has the bias measured for a session, which waits for the outcome.
  func calibrate(_ session: Session, nanoseconds: Int64?, isOneway: Bool) throws(ServiceError) {
    guard let delegate else { throw .methodNotImplemented("org.parallaxd.Motion.Calibrate") }
    lastCalibration += 1
    try delegate.beginCalibration(lastCalibration, nanoseconds: nanoseconds)
    calibrating[lastCalibration] = session
    session.calibration = Session.Calibration(id: lastCalibration, isOneway: isOneway)
  }

  /// A calibration has come to an end; whoever asked for it is answered, and the calls behind it are.
  package func finishCalibration(_ id: Int, _ result: Result<CalibrationResult, ServiceError>) {
    guard let session = calibrating.removeValue(forKey: id) else { return }
    session.answerCalibration(result)
    dropFinished()
  }

  /// The session is about to go.
  func cancelCalibration(of session: Session) {
    guard let calibration = session.calibration else { return }
    session.calibration = nil
    calibrating[calibration.id] = nil
    delegate?.cancelCalibration(calibration.id)
  }

  /// Ends those of callers who may not change things for others any more.
  func endForbiddenCalibrations() {
    for session in calibrating.values where !access.mayControl(session.descriptor) {
      session.end(with: .permissionDenied)
      session.settle()
    }
  }
}

extension Session {
  /// What a connection waits for.
  struct Calibration {
    let id: Int
    let isOneway: Bool
  }

  /// Answers, and goes on with what waits.
  func answerCalibration(_ result: Result<CalibrationResult, ServiceError>) {
    guard let calibration else { return }
    self.calibration = nil
    if !calibration.isOneway {
      send(
        server.written {
          switch result {
          case .success(let found): $0.appendReply(found, in: form)
          case .failure(let error): $0.appendError(error, in: form)
          }
        })
    }
    process()
    settle()
    endChange()
  }
}
