"""The errors of the package."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Optional, Sequence, Type


@dataclass(frozen=True)
class Fault:
    """One fault of a request."""

    pointer: str
    """A JSON pointer into the body; ``/query/...`` into the query, ``/headers/...`` into the header fields."""
    detail: str


class ParleyError(Exception):
    """A failed call. It contains no credentials. The classes below say which kind it is."""

    def __init__(
        self,
        *,
        type: str,
        detail: str,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        errors: Sequence[Fault] = (),
        retry_after: Optional[float] = None,
        data: Any = None,
    ) -> None:
        self.status = status
        """The HTTP status; None if there was no answer."""
        self.type = type
        """The stable slug of the cause, such as ``invalid-request``."""
        self.detail = detail
        """For people."""
        self.request_id = request_id
        """The id under which the service has logged the call."""
        self.errors: List[Fault] = list(errors)
        """All faults of the request."""
        self.retry_after = retry_after
        """The seconds that the service asks to wait."""
        self.data = data
        """For ``stale-sequence`` the current snapshot of the conversation, otherwise None."""
        fault = [self.errors[0].pointer[1:], self.errors[0].detail] if self.errors else []
        said = ": ".join(part for part in [detail, *fault] if part)
        super().__init__(" ".join(part for part in [str(status or ""), type, f"- {said}"] if part))


class NoAnswerError(ParleyError):
    """The connection failed or timed out: ``no-answer``. ``__cause__`` has the reason."""


class UnexpectedAnswerError(ParleyError):
    """Something else answered, such as a proxy: ``unexpected-answer``."""


class InvalidRequestError(ParleyError):
    """The request is wrong: 400 and all other 4xx that have no class of their own."""


class AuthenticationError(ParleyError):
    """The credentials are not accepted: 401."""


class PermissionDeniedError(ParleyError):
    """The credentials do not allow the call: 403."""


class NotFoundError(ParleyError):
    """There is no such thing, or no more: 404 and 410."""


class ConflictError(ParleyError):
    """The resource has another state or version: 409 and 412."""


class RateLimitError(ParleyError):
    """Too many calls: 429. ``retry_after`` says how long to wait."""


class ServerError(ParleyError):
    """The service or a proxy failed: 5xx."""


class WebhookVerificationError(Exception):
    """A delivery that is not from the service, was changed, or is too old."""


_classes = {
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    412: ConflictError,
    429: RateLimitError,
}


def class_of(status: int) -> Type[ParleyError]:
    if status >= 500:
        return ServerError
    return _classes.get(status, InvalidRequestError if status >= 400 else ParleyError)


def no_answer(cause: object) -> NoAnswerError:
    reason = str(cause) or type(cause).__name__
    return NoAnswerError(type="no-answer", detail=f"There was no answer: {reason}")
