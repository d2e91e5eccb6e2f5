# Generated from the OpenAPI document by packages/sdk-generator: `npm run generate`.
"""Sends calls."""

from __future__ import annotations

import time
from typing import Any, Iterator, Dict, Generic, List, Mapping, Optional, TypeVar

import httpx

from parley._core import ERROR_BYTES_MAX, SILENCE_SECONDS_MAX, CallInput, Operation, Read, Request, Tries
from parley._core import check_timeout, next_page, no_answer, parse, read_answer, request_of, unexpected_answer, unseen
from parley._errors import ParleyError
from parley._model import Decoder, Model, Page, model
from parley.gen.options import CallOptions
from parley.gen.types import ExportedInteraction

T = TypeVar("T")
Item = TypeVar("Item")
Meta = TypeVar("Meta")


class Sender:
    """Sends calls with one credential."""

    def __init__(
        self, base_url: str, credential: Mapping[str, str], http: httpx.Client, timeout: float, retries: int
    ) -> None:
        self.base_url = base_url
        self.http = http
        self.timeout = check_timeout(timeout)
        self.retries = retries
        self._credential = credential

    def with_credential(self, credential: Mapping[str, str]) -> Sender:
        return Sender(self.base_url, credential, self.http, self.timeout, self.retries)

    def value(self, operation: Operation, decode: Decoder[T], given: CallInput, options: CallOptions) -> T:
        read = self.read(operation, given, options)
        data = decode(read.data)
        if isinstance(data, Model):
            data._answer = read.answer
        return data

    def file(self, operation: Operation, given: CallInput, options: CallOptions) -> bytes:
        tries = Tries(operation, self.retries)
        while True:
            content: List[bytes] = []
            try:
                for chunk in self.chunks(operation, given, options):
                    content.append(chunk)
                return b"".join(content)
            except ParleyError as error:
                delay = tries.after(error)
            if isinstance(delay, float):
                time.sleep(delay)

    def text(self, operation: Operation, given: CallInput, options: CallOptions) -> str:
        return (self.file(operation, given, options)).decode()

    def chunks(
        self, operation: Operation, given: CallInput, options: CallOptions
    ) -> Iterator[bytes]:
        """Returns the body of an answer that is no envelope. Raises NoAnswerError if it is cut, or silent too long."""
        request = self.request(operation, given, options)
        request.headers["accept"] = "*/*"
        try:
            seconds = self.seconds_of(options)
            until = time.monotonic() + seconds
            with self.stream(request, seconds) as response:
                if response.status_code != 200:
                    self.answer_of(response, until)
                    raise no_answer("the answer has no content")
                # httpx reads the body with the limit that the request has then.
                response.request.extensions["timeout"]["read"] = max(seconds, SILENCE_SECONDS_MAX)
                for chunk in response.iter_bytes():
                    yield chunk
        except (httpx.RequestError, httpx.StreamError) as cause:
            raise no_answer(cause) from cause

    def read(self, operation: Operation, given: CallInput, options: CallOptions) -> Read:
        request = self.request(operation, given, options)
        wait = given.query.get("wait", 0)
        seconds = self.seconds_of(options, float(wait) if isinstance(wait, (int, float)) else 0.0)
        tries = Tries(operation, self.retries)
        while True:
            try:
                return self._attempt(request, seconds)
            except ParleyError as error:
                delay = tries.after(error)
            if isinstance(delay, Read):
                return delay
            time.sleep(delay)

    def request(self, operation: Operation, given: CallInput, options: CallOptions) -> Request:
        return request_of(self.base_url, self._credential, operation, given, options)

    def seconds_of(self, options: CallOptions, more: float = 0.0) -> float:
        return self.timeout + more if options.timeout is None else check_timeout(options.timeout)

    def _attempt(self, request: Request, seconds: float) -> Read:
        try:
            until = time.monotonic() + seconds
            with self.stream(request, seconds) as response:
                return self.answer_of(response, until)
        except (httpx.RequestError, httpx.StreamError) as cause:
            raise no_answer(cause) from cause

    def answer_of(self, response: httpx.Response, until: float) -> Read:
        content = bytearray()
        for chunk in response.iter_bytes():
            content += chunk
            # The limit of httpx is for each read, so a slow body would take for ever.
            if time.monotonic() > until:
                raise httpx.ReadTimeout("the answer took too long")
            if response.status_code >= 300 and len(content) > ERROR_BYTES_MAX:
                break
        return read_answer(response.status_code, response.headers, bytes(content))

    def stream(self, request: Request, seconds: float) -> Any:
        method, url, headers, content = request
        # A redirect could turn a POST into a GET. The API has no redirects.
        return self.http.stream(
            method, url, headers=headers, content=content, timeout=seconds, follow_redirects=False
        )


class Pager(Generic[Item, Meta]):
    """A list. Iterate it for every item, or take its ``pages()``. ``page()`` returns one page. Sends nothing before.

    An iteration skips items that a new entry has moved to a later numbered page, so each is returned once. An item that
    leaves the list meanwhile may move others across the border of a numbered page: these are missed.
    """

    def __init__(
        self,
        send: Sender,
        operation: Operation,
        item: Decoder[Item],
        meta: Decoder[Meta],
        given: CallInput,
        options: CallOptions,
    ) -> None:
        # Arguments that cannot be sent fail here.
        send.request(operation, given, options)
        self._send = send
        self._operation = operation
        self._item = item
        self._meta = meta
        self._given = given
        self._options = options

    def page(self) -> Page[Item, Meta]:
        """Returns the page that the arguments name: the first one by default."""
        return self._page_of(self._read({}))

    def pages(self) -> Iterator[Page[Item, Meta]]:
        """Returns page after page from there on, without items of earlier pages."""
        seen: Dict[Any, None] = {}
        position: Optional[Dict[str, Any]] = {}
        while position is not None:
            read = self._read(position)
            page = self._page_of(read)
            # A cursor never returns an item twice.
            is_numbered = isinstance(read.meta, dict) and "currentPage" in read.meta
            yield Page(unseen(page.data, seen), page.meta, page.answer) if is_numbered else page
            position = next_page(read.meta)

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            for item in page.data:
                yield item

    def _read(self, position: Dict[str, Any]) -> Read:
        given = CallInput(self._given.params, {**self._given.query, **position}, self._given.body)
        return self._send.read(self._operation, given, self._options)

    def _page_of(self, read: Read) -> Page[Item, Meta]:
        items = read.data if isinstance(read.data, list) else []
        return Page([self._item(one) for one in items], self._meta(read.meta), read.answer)


class Export:
    """An export. Iterate it for the interactions, oldest change first; a stream that was cut is continued."""

    def __init__(self, send: Sender, operation: Operation, given: CallInput, options: CallOptions) -> None:
        send.request(operation, given, options)
        self._send = send
        self._operation = operation
        self._given = given
        self._options = options
        self.cursor: Optional[str] = None
        """The cursor of the last interaction that was returned, and at the end of the export. None before."""

    def __iter__(self) -> Iterator[ExportedInteraction]:
        at: Dict[str, Any] = {}
        tries = Tries(self._operation, self._send.retries)
        read = model(ExportedInteraction)
        while True:
            begun = b""
            try:
                for chunk in self._stream({**self._given.query, **at}):
                    *lines, begun = (begun + chunk).split(b"\n")
                    for line in map(parse, lines):
                        tries.failures = 0
                        self.cursor = line["cursor"]
                        at = {"cursor": self.cursor}
                        if line.get("end") is True:
                            return
                        yield read(line)
                raise no_answer("the export was cut")
            except (ValueError, KeyError, TypeError, RecursionError) as cause:
                raise unexpected_answer(200) from cause
            except ParleyError as error:
                delay = tries.after(error)
            if isinstance(delay, float):
                time.sleep(delay)

    def csv(self) -> Iterator[bytes]:
        """Returns the export as CSV. Raises NoAnswerError if it is cut."""
        for chunk in self._stream({**self._given.query, "format": "csv"}):
            yield chunk

    def _stream(self, query: Mapping[str, Any]) -> Iterator[bytes]:
        return self._send.chunks(self._operation, CallInput(self._given.params, query), self._options)
