"""The base of all errors of the API. Its kinds are in ``gen/errors.py``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Optional, Sequence


@dataclass(frozen=True)
class Fault:
    """One fault of a request. ``pointer`` is a JSON pointer into the body; ``/query/...`` into the query."""

    pointer: str
    detail: str
    #: Of ``contact-limit``: when it is allowed again.
    retry_at: Optional[str] = None


class ParleyError(Exception):
    """A failed call, without credentials. The classes below it say which kind it is.

    Attributes:
        status: The HTTP status; None if there was no answer.
        type: The stable slug of the cause, such as ``invalid-request``.
        detail: For people.
        request_id: The id under which the service has logged the call.
        errors: All faults of the request.
        retry_after: The seconds that the service asks to wait.
        data: For ``stale-sequence`` the current snapshot of the conversation, otherwise None.
    """

    def __init__(
        self,
        type: str,
        detail: str,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        errors: Sequence[Fault] = (),
        retry_after: Optional[float] = None,
        data: Any = None,
    ) -> None:
        self.status, self.type, self.detail, self.request_id = status, type, detail, request_id
        self.errors: List[Fault] = list(errors)
        self.retry_after, self.data = retry_after, data
        fault = [self.errors[0].pointer[1:], self.errors[0].detail] if self.errors else []
        said = ": ".join(part for part in [detail, *fault] if part)
        super().__init__(" ".join(part for part in [str(status or ""), type, f"- {said}"] if part))


class WebhookVerificationError(Exception):
    """A delivery that is not from the service, was changed, or is too old."""
