"""What the service says of an upload."""

from __future__ import annotations

from typing import Any, Dict, Optional, cast

from .._errors import ApiError
from .http import AsyncHttp


async def read_upload(http: AsyncHttp, id: str) -> Optional[Dict[str, Any]]:
    """How far an upload is. None if the service has none with this id, or the key may not read it."""
    try:
        return cast(Dict[str, Any], await http.json("GET", f"/v1/uploads/{id}"))
    except ApiError as error:
        if error.status in (403, 404):
            return None
        raise
