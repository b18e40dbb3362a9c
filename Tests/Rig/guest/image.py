"""What the guest boots: Debian's kernel, a small Debian with systemd, and on top the installed tree.

Each layer is an archive in the cache, with a key of what it was made from in its name: the next run finds it.
Nothing here needs root, but mmdebstrap where a user may not make namespaces.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from . import archive

REPOSITORY = Path(__file__).resolve().parents[3]
RIG = REPOSITORY / "Tests" / "Rig"
CACHE = REPOSITORY / ".build" / "rig"

# The first kernel of bookworm whose software triggers are built.
KERNEL_NAME = re.compile(r"linux-image-6\.12\.\d+\+deb12-amd64(-unsigned)?")
RELEASE = "bookworm"
# The exit code that scripts/rig takes for a reason to leave the rig out (sysexits.h, EX_TEMPFAIL).
UNAVAILABLE = 75
PACKAGES = (
    "systemd systemd-sysv udev dbus kmod iproute2 socat i2c-tools libiio0 libiio-utils iiod"
    " libsystemd0 libstdc++6 libcairo2"
).split()
# What a guest of a minute needs not.
LEFT_OUT = (
    "usr/share/doc",
    "usr/share/man",
    "usr/share/locale",
    "usr/share/i18n",
    "usr/share/zoneinfo",
    "usr/share/info",
    "usr/share/perl",
    "usr/lib/x86_64-linux-gnu/perl",
    "usr/lib/x86_64-linux-gnu/gconv",
    "usr/lib/udev/hwdb",
    "usr/share/bash-completion",
    "etc/systemd/system/multi-user.target.wants/iiod",
    "var/lib/apt",
    "var/lib/dpkg/info",
    "var/cache",
    "var/log",
)
# Those named and what they depend on are taken along.
MODULES = (
    "virtio_net uhid hid-sensor-hub hid-sensor-gyro-3d hid-sensor-iio-common hid-sensor-trigger"
    " industrialio industrialio-triggered-buffer industrialio-configfs industrialio-sw-trigger kfifo_buf"
    " iio-trig-hrtimer i2c-stub i2c-dev dummy_hcd libcomposite usb_f_fs bmg160_core"
    " bmg160_i2c fxas21002c_core fxas21002c_i2c bmc150_accel_i2c fuse autofs4 configfs"
).split()


class Unavailable(Exception):
    """Something that the rig is made of cannot be had on this machine; the text says what."""


class CommandFailed(Exception):
    """A command that works wherever the project does has failed; the text is what it said."""


def run(*command: str | Path, seconds: float = 900, **options) -> str:
    """What a command prints; `CommandFailed` where it fails."""
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            timeout=seconds,
            check=False,
            **options,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CommandFailed(f"{command[0]}: {error}") from None
    if done.returncode != 0:
        said = done.stderr.strip() or "no message"
        raise CommandFailed(f"`{' '.join(map(str, command))}` failed: {said}")
    return done.stdout


def obtain(*command: str | Path, **options) -> str:
    """What a command prints that brings something from Debian's archive; `Unavailable` where it fails."""
    try:
        return run(*command, **options)
    except CommandFailed as error:
        # One line: the last one says what was wrong.
        *_, last = str(error).splitlines()
        raise Unavailable(last if command[0] in last else f"{command[0]}: {last}") from None


def key(*parts: str) -> str:
    """A short name for all of them together."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def kernel_package() -> tuple[str, str]:
    """The newest package with such a kernel, and its version."""
    names = [
        name
        for name in obtain("apt-cache", "pkgnames", "linux-image-6.12.").split()
        if KERNEL_NAME.fullmatch(name)
    ]

    def age(name: str) -> tuple[int, bool]:
        # Of the same number the signed one: it is the one that people have.
        return int(name.split(".")[2].partition("+")[0]), not name.endswith("-unsigned")

    if not names:
        raise Unavailable(
            "no package linux-image-6.12.*+deb12-amd64 is known here: it is in bookworm-security"
        )
    newest = max(names, key=age)
    return newest, candidates(newest)[0]


def candidates(*packages: str) -> list[str]:
    """The versions that apt would install."""
    policy = obtain("apt-cache", "policy", *packages, env=os.environ | {"LC_ALL": "C"})
    return re.findall(r"^ +Candidate: (.*)$", policy, re.MULTILINE)


class Cache:
    """A folder of files that are made once each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def get(self, kind: str, ending: str, name: str, make) -> Path:
        """The file of this kind with this key; when `make(path)` has made it, older ones of the kind go."""
        path = self.folder / f"{kind}-{name}{ending}"
        if not path.exists():
            part = path.with_suffix(".part")
            part.unlink(missing_ok=True)
            make(part)
            part.replace(path)
            for old in self.folder.glob(f"{kind}-*{ending}"):
                if old != path:
                    old.unlink()
        return path


def base(cache: Cache) -> Path:
    """A Debian with systemd, as an archive."""
    name = key(*PACKAGES, *candidates(*PACKAGES), *LEFT_OUT, Path(archive.__file__).read_text())

    def make(path: Path) -> None:
        print("Making the guest's Debian; this takes half a minute", flush=True)
        tar = path.with_suffix(".tar")
        tar.unlink(missing_ok=True)
        options = ["--quiet", "--variant=essential", f"--include={','.join(PACKAGES)}"]
        obtain("mmdebstrap", *options, RELEASE, tar, env=os.environ | {"LC_ALL": "C"})
        with path.open("wb") as out:
            archive.from_tar(tar, out, LEFT_OUT)
        tar.unlink()

    return cache.get("debian", ".cpio", name, make)


def kernel(cache: Cache) -> tuple[Path, Path]:
    """The kernel, and its modules as an archive."""
    package, version = kernel_package()
    name = key(package, version, *MODULES, Path(archive.__file__).read_text())
    folder = cache.folder / "kernel.unpacked"

    def unpack() -> Path:
        if not folder.exists():
            print(f"Fetching {package} {version}", flush=True)
            part = folder.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            # The folder may be one that apt's own user cannot write.
            obtain(
                "apt-get",
                "-qq",
                "-o",
                "APT::Sandbox::User=root",
                "download",
                f"{package}={version}",
                cwd=part,
            )
            [deb] = part.glob("*.deb")
            run("dpkg-deb", "--extract", deb, part)
            part.rename(folder)
        return folder

    image = cache.get(
        "vmlinuz", "", name, lambda path: shutil.copyfile(next(unpack().glob("boot/vmlinuz-*")), path)
    )
    modules = cache.get("modules", ".cpio", name, lambda path: pack_modules(unpack(), path))
    shutil.rmtree(folder, ignore_errors=True)
    return image, modules


def pack_modules(unpacked: Path, path: Path) -> None:
    """The modules that are wanted and those that they depend on."""
    depmod = shutil.which("depmod", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if not depmod:
        raise Unavailable("depmod is missing: it is in the package kmod")
    [root] = unpacked.glob("lib/modules/*")
    run(depmod, "-b", unpacked, root.name)
    needs = {}
    for line in (root / "modules.dep").read_text().splitlines():
        module, _, others = line.partition(":")
        needs[module] = others.split()
    by_name = {Path(module).name.partition(".ko")[0].replace("_", "-"): module for module in needs}
    # What has no file is built in.
    chosen = {by_name[name] for name in (name.replace("_", "-") for name in MODULES) if name in by_name}
    chosen |= {other for module in chosen for other in needs[module]}
    # depmod again, of these alone: its tables are larger than they are.
    few = unpacked / "few"
    for module in [*chosen, *(table.name for table in root.glob("modules.builtin*")), "modules.order"]:
        copy = few / "lib/modules" / root.name / module
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / module, copy)
    run(depmod, "-b", few, root.name)
    with path.open("wb") as out:
        packed = archive.Archive(out)
        # The guest's /lib is a link.
        packed.add_tree(few / "lib/modules", under="usr/lib/modules/")
        packed.close()


def compiled(cache: Cache, source: Path) -> Path:
    """A program for the guest, which has no compiler."""
    flags = ["-static", "-O2", "-Wall", "-Wextra", "-Werror"]
    name = key(source.read_text(), *flags)
    return cache.get(source.stem, ".bin", name, lambda path: run("cc", *flags, "-o", path, source))


def top(cache: Cache) -> Path:
    """What `make install` makes of the release that is built, the programs of the rig and its units."""
    tree = cache.folder / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    run("make", "-C", REPOSITORY, "--no-print-directory", "install", f"DESTDIR={tree}", "PREFIX=/usr")
    path = cache.folder / "top.cpio"
    with path.open("wb") as out:
        packed = archive.Archive(out)
        packed.add_tree(tree)
        packed.add_tree(RIG / "overlay")
        for program in sorted((RIG / "programs").glob("*.c")):
            packed.add_file(f"usr/lib/rig/{program.stem}", compiled(cache, program).read_bytes(), 0o755)
        packed.close()
    return path


def build() -> tuple[Path, Path]:
    """The kernel and all layers in one file."""
    cache = Cache(CACHE)
    image, modules = kernel(cache)
    layers = [base(cache), modules, top(cache)]
    whole = cache.folder / "initrd"
    with whole.open("wb") as out:
        for layer in layers:
            with layer.open("rb") as part:
                shutil.copyfileobj(part, out, 1 << 20)
    return image, whole


if __name__ == "__main__":
    try:
        build()
    except Unavailable as error:
        print(error, file=sys.stderr)
        sys.exit(UNAVAILABLE)
    except CommandFailed as error:
        sys.exit(str(error))
