"""What the synchronous client does otherwise than the asynchronous one."""

from __future__ import annotations

import time
from typing import Any, Callable, TypeVar

from .._types import Progress

Result = TypeVar("Result")

OnProgress = Callable[[Progress], None]


def sleep(seconds: float) -> None:
    time.sleep(seconds)


def in_thread(function: Callable[..., Result], *args: Any) -> Result:
    return function(*args)


def report(on_progress: OnProgress, progress: Progress) -> None:
    on_progress(progress)


def finish(function: Callable[[], object]) -> None:
    function()
