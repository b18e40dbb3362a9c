import Glibc

@main
struct Main {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "process": exit(ProcessCommand.run(Array(arguments.dropFirst())))
    default: exit(2)
    }
  }
}
