extension Settings {
  /// Every setting with its value as it would stand in a configuration file, in the table's order.
  package var inForce: [(name: String, value: String)] {
    SettingKey.all.map { ($0.name, $0.text(in: self)) }
  }
}
