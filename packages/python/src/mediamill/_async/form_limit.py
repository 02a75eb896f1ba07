"""What a form may have on the service's host."""

from __future__ import annotations

from .._errors import ApiError, MediamillError
from .http import AsyncHttp

_max_form_bytes = 32 * 2**20
"""Larger files are uploaded first in any case: a form would have to be sent again from its start."""

_small_form_bytes = 1_000_000
"""Every host takes forms of this size."""


async def is_too_large_for_form(http: AsyncHttp, size: int) -> bool:
    """Whether files of so many bytes together are uploaded before the job is created.

    The service is asked once for the limit of its host.
    """
    if size <= _small_form_bytes or size > _max_form_bytes:
        return size > _max_form_bytes
    if "form_bytes" not in http.limits:
        try:
            account = await http.json("GET", "/v1/account")
        except MediamillError:
            # The request for the job says what is wrong. The next one asks again.
            return False
        # An older service does not say it.
        announced = account.get("uploads", {}).get("form_bytes")
        http.limits["form_bytes"] = _max_form_bytes if announced is None else announced
    return size > http.limits["form_bytes"]


def is_refused_by_host(http: AsyncHttp, error: ApiError) -> bool:
    """Whether a form was refused by the host in front of the service, not by the service.

    All later files above `_small_form_bytes` are then uploaded.
    """
    if error.status != 413 or error.code != "unknown":
        return False
    http.limits["form_bytes"] = _small_form_bytes
    return True
