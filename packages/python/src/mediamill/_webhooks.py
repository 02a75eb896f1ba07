"""Webhooks, signed as Standard Webhooks says."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Mapping, Union, cast

from ._errors import WebhookVerificationError
from ._types import EndpointEvent, WebhookEvent

_tolerance_seconds = 5 * 60


class Webhooks:
    """Verifies webhooks. It needs no API key."""

    @staticmethod
    def unwrap(body: Union[bytes, str], headers: Mapping[str, str], secret: str) -> WebhookEvent:
        """Verifies a webhook and returns its event.

        `body` is the raw body: JSON that was parsed and written again has another signature. `headers`
        are those of the request, in any case. `secret` is `whsec_…`, from the dashboard. Raises
        `WebhookVerificationError`.
        """
        return cast(WebhookEvent, _unwrap(body, headers, secret))

    @staticmethod
    def unwrap_endpoint(
        body: Union[bytes, str], headers: Mapping[str, str], secret: str
    ) -> EndpointEvent:
        """Verifies what a webhook endpoint got, and returns its event, as `unwrap` does.

        `secret` is that of the endpoint. Raises `WebhookVerificationError`.
        """
        return cast(EndpointEvent, _unwrap(body, headers, secret))


def _unwrap(body: Union[bytes, str], headers: Mapping[str, str], secret: str) -> Any:
    raw = body.encode() if isinstance(body, str) else body
    own = {name.lower(): value for name, value in headers.items()}
    try:
        webhook_id, timestamp = own["webhook-id"], own["webhook-timestamp"]
        signatures = own["webhook-signature"].split()
    except KeyError as error:
        raise WebhookVerificationError(f"The header {error} is missing.") from None
    try:
        age = abs(time.time() - int(timestamp))
    except ValueError:
        raise WebhookVerificationError("The header 'webhook-timestamp' is not a number.") from None
    if age > _tolerance_seconds:
        raise WebhookVerificationError("The webhook is too old.")
    signed = f"{webhook_id}.{timestamp}.".encode() + raw
    digest = hmac.new(_key(secret), signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    if not any(hmac.compare_digest(expected.encode(), one.encode()) for one in signatures):
        raise WebhookVerificationError("The signature does not match.")
    return json.loads(raw)


def _key(secret: str) -> bytes:
    encoded = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
    try:
        return base64.b64decode(encoded, validate=True)
    except binascii.Error:
        raise WebhookVerificationError("The secret is not valid: it starts with whsec_.") from None
