"""What the tests from outside share: a made-up gyroscope, a Varlink client, waiting."""
