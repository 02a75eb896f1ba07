"""Webhook endpoints: made, changed, tried and deleted."""

import time
import uuid
from typing import Any, Dict, List

import httpx
import pytest
from conftest import Setting

from mediamill import AsyncMediamill, InvalidRequestError, Mediamill, NotFoundError


def receive(url: str) -> Dict[str, Any]:
    for _attempt in range(100):
        received: List[Dict[str, Any]] = httpx.get(url).json()
        if received:
            return received[0]
        time.sleep(0.1)
    raise AssertionError("no webhook")


def test_makes_tries_changes_and_deletes_an_endpoint(mm: Mediamill, setting: Setting) -> None:
    hook = f"{setting.host_url}/hook/{uuid.uuid4()}/200"
    made = mm.webhook_endpoints.create(url=hook, events=["upload.completed"], description="Tests")
    assert made["enabled"] and made["description"] == "Tests"
    assert [one["id"] for one in mm.webhook_endpoints.list()] == [made["id"]]
    delivery = mm.webhook_endpoints.test(made["id"])
    assert delivery["endpoint"] == made["id"]
    received = receive(hook)
    event = mm.webhooks.unwrap_endpoint(received["body"], received["headers"], made["secret"])
    assert event["type"] == "test"
    rotated = mm.webhook_endpoints.rotate_secret(made["id"])
    assert rotated["secret"] != made["secret"]
    changed = mm.webhook_endpoints.update(made["id"], enabled=False, events=["job.*"])
    assert changed["disabled_reason"] == "owner" and changed["events"] == ["job.*"]
    mm.webhook_endpoints.delete(made["id"])
    with pytest.raises(NotFoundError):
        mm.webhook_endpoints.get(made["id"])


def test_a_wrong_event_is_rejected(mm: Mediamill) -> None:
    with pytest.raises(InvalidRequestError, match="events"):
        mm.webhook_endpoints.create(url="https://example.com/hook", events=["job.done"])


@pytest.mark.anyio
async def test_works_with_the_asynchronous_client() -> None:
    async with AsyncMediamill() as mm:
        made = await mm.webhook_endpoints.create(
            url="https://example.com/hook", events=["batch.completed"]
        )
        assert (await mm.webhook_endpoints.get(made["id"]))["url"] == made["url"]
        await mm.webhook_endpoints.delete(made["id"])
