"""The runner of the cases for Python: ``run_cases.py sync|async``."""

import asyncio
import inspect
import json
import re
import sys
import time

import parley

SHARED = json.load(sys.stdin)
VARIABLES = SHARED["variables"]
CLIENT = parley.AsyncParley if sys.argv[1] == "async" else parley.Parley


async def main():
    output = {"outcomes": {}, "variables": VARIABLES}
    for index, case in enumerate(SHARED["cases"]):
        output["outcomes"][case["name"]] = await run_case(case, f"{SHARED['baseUrl']}/{index}")
    json.dump(output, sys.stdout)


async def run_case(case, url):
    outcomes = []
    given = case.get("client", {})
    options = {"timeout": given["timeoutSeconds"]} if "timeoutSeconds" in given else {}
    options.update({"retries": given["retries"]} if "retries" in given else {})
    for step in case["steps"]:
        key, secret = VARIABLES["apiKey"], VARIABLES["apiSecret"]
        client = CLIENT(base_url=url, api_key=key, api_secret=secret, **options)
        try:
            value = await run_step(filled({**step, "save": None}), client)
            for name, path in (step.get("save") or {}).items():
                VARIABLES[name] = value_at(value, path)
            outcomes.append({"value": value})
        except parley.ParleyError as error:
            outcomes.append({"error": described(error)})
        except parley.WebhookVerificationError as error:
            outcomes.append({"error": {"kind": "verification", "detail": str(error)}})
        except (TypeError, ValueError) as error:
            outcomes.append({"error": {"kind": "argument", "detail": str(error)}})
        await settled(client.aclose() if hasattr(client, "aclose") else client.close())
    return outcomes


async def run_step(step, client):
    if "sign" in step:
        given = {snake(name): value for name, value in step["sign"].items()}
        seconds = given.pop("expires_in_seconds", 3600)
        return parley.sign_customer_token(
            given.pop("customer_id"), workspace_id=VARIABLES["workspaceId"], expires_in=seconds, **given
        )
    if "verify" in step:
        given = step["verify"]
        event = parley.verify_webhook(
            given["headers"],
            given["body"].encode(),
            given["secrets"],
            tolerance=given.get("toleranceSeconds", 300),
            now=given["now"],
        )
        known = {"id": event.id, "type": event.type, "test": bool(event.test), "data": plain(event.data)}
        return {**known, "sentAt": event.sent_at.timestamp()}
    until = time.monotonic() + 20
    while True:
        value = await run_call(step, client)
        count = len(value) if isinstance(value, list) else int(value is not None)
        if count >= step.get("until", 0) or time.monotonic() > until:
            return value
        await asyncio.sleep(0.1)


async def run_call(step, client):
    target = {
        "parley": lambda: client,
        "workspace": lambda: client.workspace(VARIABLES["workspaceId"]),
        "public": lambda: client.public,
        "session": lambda: client.public.session(VARIABLES["workspaceId"], VARIABLES["sessionToken"]),
    }[step.get("of", "workspace")]()
    for name in step["call"].split("."):
        target = getattr(target, snake(name))
    takes_body = "body" in inspect.signature(target).parameters
    body, arguments = step.get("body"), {}
    if body is not None:
        arguments = {"body": body} if takes_body else snaked(body)
    arguments.update(snaked(step.get("query") or {}))
    if "options" in step:
        options = {snake(name).replace("_seconds", ""): value for name, value in step["options"].items()}
        arguments["options"] = parley.CallOptions(**options)
    called = await settled(target(*step.get("path", []), **arguments))
    read = step.get("read", "items")
    if step.get("answer"):
        return {"etag": called.answer.etag, "isReplayed": called.answer.is_replayed}
    if read == "csv":
        return b"".join(await items_of(called.csv())).decode()
    if isinstance(called, (parley.Pager, parley.AsyncPager)) and read == "page":
        page = await settled(called.page())
        return {"data": plain(page.data), "meta": plain(page.meta)}
    if isinstance(called, (parley.Pager, parley.AsyncPager)) and read == "pages":
        return [plain(page.data) for page in await items_of(called.pages())]
    if isinstance(called, (parley.Pager, parley.AsyncPager, parley.Export, parley.AsyncExport)):
        return plain(await items_of(called))
    return plain(called)


async def settled(value):
    return await value if inspect.isawaitable(value) else value


async def items_of(iterable):
    if hasattr(iterable, "__aiter__"):
        return [item async for item in iterable]
    return list(iterable)


def described(error):
    kind = type(error).__name__.replace("Error", "")
    errors = [{"pointer": one.pointer, "detail": one.detail} for one in error.errors]
    known = {"status": error.status, "type": error.type, "detail": error.detail, "requestId": error.request_id}
    return {"kind": kind, "errors": errors, **{name: value for name, value in known.items() if value is not None}}


def plain(value):
    if isinstance(value, parley.Model):
        return value.to_dict()
    if isinstance(value, bytes):
        return value.decode()
    return [plain(one) for one in value] if isinstance(value, list) else value


def snake(name):
    text = re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)
    return f"{text}_" if text == "from" else text


def snaked(value):
    """The definition of a bot is JSON of its own."""
    if isinstance(value, list):
        return [snaked(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {snake(name): one if name == "definition" else snaked(one) for name, one in value.items()}


def filled(value):
    if isinstance(value, str):
        whole = re.fullmatch(r"\$\{(\w+)\}", value)
        if whole:
            return VARIABLES.get(whole[1])
        return re.sub(r"\$\{(\w+)\}", lambda found: str(VARIABLES.get(found[1])), value)
    if isinstance(value, list):
        return [filled(one) for one in value]
    return {name: filled(one) for name, one in value.items()} if isinstance(value, dict) else value


def value_at(value, path):
    for name in filter(None, path.split(".")):
        if isinstance(value, list):
            value = value[int(name)] if int(name) < len(value) else None
        else:
            value = (value or {}).get(name)
    return value


asyncio.run(main())
