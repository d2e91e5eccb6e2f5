"""The API of Parley: typed calls with retries, lists, exports and verified webhooks.

``Parley`` is the client, ``AsyncParley`` the same with ``async``. ``parley.types`` has the types of the API,
``parley.webhooks`` what a receiver of webhooks needs.
"""

from datetime import datetime, timezone

from parley import types, webhooks
from parley._async_client import AsyncParley, AsyncPublic
from parley._async_io import AsyncExport, AsyncPager
from parley._core import CallOptions
from parley._errors import (
    AuthenticationError,
    ConflictError,
    Fault,
    InvalidRequestError,
    NoAnswerError,
    NotFoundError,
    ParleyError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    UnexpectedAnswerError,
    WebhookVerificationError,
)
from parley._model import NOT_GIVEN, Answer, Event, Model, NotGiven, Page

from parley.gen.async_calls import AsyncSessionClient, AsyncWorkspaceClient
from parley.gen.calls import SessionClient, WorkspaceClient
from parley.gen.client import Parley, Public
from parley.gen.io import Export, Pager
from parley.webhooks import has_secret_token, sign_customer_token, verify_webhook

__all__ = [
    "NOT_GIVEN",
    "Answer",
    "AsyncSessionClient",
    "AsyncExport",
    "AsyncPager",
    "AsyncParley",
    "AsyncPublic",
    "AsyncWorkspaceClient",
    "AuthenticationError",
    "CallOptions",
    "ConflictError",
    "SessionClient",
    "Event",
    "Export",
    "Fault",
    "InvalidRequestError",
    "Model",
    "NoAnswerError",
    "NotFoundError",
    "NotGiven",
    "Page",
    "Pager",
    "Parley",
    "ParleyError",
    "PermissionDeniedError",
    "Public",
    "RateLimitError",
    "ServerError",
    "UnexpectedAnswerError",
    "WebhookVerificationError",
    "WorkspaceClient",
    "has_secret_token",
    "instant",
    "sign_customer_token",
    "types",
    "verify_webhook",
    "webhooks",
]


def instant(text: str) -> datetime:
    """Returns the instant of a timestamp of the API such as ``created_at``, which is in UTC without a zone."""
    return datetime.fromisoformat(text).replace(tzinfo=timezone.utc)
