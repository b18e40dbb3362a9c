import Glibc

/// A thread that nobody waits for: it ends when what it does ends.
package enum DetachedThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts one.
  ///
  /// - Parameters:
  ///   - operation: "start the sensor's thread", for the error.
  ///   - run: what it does; kept until it has done it.
  package static func start(_ operation: String, _ run: @escaping @Sendable () -> Void) throws(SystemError) {
    var thread = pthread_t()
    let body = Unmanaged.passRetained(Body(run))
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    guard result == 0 else {
      body.release()
      throw SystemError(code: result, operation: operation)
    }
    pthread_detach(thread)
  }
}
