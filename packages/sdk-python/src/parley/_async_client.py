"""The clients. The twin ``gen/client.py`` without ``async`` is generated from this file."""

from __future__ import annotations

import base64
from types import TracebackType
from typing import Optional, Type

import httpx

from parley._async_io import AsyncSender
from parley._core import RETRIES_DEFAULT, TIMEOUT_DEFAULT, check_base_url
from parley.gen.async_calls import AsyncParleyCalls, AsyncSessionClient, AsyncPublicCalls, AsyncWorkspaceClient


class AsyncPublic(AsyncPublicCalls):
    """The calls of customers, without an API key: they open a session, and hold the conversation under it."""

    def session(self, workspace_id: str, session_token: str) -> AsyncSessionClient:
        """Returns the calls under a session of a customer. Sends nothing."""
        bearer = {"authorization": f"Bearer {session_token}"}
        return AsyncSessionClient(self._send.with_credential(bearer), workspace_id)


async def _forget_location(response: httpx.Response) -> None:
    # Redirects are not followed, but httpx fails for one without a valid URL.
    response.headers.pop("location", None)


class AsyncParley(AsyncParleyCalls):
    """The API under a key. Threads or tasks can share it. Close it, or use it as a context manager.

    Calls raise a ParleyError, or TypeError or ValueError for arguments that cannot be sent.

    Args:
        base_url: The address of the API, without the ``/v1``.
        api_key: The public half of the key, ``prl_key_...``.
        api_secret: Its secret.
        timeout: Seconds for each try. Default: 30, and the ``wait`` of a long poll.
        retries: How often a call is retried after a temporary failure. Default: 2.
        http_client: Sends the requests, for example through a proxy. The caller closes it.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        api_secret: str,
        timeout: float = TIMEOUT_DEFAULT,
        retries: int = RETRIES_DEFAULT,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        for name, value in (("api_key", api_key), ("api_secret", api_secret)):
            if not isinstance(value, str) or value == "":
                raise ValueError(f"{name} must be a text that is not empty")
        if not isinstance(retries, int) or retries < 0:
            raise ValueError(f"retries must be 0 or more, not {retries}")
        self._own_http = None if http_client else httpx.AsyncClient(event_hooks={"response": [_forget_location]})
        basic = base64.b64encode(f"{api_key}:{api_secret}".encode()).decode()
        http = http_client or self._own_http or httpx.AsyncClient()
        send = AsyncSender(check_base_url(base_url), {"authorization": f"Basic {basic}"}, http, timeout, retries)
        super().__init__(send)
        self.public = AsyncPublic(send.with_credential({}))

    def workspace(self, workspace_id: str) -> AsyncWorkspaceClient:
        """Returns the calls inside this workspace. Sends nothing."""
        return AsyncWorkspaceClient(self._send, workspace_id)

    async def aclose(self) -> None:
        """Closes the connections, unless the ``http_client`` is the caller's."""
        if self._own_http:
            await self._own_http.aclose()

    async def __aenter__(self) -> AsyncParley:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.aclose()
