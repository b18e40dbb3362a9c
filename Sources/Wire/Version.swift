/// The version of the daemon, the client and the `GetInfo` reply; the same text is in the file `VERSION`.
package let parallaxVersion = "0.1.0"
