"""The group of an operation of which only the name is known."""

from __future__ import annotations

import os
import re
from typing import Any, Optional, Sequence

from ._catalogue import groups_by_name

_extensions = {
    "video": r"\.(?:mp4|mov|mkv|webm|avi|mpe?g|m?ts|flv|wmv|3gp|ogv|mxf|m4v)$",
    "audio": r"\.(?:mp3|aac|m4a|ogg|opus|flac|wav|aiff?|caf|amr|ac3|wma|wv)$",
    "document": r"\.(?:pdf|html?|docx?|xlsx?|pptx?|od[tsp]|rtf|txt|csv|md|epub|eml|msg)$",
}


def find_operation(name: str, before: Optional[str], file: Any) -> Optional[str]:
    """The id of an operation that a chain can have, such as `image/resize` for `resize`.

    If several groups have one of this name, it is that of `before`, the operation before it, else the one
    that the name of the file suggests. None if no operation has this name.
    """
    own_name = name.replace("_", "-")
    groups: Sequence[str] = groups_by_name.get(own_name, ())
    if not groups:
        return None
    likely = before.split("/")[0] if before else _group_of(file)
    return f"{likely if likely in groups else groups[0]}/{own_name}"


def _group_of(file: Any) -> str:
    name = file[0] if isinstance(file, tuple) else getattr(file, "name", file)
    path = os.fspath(name) if isinstance(name, (str, os.PathLike)) else ""
    clean = re.sub(r"[?#].*", "", str(path))
    for group, pattern in _extensions.items():
        if re.search(pattern, clean, re.IGNORECASE):
            return group
    return "image"
