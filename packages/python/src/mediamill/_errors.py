"""The errors that the clients raise."""

from __future__ import annotations

import builtins
import json
from typing import Dict, Mapping, Optional, Type

from ._types import JobData


class MediamillError(Exception):
    """Every error of this package, except for those of wrong arguments."""


class ConnectionError(MediamillError, builtins.ConnectionError):
    """The service could not be reached, or the connection was lost."""


class TimeoutError(MediamillError, builtins.TimeoutError):
    """It took longer than `timeout`. A job goes on; read it again by `job_id`."""

    def __init__(self, message: str, job_id: Optional[str] = None) -> None:
        super().__init__(message)
        self.job_id = job_id


class ApiError(MediamillError):
    """The service refused a request.

    `status` is the HTTP status. `code` is such as `invalid_parameter`; see the documentation of errors.
    Quote `request_id` when you ask for help. `headers` are those of the response, in lower case.
    """

    def __init__(self, message: str, status: int, headers: Mapping[str, str]) -> None:
        super().__init__(message)
        self.status = status
        self.headers = {name.lower(): value for name, value in headers.items()}
        self.code = self.headers.get("x-error-code", "unknown")
        self.request_id = self.headers.get("x-request-id")


class InvalidRequestError(ApiError):
    """400, 413, 415 or 422: the request itself is at fault."""


class AuthenticationError(ApiError):
    """401: the API key is missing or not valid."""


class PermissionDeniedError(ApiError):
    """403: the API key may not do this."""


class NotFoundError(ApiError):
    """404 or 410: it does not exist, or no longer."""


class ConflictError(ApiError):
    """409: the job is in a state that does not allow it."""


class RateLimitError(ApiError):
    """429: too many requests, or the plan's usage limit is reached."""


class ServerError(ApiError):
    """5xx."""


class JobFailedError(MediamillError):
    """A job that was waited for failed, or was cancelled.

    `job` is the job as the API sent it. `code` is its `error_code`, or `cancelled`.
    """

    def __init__(self, job: JobData) -> None:
        super().__init__(job["error"] or f"The job was {job['status']}.")
        self.job = job
        self.code: str = job["error_code"] or job["status"]


class WebhookVerificationError(MediamillError):
    """The request is not a webhook of your account, was altered, or is too old."""


_classes: Dict[int, Type[ApiError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitError,
}


def api_error(status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    """The error for a response that is not a success."""
    message = f"The service responded with status {status}."
    names = {name.lower() for name in headers}
    if status == 413 and "x-error-code" not in names:
        message = _host_limit_message(is_vercel="x-vercel-error" in names)
    try:
        message = str(json.loads(body)["error"])
    except (ValueError, KeyError, TypeError):
        pass  # Not from the service itself, such as a proxy's page.
    error_class = _classes.get(status, ServerError if status >= 500 else ApiError)
    return error_class(message, status, headers)


def _host_limit_message(is_vercel: bool) -> str:
    """The host in front of the service refused the request. Vercel names its limit only by its code."""
    limit = (
        "accepts at most 4.5 MB per request"
        if is_vercel
        else "does not accept a request so large"
    )
    return (
        f"This host {limit}. Upload the file first, or send its URL. "
        "If it was an upload, the storage of this service takes none directly: send a URL."
    )
