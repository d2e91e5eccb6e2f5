"""The API of Parley: typed calls with retries, lists, exports and verified webhooks.

``Parley`` is the client, ``AsyncParley`` the same with ``async``. ``parley.types`` has the types of the API,
``parley.webhooks`` what a receiver of webhooks needs.
"""

from datetime import datetime, timezone

from parley import types as types
from parley import webhooks as webhooks
from parley._async_client import AsyncParley as AsyncParley
from parley._async_client import AsyncPublic as AsyncPublic
from parley._async_io import AsyncExport as AsyncExport
from parley._async_io import AsyncPager as AsyncPager
from parley._errors import Fault as Fault
from parley._errors import ParleyError as ParleyError
from parley._errors import WebhookVerificationError as WebhookVerificationError
from parley._model import NOT_GIVEN as NOT_GIVEN
from parley._model import Answer as Answer
from parley._model import Event as Event
from parley._model import Model as Model
from parley._model import NotGiven as NotGiven
from parley._model import Page as Page
from parley.gen.async_calls import AsyncSessionClient as AsyncSessionClient
from parley.gen.async_calls import AsyncWorkspaceClient as AsyncWorkspaceClient
from parley.gen.calls import SessionClient as SessionClient
from parley.gen.calls import WorkspaceClient as WorkspaceClient
from parley.gen.client import Parley as Parley
from parley.gen.client import Public as Public
from parley.gen.errors import *  # noqa: F403
from parley.gen.io import Export as Export
from parley.gen.io import Pager as Pager
from parley.gen.options import CallOptions as CallOptions
from parley.webhooks import has_secret_token as has_secret_token
from parley.webhooks import sign_customer_token as sign_customer_token
from parley.webhooks import verify_webhook as verify_webhook


def instant(text: str) -> datetime:
    """Returns the instant of a timestamp of the API such as ``created_at``, which is in UTC without a zone. Raises
    ValueError for any other text."""
    at = datetime.fromisoformat(text)
    if at.tzinfo:
        raise ValueError(f"not a timestamp of the API: {text}")
    return at.replace(tzinfo=timezone.utc)
