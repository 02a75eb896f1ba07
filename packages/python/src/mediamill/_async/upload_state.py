"""What the service says of an upload."""

from __future__ import annotations

import json
import uuid
from typing import Any, Dict, Mapping, Optional, cast

from .._errors import ApiError
from .http import AsyncHttp, read_json

_key_length = 64
"""The length of a key that `derive_key` makes."""


async def create_upload(
    http: AsyncHttp, upload: Mapping[str, Any], key: Optional[str]
) -> Dict[str, Any]:
    """Creates an upload, or finds how far the one is that a request with the same key has created.

    `key`: the idempotency key; by default a random one.
    """
    sent_key = key or str(uuid.uuid4())
    while True:
        response = await http.send_json(
            "POST",
            "/v1/uploads",
            headers={"Content-Type": "application/json", "Idempotency-Key": sent_key},
            body=lambda _files: {"content": json.dumps(upload).encode()},
        )
        created = cast(Dict[str, Any], read_json(response))
        if "idempotency-replayed" not in response.headers:
            return created
        state = await read_upload(http, created["id"]) or {}
        if state.get("status") != "expired":
            return {**created, **state}
        # Its key is kept for longer. Each call finds the same upload after it.
        sent_key = f"{sent_key[:_key_length]} {created['id']}"


async def read_upload(http: AsyncHttp, id: str) -> Optional[Dict[str, Any]]:
    """How far an upload is. None if the service has none with this id, or the key may not read it."""
    try:
        return cast(Dict[str, Any], await http.json("GET", f"/v1/uploads/{id}"))
    except ApiError as error:
        if error.status in (403, 404):
            return None
        raise
