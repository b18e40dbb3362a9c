import CLinux
import CPage
import Glibc
import Linux
import TestSupport
import Testing

@testable import Page

/// A record of a running daemon.
private func frame(_ sequence: Int64, x: Double = 0, vx: Double = 0) -> PageFrame {
  var frame = PageFrame()
  frame.sequence = sequence
  frame.published_monotonic_ns = 1_000_000_000
  frame.x = x
  frame.velocity_x = vx
  frame.setState(PARALLAX_STATE_RUNNING, PARALLAX_REASON_NONE, reducedMotion: false)
  return frame
}

/// Another descriptor of the same memfd, as a restart hands it over.
private func duplicate(_ page: borrowing PageWriter) throws -> FileDescriptor {
  FileDescriptor(owning: try checked("dup") { dup(page.descriptor.number) })
}

struct SharedPageTests {
  @Test func whatIsWrittenIsRead() throws {
    let writer = try PageWriter(frame(-1))
    let reader = try PageLook(mapping: try writer.openForReading())
    #expect(reader.read() && reader.frame.sequence == -1)
    var next = frame(7, x: 1.5, vx: 100)
    next.setRate((0.25, -0.5, 3))
    writer.write(next)
    #expect(reader.read())
    #expect(reader.frame.sequence == 7 && reader.frame.x == 1.5 && reader.frame.hasRate)
    #expect((reader.frame.rate_x, reader.frame.rate_y, reader.frame.rate_z) == (0.25, -0.5, 3))
    #expect(reader.frame.extrapolated(toNanoseconds: 1_010_000_000).x == 2.5)
    next.setRate(nil)
    writer.write(next)
    #expect(reader.read() && !reader.frame.hasRate && reader.frame.rate_z == 0)
  }

  @Test func statesAndReasonsAsTheHeaderNumbersThem() {
    var frame = PageFrame()
    frame.setState(PARALLAX_STATE_WAITING, PARALLAX_REASON_NO_DEVICE, reducedMotion: true)
    #expect(frame.stateToken == "waiting" && frame.reasonToken == "no-device")
    #expect(!frame.isRunning && frame.hasReducedMotion)
    frame.setState(PARALLAX_STATE_RUNNING, PARALLAX_REASON_NONE, reducedMotion: false)
    #expect(frame.stateToken == "running" && frame.reasonToken == nil)
    #expect(frame.isRunning && !frame.hasReducedMotion)
    #expect(withUnsafePointer(to: frame) { parallax_frame_state($0) } == PARALLAX_STATE_RUNNING.rawValue)
    frame.flags = 0xffff00
    #expect(frame.stateToken == "unknown" && frame.reasonToken == "unknown")
  }

  /// A client's descriptor can be read, and nothing else.
  @Test func aReadersDescriptorCannotWrite() throws {
    let writer = try PageWriter(frame(0))
    let descriptor = try writer.openForReading()
    let number = descriptor.number
    #expect(mmap(nil, 192, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0) == MAP_FAILED)
    #expect(errno == EACCES)
    let mapped = mmap(nil, 192, PROT_READ, MAP_SHARED, number, 0)
    #expect(mprotect(mapped, 192, PROT_READ | PROT_WRITE) == -1)
    munmap(mapped, 192)
    #expect(ftruncate(writer.descriptor.number, 0) == -1 && errno == EPERM)
    #expect(ftruncate(writer.descriptor.number, 4096) == -1 && errno == EPERM)
    var about = stat()
    #expect(fstat(number, &about) == 0 && about.st_mode & 0o777 == 0o600)
    #expect(clinux_fcntl(number, F_GETFL, 0) & O_ACCMODE == O_RDONLY)
  }

  /// A record that is half written stays unread, whatever is in it, until the page is taken up.
  @Test func aTornRecordIsMendedOnTakeUp() throws {
    let first = try PageWriter(frame(1, x: 1))
    let reader = try PageLook(mapping: try first.openForReading())
    #expect(reader.read())
    let memory = try PageMemory(of: first.descriptor, writable: true)
    defer { _ = memory.address }  // mapped until here
    cpage_begin_write(memory.address)
    var half = frame(2, x: 2)
    cpage_store(memory.address, Int32(PARALLAX_WORD_X), &half.x)
    #expect(cpage_is_torn(memory.address) == 1)
    #expect(!reader.read())
    #expect(reader.frame.x == 1)

    let second = try PageWriter(takingUp: try duplicate(first), frame(3, x: 3))
    #expect(cpage_is_torn(memory.address) == 0)
    #expect(reader.read())
    #expect(reader.frame.sequence == 3 && reader.frame.x == 3)
    second.write(frame(4, x: 4))
    #expect(reader.read() && reader.frame.x == 4)
  }

  /// The lock never takes a value again that a reader may have seen: neither from even nor from odd.
  @Test(arguments: [2, 3, 4, 5, UInt64.max - 2, UInt64.max - 1])
  func theLockOnlyGrows(_ lock: UInt64) throws {
    let writer = try PageWriter(frame(1))
    let memory = try PageMemory(of: writer.descriptor, writable: true)
    defer { _ = memory.address }  // mapped until here
    let word = memory.address.assumingMemoryBound(to: UInt64.self) + Int(PARALLAX_WORD_LOCK)
    word.pointee = lock
    cpage_begin_write(memory.address)
    #expect(word.pointee % 2 == 1 && word.pointee != lock)
    cpage_end_write(memory.address)
    #expect(word.pointee == (lock % 2 == 0 ? lock &+ 2 : lock &+ 3))
  }

  @Test func whatIsNoPageIsNotTakenUp() throws {
    func memfd(size: off_t, seals: Bool) throws -> FileDescriptor {
      let made = FileDescriptor(owning: try checked("memfd") { clinux_memfd_create("test") })
      let number = made.number
      try checked("size") { ftruncate(number, size) }
      if seals { try checked("seal") { clinux_seal_size(number) } }
      return made
    }
    #expect(throws: SystemError.self) {
      _ = try PageWriter(takingUp: try memfd(size: 0, seals: true), frame(0))
    }
    #expect(throws: SystemError.self) {
      _ = try PageWriter(takingUp: try memfd(size: 192, seals: true), frame(0))
    }
    #expect(throws: SystemError.self) { _ = try PageReader(mapping: try memfd(size: 191, seals: true)) }
    #expect(throws: SystemError.self) { _ = try PageReader(mapping: try memfd(size: 192, seals: true)) }
    func unsealedPage() throws -> FileDescriptor {
      let made = try memfd(size: 192, seals: false)
      let memory = try PageMemory(of: made, writable: true)
      defer { _ = memory.address }  // mapped until here
      cpage_prepare(memory.address)
      return made
    }
    #expect(throws: SystemError.self) { _ = try PageWriter(takingUp: try unsealedPage(), frame(0)) }
    #expect(throws: Never.self) { _ = try PageReader(mapping: try unsealedPage()) }
    #expect(throws: SystemError.self) {
      _ = try PageWriter(takingUp: try FileDescriptor(opening: "/dev/null", flags: O_RDWR), frame(0))
    }
  }
}
