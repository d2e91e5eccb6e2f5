# Generated from the OpenAPI document by packages/sdk-generator: `npm run generate`.
"""The options of a call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Mapping, Optional


@dataclass(frozen=True)
class CallOptions:
    """What a call can have beside its arguments."""

    timeout: Optional[float] = None
    """Seconds for each try."""
    headers: Optional[Mapping[str, str]] = field(default=None, repr=False)
    """Further header fields."""
    idempotency_key: Optional[str] = None
    """A call with the same key, path and body within 24 hours gets the stored answer and has no effect of its
    own. A request that was rejected before it had an effect does not use the key.
    """
    if_match: Optional[str] = None
    """Rejects the call with 412 unless this is the current `ETag`, with its double quotes. A change compares
    only the version of the row, not the interactions of a customer.
    """
    if_none_match: Optional[str] = None
    """With GET: 304 without a body while the `ETag` is still this one. Anything but an `ETag` in double quotes
    is ignored. With PUT: only `*`, which rejects the call with 412 if there is something to replace.
    """
    request_id: Optional[str] = None
    """Names the request in the answer and in our logs: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is
    replaced.
    """


HEADERS = {
    "idempotency_key": "idempotency-key",
    "if_match": "if-match",
    "if_none_match": "if-none-match",
    "request_id": "x-request-id",
}
