"""Names of parameters."""

from __future__ import annotations

import keyword


def parameter_name(name: str) -> str:
    """The API's name of a parameter: `in_` is `in`, which is a keyword of Python."""
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name
