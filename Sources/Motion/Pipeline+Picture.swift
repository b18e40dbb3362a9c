extension Pipeline {
  /// What is taken off each rate for the bias, rad/s in the picture's frame: R·A·M·bias. For pictures; nothing is
  /// computed from it.
  package var biasInPicture: Vector3 { product * bias }
}
