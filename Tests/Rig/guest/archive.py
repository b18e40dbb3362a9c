"""Archives that a kernel unpacks as its first root file system: cpio, "newc" (the kernel's early-userspace documents).

A kernel takes several of them one after another, so each layer of the guest is made and kept for itself.
"""

import stat
import tarfile
from pathlib import Path
from typing import BinaryIO

ALIGNMENT = 4


class Archive:
    """Writes one archive; everything in it belongs to root unless said otherwise."""

    def __init__(self, out: BinaryIO) -> None:
        self.out = out
        self.count = 0
        self.folders: set[str] = set()

    def add(
        self,
        name: str,
        mode: int,
        data: bytes = b"",
        *,
        owner: tuple[int, int] = (0, 0),
        device: tuple[int, int] = (0, 0),
    ) -> None:
        """One entry; `mode` has the file type in it."""
        self.count += 1
        path = name.encode() + b"\0"
        fields = [self.count, mode, *owner, 1, 0, len(data), 0, 0, *device, len(path), 0]
        self._write_padded(b"070701" + b"".join(b"%08X" % field for field in fields) + path)
        self._write_padded(data)

    def add_folder(self, name: str, mode: int = 0o755) -> None:
        """A folder and those above it, once."""
        if not name or name in self.folders:
            return
        self.add_folder(name.rpartition("/")[0])
        self.folders.add(name)
        self.add(name, stat.S_IFDIR | mode)

    def add_file(self, name: str, data: bytes, mode: int = 0o644) -> None:
        """A file, and the folders above it."""
        self.add_folder(name.rpartition("/")[0])
        self.add(name, stat.S_IFREG | mode, data)

    def add_link(self, name: str, target: str) -> None:
        """A symbolic link, and the folders above it."""
        self.add_folder(name.rpartition("/")[0])
        self.add(name, stat.S_IFLNK | 0o777, target.encode())

    def add_tree(self, tree: Path, under: str = "") -> None:
        """What a folder holds, with the modes it has there."""
        for path in sorted(tree.rglob("*")):
            name = f"{under}{path.relative_to(tree)}"
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                self.add_link(name, str(path.readlink()))
            elif stat.S_ISDIR(mode):
                self.add_folder(name, stat.S_IMODE(mode))
            else:
                self.add_file(name, path.read_bytes(), stat.S_IMODE(mode))

    def close(self) -> None:
        """The archive's end."""
        self.add("TRAILER!!!", 0)

    def _write_padded(self, data: bytes) -> None:
        self.out.write(data + bytes(-len(data) % ALIGNMENT))


def from_tar(tar: Path, out: BinaryIO, left_out: tuple[str, ...]) -> None:
    """Turns a tar archive into one that a kernel takes, without unpacking it: owners stay, root is not needed.

    Names that begin with one of `left_out` are left out.
    """
    archive = Archive(out)
    with tarfile.open(tar) as source:
        for entry in source:
            name = entry.name.removeprefix("./").rstrip("/")
            if not name or name == "." or name.startswith(left_out):
                continue
            owner = (entry.uid, entry.gid)
            if entry.isdir():
                archive.add(name, stat.S_IFDIR | entry.mode, owner=owner)
            elif entry.issym():
                archive.add(name, stat.S_IFLNK | 0o777, entry.linkname.encode(), owner=owner)
            elif entry.isreg() or entry.islnk():
                # A hard link becomes a file of its own.
                content = source.extractfile(entry)
                archive.add(name, stat.S_IFREG | entry.mode, content.read() if content else b"", owner=owner)
            elif entry.ischr() or entry.isblk():
                kind = stat.S_IFCHR if entry.ischr() else stat.S_IFBLK
                archive.add(name, kind | entry.mode, owner=owner, device=(entry.devmajor, entry.devminor))
    archive.close()
