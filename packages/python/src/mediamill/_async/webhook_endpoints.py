"""URLs that get the events of the account."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, cast

from .._types import NewWebhookEndpoint, WebhookDelivery, WebhookEndpoint
from .http import AsyncHttp

_path = "/v1/webhooks/endpoints"


class AsyncWebhookEndpoints:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def create(
        self, *, url: str, events: Sequence[str], description: str = ""
    ) -> NewWebhookEndpoint:
        """Creates an endpoint. `events`: types, `job.*` for all of jobs, or `*`. Its `secret` is not shown again."""
        fields = {"url": url, "events": [*events], "description": description}
        answer = await self._http.json("POST", _path, body=json_body(fields), once=True)
        return cast(NewWebhookEndpoint, answer)

    async def list(self) -> List[WebhookEndpoint]:
        """The endpoints, newest first."""
        return cast(List[WebhookEndpoint], (await self._http.json("GET", _path))["data"])

    async def get(self, endpoint_id: str) -> WebhookEndpoint:
        return cast(WebhookEndpoint, await self._http.json("GET", f"{_path}/{endpoint_id}"))

    async def update(
        self,
        endpoint_id: str,
        *,
        url: Optional[str] = None,
        events: Optional[Sequence[str]] = None,
        description: Optional[str] = None,
        enabled: Optional[bool] = None,
    ) -> WebhookEndpoint:
        """Changes what is given."""
        given = {
            "url": url,
            "events": None if events is None else [*events],
            "description": description,
            "enabled": enabled,
        }
        fields = {name: value for name, value in given.items() if value is not None}
        answer = await self._http.json("PATCH", f"{_path}/{endpoint_id}", body=json_body(fields))
        return cast(WebhookEndpoint, answer)

    async def delete(self, endpoint_id: str) -> None:
        await self._http.send("DELETE", f"{_path}/{endpoint_id}")

    async def rotate_secret(self, endpoint_id: str) -> NewWebhookEndpoint:
        """A new secret; the previous one also signs for 24 hours."""
        answer = await self._http.json("POST", f"{_path}/{endpoint_id}/rotate-secret", once=True)
        return cast(NewWebhookEndpoint, answer)

    async def test(self, endpoint_id: str) -> WebhookDelivery:
        """Sends a test event."""
        answer = await self._http.json("POST", f"{_path}/{endpoint_id}/test", once=True)
        return cast(WebhookDelivery, answer)


def json_body(fields: Dict[str, Any]) -> Any:
    return lambda _files: {"json": fields}
