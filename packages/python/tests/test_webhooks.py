"""Webhooks: one of the service, forged ones and old ones."""

import base64
import hashlib
import hmac
import time
import uuid
from pathlib import Path
from typing import Any, Dict, List

import httpx
import pytest
from conftest import Setting

from mediamill import Mediamill, WebhookVerificationError


def receive(url: str) -> Dict[str, Any]:
    for _attempt in range(100):
        received: List[Dict[str, Any]] = httpx.get(url).json()
        if received:
            return received[0]
        time.sleep(0.1)
    raise AssertionError("no webhook")


def test_verifies_webhooks_and_rejects_forged_ones(
    mm: Mediamill, photo: Path, setting: Setting
) -> None:
    hook = f"{setting.host_url}/hook/{uuid.uuid4()}/200"
    job = mm.run("image/palette", input=photo, webhook_url=hook)
    received = receive(hook)
    body, headers, secret = received["body"], received["headers"], setting.webhook_secret
    event = mm.webhooks.unwrap(body.encode(), headers, secret)
    assert (event["type"], event["data"]["id"]) == ("job.completed", job.id)
    titled = {name.title(): value for name, value in headers.items()}
    assert mm.webhooks.unwrap(body, titled, secret) == event

    def refused(body: str, headers: Dict[str, str], match: str, key: str = secret) -> None:
        with pytest.raises(WebhookVerificationError, match=match):
            mm.webhooks.unwrap(body, headers, key)

    refused(body.replace("completed", "failed"), headers, "signature")
    refused(body, {**headers, "webhook-id": "whd_other"}, "signature")
    refused(body, headers, "signature", "whsec_" + base64.b64encode(b"another").decode())
    refused(body, {}, "webhook-id")
    refused(body, {**headers, "webhook-timestamp": "now"}, "number")
    refused(body, headers, "secret", "whsec_*")
    refused(body, {**headers, "webhook-signature": "v2,x v1,ä"}, "signature")


def test_rejects_old_webhooks() -> None:
    key = b"a secret of some bytes"
    timestamp = int(time.time()) - 3600
    digest = hmac.new(key, f"whd_1.{timestamp}.{{}}".encode(), hashlib.sha256).digest()
    headers = {
        "webhook-id": "whd_1",
        "webhook-timestamp": str(timestamp),
        "webhook-signature": "v1," + base64.b64encode(digest).decode(),
    }
    with pytest.raises(WebhookVerificationError, match="too old"):
        Mediamill().webhooks.unwrap("{}", headers, "whsec_" + base64.b64encode(key).decode())
