"""Verifies webhooks, and signs the tokens of customers."""

from __future__ import annotations

import base64
import hmac
import json
import re
import time
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Dict, Iterable, Optional, Protocol, Sequence, Tuple, Union
from urllib.parse import parse_qs, urlsplit

from parley._errors import WebhookVerificationError
from parley._model import Event, model
from parley.gen.types import EVENTS, CatalogueEvent, InteractionHistory


@dataclass
class CompletedHistory(Event):
    """A completion without an envelope, for webhooks without the option ``envelope``."""

    id: str
    data: InteractionHistory
    test: bool = False
    type: str = "InteractionHistory"
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class UnknownEvent(Event):
    """An event that this version of the package does not know, and a test event without a name (``Test``)."""

    id: str
    type: str
    timestamp: Optional[str]
    test: bool
    data: Any
    extra: Dict[str, Any] = field(default_factory=dict)


WebhookEvent = Union[CatalogueEvent, CompletedHistory, UnknownEvent]


class HeaderFields(Protocol):
    """The header fields of a request, as any framework has them."""

    def items(self) -> Iterable[Tuple[str, Any]]: ...


def verify_webhook(
    headers: HeaderFields,
    body: Union[bytes, str],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> WebhookEvent:
    """Verifies a delivery (Standard Webhooks 1.0, ``v1``) and returns its event.

    Args:
        headers: The header fields of the request, in any case.
        body: The bytes as received, not the parsed body.
        secrets: The signing secret, ``whsec_...``, or several of them: one must fit.
        tolerance: How many seconds the sender's clock may differ.
        now: Seconds since 1970. Default: the clock.

    Raises:
        WebhookVerificationError: No signature fits, or it was sent too long before or after ``now``.
        TypeError: ``body`` is parsed.
        ValueError: There is no valid secret.
    """
    if not isinstance(body, (bytes, bytearray, str)):
        raise TypeError("body must be the bytes as they were received, not the parsed body")
    content = body.encode() if isinstance(body, str) else bytes(body)
    keys = [_key_of(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys:
        raise ValueError("there must be a signing secret")
    fields = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not isinstance(fields.get(name), str):
            raise WebhookVerificationError(f"{name} is missing")
    event_id, timestamp = fields["webhook-id"], fields["webhook-timestamp"]
    if not re.fullmatch("[0-9]{1,11}", timestamp):
        raise WebhookVerificationError("webhook-timestamp is no number")
    # Not the opposite comparison: a tolerance that is no number must accept nothing.
    if not abs((time.time() if now is None else now) // 1 - int(timestamp)) <= tolerance:
        raise WebhookVerificationError("webhook-timestamp is too far from now")
    message = _bytes(f"{event_id}.{timestamp}.") + content
    codes = [b"v1," + base64.b64encode(hmac.digest(key, message, "sha256")) for key in keys]
    given = [_bytes(signature) for signature in fields["webhook-signature"].split(" ")]
    if not any(hmac.compare_digest(code, one) for code in codes for one in given):
        raise WebhookVerificationError("no signature fits")
    try:
        parsed = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise WebhookVerificationError("the body is not JSON") from error
    event = _event_of(event_id, parsed)
    event.sent_at = datetime.fromtimestamp(int(timestamp), timezone.utc)
    return event


def _event_of(event_id: str, body: Any) -> WebhookEvent:
    if not isinstance(body, dict) or "type" not in body:
        test = isinstance(body, dict) and body.pop("test", None) is True
        return CompletedHistory(event_id, model(InteractionHistory)(body), test)
    known = EVENTS.get(str(body["type"]))
    if known and isinstance(body.get("data"), dict):
        return known(body)
    rest = {name: value for name, value in body.items() if name not in ("id", "type", "timestamp", "test", "data")}
    test = body.get("test") is True
    return UnknownEvent(body.get("id", event_id), body["type"], body.get("timestamp"), test, body.get("data"), rest)


def _bytes(text: str) -> bytes:
    # Frameworks decode header fields, also those that are no text.
    return text.encode("utf-8", "surrogatepass")


def _key_of(secret: str) -> bytes:
    if not isinstance(secret, str):
        raise TypeError(f"a signing secret must be a string, not {type(secret).__name__}")
    text = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
    try:
        key = base64.b64decode(text, validate=True)
    except ValueError:
        key = b""
    if not key:
        raise ValueError("the signing secret is not whsec_ and base64")
    return key


def has_secret_token(url: str, secret_token: str, parameter: str = "secretToken") -> bool:
    """Returns whether the URL of a delivery has the webhook's ``secretToken``, compared in constant time.

    ``url`` may be only path and query. ``parameter`` is the name of the token in this deployment.
    """
    try:
        given = parse_qs(urlsplit(url).query).get(parameter, [])
    except ValueError:
        return False
    return bool(given) and hmac.compare_digest(_bytes(given[0]), _bytes(secret_token))


def sign_customer_token(
    customer_id: str, *, workspace_id: str, kid: str, secret: str, expires_in: int = 3600, now: Optional[float] = None
) -> str:
    """Returns a token with which a browser opens a session for the customer.

    Args:
        customer_id: The client's own id of the customer.
        workspace_id: The workspace of the customer.
        kid: The ``kid`` of ``keys.rotate_sdk_secret()``.
        secret: The ``secret`` of that call.
        expires_in: Seconds, at most a day.
        now: Seconds since 1970. Default: the clock.
    """
    if not 0 < expires_in <= 86_400:
        raise ValueError(f"expires_in must be from 1 to 86400 seconds, not {expires_in}")
    for name, value in (("customer_id", customer_id), ("workspace_id", workspace_id), ("kid", kid), ("secret", secret)):
        if not isinstance(value, str) or value == "":
            raise ValueError(f"{name} must be a text that is not empty")
    at = int(time.time() if now is None else now)
    claims = {"sub": customer_id, "aud": f"parley:{workspace_id}", "iat": at, "exp": at + expires_in}
    parts = [_base64url(json.dumps(part).encode()) for part in ({"alg": "HS256", "kid": kid}, claims)]
    signature = hmac.digest(secret.encode(), ".".join(parts).encode(), "sha256")
    return ".".join([*parts, _base64url(signature)])


def _base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
