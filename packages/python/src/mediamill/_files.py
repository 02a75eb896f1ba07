"""Files that are sent with a request."""

from __future__ import annotations

import io
import os
import re
import tempfile
from contextlib import ExitStack
from typing import IO, Any, Callable, NamedTuple, Optional, Tuple, Union

from ._types import FileInput

_remote = re.compile(r"(?:https?://|upload_|conn_[0-9a-z]{24}:)", re.IGNORECASE)

_copy_bytes = 2**20


class RemoteFile(NamedTuple):
    """A file that is sent by its URL, the id of its upload, or its place in a connection."""

    url: str


class LocalFile(NamedTuple):
    """A file that is sent by its content. `open` gives it from its beginning, for each attempt."""

    filename: str
    size: int
    open: Callable[[ExitStack], IO[bytes]]
    fingerprint: Optional[str] = None
    """The same for the same file in another process; None for content without a path."""


File = Union[RemoteFile, LocalFile]


def resolve_file(value: FileInput, fallback: str = "file") -> File:
    """Any kind of file input as a URL or as content. `fallback` is the name of content without one.

    Raises `FileNotFoundError`, and `TypeError` for what is not a file.
    """
    if isinstance(value, str) and _remote.match(value):
        return RemoteFile(value)
    if isinstance(value, tuple):
        filename, content = value
        return _open_content(content)._replace(filename=filename)
    if isinstance(value, (str, os.PathLike)):
        return _open_path(os.fspath(value))
    file = _open_content(value)
    return file if file.filename else file._replace(filename=fallback)


def is_content(value: object) -> bool:
    """Whether the value of a parameter is a file, to be sent as a part of a form."""
    if isinstance(value, tuple):
        return len(value) == 2 and isinstance(value[0], str) and is_content(value[1])
    is_bytes = isinstance(value, (bytes, bytearray, memoryview))
    return is_bytes or isinstance(value, os.PathLike) or hasattr(value, "read")


def _open_path(path: str) -> LocalFile:
    stat = os.stat(path)

    def open_file(stack: ExitStack) -> IO[bytes]:
        return stack.enter_context(open(path, "rb"))

    fingerprint = f"{os.path.realpath(path)} {stat.st_size} {stat.st_mtime_ns}"
    return LocalFile(os.path.basename(path), stat.st_size, open_file, fingerprint)


def _open_content(content: Any) -> LocalFile:
    """The content, with the name of the file object if it has one."""
    if isinstance(content, (bytes, bytearray, memoryview)):
        data = bytes(content)
        return LocalFile("", len(data), lambda _stack: io.BytesIO(data))
    if not hasattr(content, "read"):
        kind = type(content).__name__
        raise TypeError(f"A file is a path, a URL, bytes or a file object, not {kind}.")
    if isinstance(content, io.TextIOBase):
        raise TypeError('The file is open in text mode. Open it with mode "rb".')
    name = getattr(content, "name", None)
    seekable, size = _seekable(content)

    def rewind(_stack: ExitStack) -> IO[bytes]:
        seekable.seek(0)
        return seekable

    return LocalFile(os.path.basename(name) if isinstance(name, str) else "", size, rewind)


def _seekable(content: IO[bytes]) -> Tuple[IO[bytes], int]:
    """The content with its size. What cannot be read twice, such as a pipe, is copied to the disk."""
    if hasattr(content, "seekable") and content.seekable():
        return content, content.seek(0, os.SEEK_END)
    copy = tempfile.TemporaryFile()
    while True:
        chunk = content.read(_copy_bytes)
        if not chunk:
            return copy, copy.seek(0, os.SEEK_END)
        copy.write(chunk)
