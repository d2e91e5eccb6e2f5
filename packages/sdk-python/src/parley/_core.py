"""What a call sends, how its answer is read, and when it is retried: without I/O."""

from __future__ import annotations

import json
import math
import random
import re
import uuid
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union
from urllib.parse import quote, urlencode, urlsplit

from parley._errors import Fault, ParleyError
from parley._model import Answer, encode
from parley.gen.errors import NoAnswerError, NotModifiedError, UnexpectedAnswerError, class_of
from parley.gen.options import HEADERS, CallOptions

TIMEOUT_DEFAULT = 30.0
RETRIES_DEFAULT = 2
# An export is silent while the gateway is busy, and while nothing matches: for more than a minute.
SILENCE_SECONDS_MAX = 120.0
_BASE_SECONDS = 0.5
_CAP_SECONDS = 10.0
_RETRY_AFTER_MAX = 60.0
_REMEMBERED_MAX = 100_000
# The error of a proxy may have no end.
ERROR_BYTES_MAX = 2**20
# 502 comes from a proxy, never from the API.
_TEMPORARY = {408, 429, 502, 503, 504}
# The call has begun a removal that continues without it.
_CONTINUING = {"anonymisation-continues", "deletion-continues"}


class Operation(NamedTuple):
    """One operation of the API."""

    method: str
    path: str
    headers: Tuple[str, ...] = ()
    is_repeatable: bool = True


class CallInput(NamedTuple):
    """The arguments of a call."""

    params: Mapping[str, Union[str, int]] = {}
    query: Mapping[str, Any] = {}
    body: Any = None


NO_OPTIONS = CallOptions()


class Request(NamedTuple):
    """All tries of a call send the same request, so they have the same idempotency key."""

    method: str
    url: str
    headers: Dict[str, str]
    content: Optional[bytes]

    def __repr__(self) -> str:
        # Without the credential.
        return f"Request({self.method} {self.url})"


class Read(NamedTuple):
    data: Any
    meta: Any
    answer: Answer


def check_base_url(base_url: str) -> str:
    """Returns the URL without a slash at its end. The message does not repeat a URL that may contain a password."""
    try:
        parts = urlsplit(base_url)
        is_valid = bool(re.fullmatch(r"https?://\S+", base_url, re.I) and parts.hostname and parts.port != 0)
    except (AttributeError, TypeError, ValueError):
        is_valid = False
    if not is_valid:
        raise ValueError("base_url must be an http or https URL")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("base_url must not have a user name, password, query or fragment")
    return base_url.rstrip("/")


def check_timeout(timeout: float) -> float:
    if not isinstance(timeout, (int, float)) or not (timeout > 0 and math.isfinite(timeout)):
        raise ValueError(f"timeout must be a number of seconds above 0, not {timeout!r}")
    return timeout


def body_of(name: str, arguments: Dict[str, Any], is_required: bool = True) -> Any:
    """Returns the body of the arguments that are given; None without any, if the body may be left out."""
    given = encode(arguments, name)
    return given if given or is_required else None


def request_of(
    base_url: str, credential: Mapping[str, str], operation: Operation, given: CallInput, options: CallOptions
) -> Request:
    """Raises TypeError or ValueError for arguments that cannot be sent."""
    if not isinstance(options, CallOptions):
        raise TypeError(f"options must be CallOptions, not {type(options).__name__}")
    path = re.sub(r"\{(\w+)\}", lambda found: _segment(found[1], given.params[found[1]]), operation.path)
    query = [
        (name, _text(one))
        for name, value in given.query.items()
        if value is not None
        for one in (value if isinstance(value, (list, tuple)) else [value])
    ]
    headers = {"accept": "application/json", **credential}
    for option, name in HEADERS.items():
        value = getattr(options, option)
        if value is not None and option not in operation.headers:
            raise TypeError(f"{option} is no option of this call ({', '.join(operation.headers)})")
        if value == "":
            raise ValueError(f"{option} must not be empty")
        if value is not None:
            headers[name] = value
    content = None
    if given.body is not None:
        headers["content-type"] = "application/json"
        content = json.dumps(given.body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    headers.update({name.lower(): value for name, value in (options.headers or {}).items()})
    if operation.method == "PUT" and "if-match" not in headers:
        # Without an ETag, it creates.
        headers.setdefault("if-none-match", "*")
    if "idempotency_key" in operation.headers:
        headers.setdefault("idempotency-key", str(uuid.uuid4()))
    for name, value in headers.items():
        if not isinstance(value, str):
            raise TypeError(f"the header field {name!r} must be a string, not {type(value).__name__}")
        if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9a-z-]+", name) or not re.fullmatch(r"[\t\x20-\x7e]*", value):
            raise ValueError(f"the header field {name!r} cannot be sent")
    url = f"{base_url}{path}?{urlencode(query)}" if query else base_url + path
    return Request(operation.method, url, headers, content)


# URL parsers remove such segments, which gives the URL of another resource.
def _segment(name: str, value: Union[str, int]) -> str:
    if not isinstance(value, (str, int)) or isinstance(value, bool):
        raise TypeError(f"{name} must be a string, not {type(value).__name__}")
    if str(value) in ("", ".", ".."):
        raise ValueError(f'{name} must not be "{value}"')
    return quote(str(value), safe="")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def read_answer(status: int, headers: Mapping[str, str], content: bytes) -> Read:
    """Reads the envelope. Raises a ParleyError for the envelope of an error, and for any other text."""
    request_id = headers.get("x-request-id")
    answer = Answer(status, headers.get("etag"), request_id, headers.get("idempotency-replayed") == "true")
    if status == 204:
        return Read(None, None, answer)
    if status == 304:
        raise NotModifiedError("not-modified", "The resource has the version of if_none_match", status, request_id)
    try:
        envelope = parse(content)
    except RecursionError:
        envelope = None
    except ValueError:
        if status == 200 and "json" in headers.get("content-type", ""):
            raise no_answer("the answer was cut") from None
        envelope = None
    success = envelope.get("success") if isinstance(envelope, dict) else None
    if success is True:
        return Read(envelope.get("data"), envelope.get("meta"), answer)
    asked = retry_after_of(headers)
    if success is False and isinstance(envelope.get("type"), str):
        found = envelope.get("errors")
        faults = found if isinstance(found, list) else []
        raise class_of(status)(
            envelope["type"],
            str(envelope.get("detail") or ""),
            status,
            envelope.get("requestId") or request_id,
            [
                Fault(one["pointer"], str(one.get("detail") or ""), one.get("retryAt"))
                for one in faults
                if isinstance(one, dict) and isinstance(one.get("pointer"), str)
            ],
            asked,
            envelope.get("data"),
        )
    raise unexpected_answer(status, request_id, asked)


def parse(content: bytes) -> Any:
    """Reads JSON as the other SDKs do: without a byte order mark, and with a sign for each byte that is not UTF-8."""
    return json.loads(content.decode("utf-8-sig", "replace"))


def unexpected_answer(
    status: int, request_id: Optional[str] = None, retry_after: Optional[float] = None
) -> UnexpectedAnswerError:
    detail = "The answer is not from the API"
    return UnexpectedAnswerError("unexpected-answer", detail, status, request_id, retry_after=retry_after)


def no_answer(cause: object) -> NoAnswerError:
    return NoAnswerError("no-answer", f"There was no answer: {str(cause) or type(cause).__name__}")


def retry_after_of(headers: Mapping[str, str]) -> Optional[float]:
    """Returns ``Retry-After`` (RFC 9110, 10.2.3) in seconds. A date is compared with the answer's own ``Date``."""
    asked = headers.get("retry-after", "").strip()
    if re.fullmatch("[0-9]+", asked):
        return float(asked)
    until = _date_in(asked)
    now = _date_in(headers.get("date", "")) or datetime.now(timezone.utc)
    return max(0.0, (until - now).total_seconds()) if until else None


def _date_in(text: str) -> Optional[datetime]:
    # Only the current form of HTTP dates: the parser accepts others, some of them without a zone.
    if not re.fullmatch("[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT", text):
        return None
    try:
        return parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError):
        return None


class Tries:
    """The tries of one call. A call that is not repeatable is retried only if it had no effect."""

    def __init__(self, operation: Operation, retries: int) -> None:
        self._operation = operation
        self._retries = retries
        self.failures = 0
        self._lost: Optional[ParleyError] = None

    def after(self, error: ParleyError) -> Union[float, Read]:
        """Returns the seconds until the next try, or the answer of a deletion whose first answer was lost. Raises the
        error if there is no next try. A change that meets its own effect raises the failure of the lost answer."""
        self.failures += 1
        if self._lost and self._operation.method == "DELETE" and error.status == 404:
            return Read(None, None, Answer(404, None, error.request_id, False))
        if self._lost and self._operation.method == "PATCH" and _is_conflict(error):
            raise self._lost
        is_lost = error.status is None or error.status == 408 or error.status >= 500
        may_repeat = self._operation.is_repeatable or not is_lost
        asked = error.retry_after or 0.0
        if self.failures > self._retries or not may_repeat or not _is_temporary(error) or asked > _RETRY_AFTER_MAX:
            raise error
        if is_lost and self._lost is None:
            self._lost = error
        limit: float = min(_CAP_SECONDS, _BASE_SECONDS * 2 ** (self.failures - 1))
        return asked + random.random() * limit


def _is_temporary(error: ParleyError) -> bool:
    if error.type in _CONTINUING:
        return False
    return error.status is None or error.status in _TEMPORARY or error.type == "lost-race"


def _is_conflict(error: ParleyError) -> bool:
    return error.status == 412 or (error.status == 409 and error.type != "lost-race")


def unseen(items: Sequence[Any], seen: Dict[Any, None]) -> List[Any]:
    """Returns the items whose ids were not seen: a new entry moves others to the next numbered page."""
    new = [item for item in items if getattr(item, "id", None) not in seen]
    seen.update((item.id, None) for item in new if hasattr(item, "id"))
    for oldest in list(seen)[: max(0, len(seen) - _REMEMBERED_MAX)]:
        del seen[oldest]
    return new


def next_page(meta: Any) -> Optional[Dict[str, Any]]:
    """Returns the position of the next page as a query; None after the last page."""
    if not isinstance(meta, dict):
        return None
    if "nextCursor" in meta:
        return None if meta["nextCursor"] is None else {"cursor": meta["nextCursor"]}
    current, total = meta.get("currentPage", 0), meta.get("totalPages", 0)
    return {"page": current + 1} if current < total else None
