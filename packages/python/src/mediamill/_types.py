"""What the API sends. Fields that a newer service adds are there, without a type."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import (
    IO,
    Any,
    Dict,
    Generic,
    List,
    Literal,
    NamedTuple,
    Optional,
    Tuple,
    TypedDict,
    TypeVar,
    Union,
)

import httpx

from ._responses import AccountEventType as AccountEventType
from ._responses import JobData as JobData
from ._responses import JobEventType as JobEventType
from ._responses import JobStatus as JobStatus
from ._responses import JobStepData as JobStepData
from ._responses import OutputData as OutputData
from ._responses import WebhookEventType as WebhookEventType

Data = TypeVar("Data")

FileContent = Union[bytes, bytearray, memoryview, IO[bytes]]

FileInput = Union[str, os.PathLike[str], FileContent, Tuple[str, FileContent]]
"""A file: a URL, a path, the id of an upload, its content as bytes or as a file object that is open in
binary mode (it is sent from its beginning), or a pair of a file name and content."""


class Progress(NamedTuple):
    """How far a call is. `percent`, 0 to 100, is of this phase."""

    phase: Literal["upload", "processing"]
    percent: float


class Usage(TypedDict):
    """What the account has used in this billing period. No limit is null."""

    plan: str
    gb_used: float
    gb_included: Optional[float]
    gb_remaining: Optional[float]
    total_jobs: int


class _UsageCounts(TypedDict):
    jobs: int
    completed: int
    failed: int
    cancelled: int
    bytes: int
    errors: List[Dict[str, Any]]


class UsageCounts(_UsageCounts, total=False):
    """Jobs and how long they took. The durations are absent if no job has ended so."""

    duration_p50_ms: int
    duration_p95_ms: int


class _UsageGroup(UsageCounts):
    group: str


class UsageGroup(_UsageGroup, total=False):
    """A group of a report. `name` is that of an API key."""

    name: str


class UsageReport(TypedDict):
    """Jobs of some days by operation, API key, day or error code."""

    group_by: str
    created_after: str
    created_before: str
    total: UsageCounts
    groups: List[UsageGroup]


class BrowserToken(TypedDict):
    """A short-lived key for a page or an app."""

    token: str
    expires_at: str


class Upload(TypedDict):
    """A file that was uploaded. Its `id` can be the input of jobs."""

    id: str
    expires_at: str


class JobEvent(NamedTuple):
    """An event of the account. Pass `id` as `last_event_id` to continue after it."""

    id: str
    type: JobEventType
    job: JobData


class WebhookEvent(TypedDict):
    """What a webhook carries to the `webhook_url` of a job: an event with which it has ended."""

    type: WebhookEventType
    timestamp: str
    data: JobData


class EndpointJobEvent(TypedDict):
    """What an endpoint gets: an event of a job."""

    type: JobEventType
    timestamp: str
    data: JobData


class EndpointAccountEvent(TypedDict):
    """What an endpoint gets: an event of the account, or a test."""

    type: AccountEventType
    timestamp: str
    data: Dict[str, Any]


EndpointEvent = Union[EndpointJobEvent, EndpointAccountEvent]
"""What an endpoint gets. Its `type` says which of both it is."""


class WebhookEndpoint(TypedDict):
    """A URL that gets events of the account."""

    id: str
    url: str
    description: str
    events: List[str]
    enabled: bool
    created_at: str
    failing_since: Optional[str]
    disabled_at: Optional[str]
    disabled_reason: Optional[str]


class NewWebhookEndpoint(WebhookEndpoint):
    """An endpoint with its secret, which is not shown again."""

    secret: str


class DeliveryAttempt(TypedDict):
    at: str
    status: Optional[int]
    duration_ms: float
    response: str


class WebhookDelivery(TypedDict):
    """A webhook with its attempts."""

    id: str
    job: Optional[str]
    endpoint: Optional[str]
    type: str
    url: str
    status: str
    attempts: List[DeliveryAttempt]
    next_attempt_at: Optional[str]
    created_at: str


@dataclass(frozen=True)
class WithResponse(Generic[Data]):
    """What a method returned, and the response that it was made from."""

    data: Data
    response: httpx.Response


def is_final(job: JobData) -> bool:
    return job["status"] not in ("pending", "processing")
