import Glibc

/// A value that several threads share, each in its turn.
///
/// pthread's mutex and not `Synchronization.Mutex`: the thread sanitizer knows pthread's, and takes what the
/// other guards for a race.
///
/// Sendable, since the value is touched only while the mutex is held.
package final class Guarded<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    // Fails only for attributes, and there are none.
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` alone with the value; `body` must not block, nor come here again.
  package func withLock<Result>(_ body: (inout Value) -> sending Result) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}
