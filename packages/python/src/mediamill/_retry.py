"""When a request is sent again."""

from __future__ import annotations

import random
from typing import Optional

from ._errors import ApiError, MediamillError

_first_seconds = 0.5
_last_seconds = 8.0
_longest_seconds = 60.0


def retry_delay(error: MediamillError, attempt: int, once: bool) -> Optional[float]:
    """Seconds until the next attempt; None if another would not help, or could do it twice.

    `attempt` is 0 for the first. `once`: the request creates something and has no Idempotency-Key.
    """
    backoff: float = min(_last_seconds, _first_seconds * 2**attempt) * random.uniform(0.75, 1.25)
    if not isinstance(error, ApiError):
        return None if once else backoff
    asked = _seconds(error.headers.get("retry-after"))
    status = error.status
    # A conflict that passes says when: the first request with the same key is still running.
    passes = status in (408, 429) or status >= 500 or (status == 409 and asked is not None)
    if not passes or (once and status not in (429, 503)):
        return None
    if asked is None:
        return backoff
    return asked if asked <= _longest_seconds else None


def poll_pause(error: ApiError) -> float:
    """Seconds until a job is read again after the status 429."""
    asked = _seconds(error.headers.get("retry-after"))
    return min(_longest_seconds, max(_first_seconds, _last_seconds if asked is None else asked))


def _seconds(header: Optional[str]) -> Optional[float]:
    try:
        return max(0.0, float(header)) if header else None
    except ValueError:
        return None
