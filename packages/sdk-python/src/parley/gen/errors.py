# Generated from the OpenAPI document by packages/sdk-generator: `npm run generate`.
"""The kinds of errors."""

from __future__ import annotations

from typing import Type

from parley._errors import ParleyError

__all__ = ["AuthenticationError", "ConflictError", "InvalidRequestError", "NoAnswerError", "NotFoundError", "NotModifiedError", "PermissionDeniedError", "RateLimitError", "ServerError", "UnexpectedAnswerError"]


class NotModifiedError(ParleyError):
    """The resource still has the version of ``If-None-Match``: ``not-modified``, 304."""


class AuthenticationError(ParleyError):
    """The credentials are not accepted: 401."""


class PermissionDeniedError(ParleyError):
    """The credentials do not allow the call: 403."""


class NotFoundError(ParleyError):
    """There is no such thing, or no more: 404 and 410."""


class ConflictError(ParleyError):
    """The resource has another state or version: 409 and 412."""


class RateLimitError(ParleyError):
    """Too many calls: 429."""


class InvalidRequestError(ParleyError):
    """The request is wrong: all other 4xx."""


class ServerError(ParleyError):
    """The service or a proxy failed: 5xx."""


class NoAnswerError(ParleyError):
    """The connection failed or timed out: ``no-answer``. The cause has the reason."""


class UnexpectedAnswerError(ParleyError):
    """Something else answered, such as a proxy: ``unexpected-answer``."""


_CLASSES = {
    304: NotModifiedError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    410: NotFoundError,
    409: ConflictError,
    412: ConflictError,
    429: RateLimitError,
    400: InvalidRequestError,
    500: ServerError,
}


def class_of(status: int) -> Type[ParleyError]:
    """Returns the class of a status: its own, or that of its hundred."""
    return _CLASSES.get(status, _CLASSES.get(status // 100 * 100, UnexpectedAnswerError))
