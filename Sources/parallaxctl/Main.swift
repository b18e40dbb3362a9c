import Glibc

@main
struct Main {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    default: exit(2)
    }
  }
}
