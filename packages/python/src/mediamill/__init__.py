"""The client of Mediamill: transform video, audio, images and documents over HTTP."""

from ._async.chain import AsyncChain
from ._async.client import AsyncMediamill
from ._async.job import AsyncDownload, AsyncJob, AsyncOutput
from ._errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    ConnectionError,
    InvalidRequestError,
    JobFailedError,
    MediamillError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    TimeoutError,
    WebhookVerificationError,
)
from ._sync.chain import Chain
from ._sync.client import Mediamill
from ._sync.job import Download, Job, Output
from ._types import (
    BrowserToken,
    FileInput,
    JobData,
    JobEvent,
    JobEventType,
    JobStatus,
    JobStepData,
    NewWebhookEndpoint,
    OutputData,
    Progress,
    Upload,
    Usage,
    UsageReport,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEvent,
    WithResponse,
)
from ._version import __version__
from ._webhooks import Webhooks

__all__ = [
    "ApiError",
    "AsyncChain",
    "AsyncDownload",
    "AsyncJob",
    "AsyncMediamill",
    "AsyncOutput",
    "AuthenticationError",
    "BrowserToken",
    "Chain",
    "ConflictError",
    "ConnectionError",
    "Download",
    "FileInput",
    "InvalidRequestError",
    "Job",
    "JobData",
    "JobEvent",
    "JobEventType",
    "JobFailedError",
    "JobStatus",
    "JobStepData",
    "Mediamill",
    "MediamillError",
    "NewWebhookEndpoint",
    "NotFoundError",
    "Output",
    "OutputData",
    "PermissionDeniedError",
    "Progress",
    "RateLimitError",
    "ServerError",
    "TimeoutError",
    "Upload",
    "Usage",
    "UsageReport",
    "WebhookDelivery",
    "WebhookEndpoint",
    "WebhookEvent",
    "WebhookVerificationError",
    "Webhooks",
    "WithResponse",
    "__version__",
]
