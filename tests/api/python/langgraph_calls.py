"""Carries out the client's calls concurrently: each is a line of JSON on standard input, answered by a line."""

import asyncio
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from itertools import islice
from typing import Any

from langgraph_sdk import get_client, get_sync_client

asked: dict[str, Any] = json.loads(sys.argv[1])
options = {"url": asked["url"], "api_key": asked.get("key"), "headers": asked.get("headers")}


def dates(value: dict[str, Any]) -> Any:
    """Reads a date, which is written as an object with one member."""
    return datetime.fromisoformat(value["datetime"]) if list(value) == ["datetime"] else value


def told(part: Any) -> Any:
    return part._asdict() if hasattr(part, "_asdict") else part


def failure(error: Exception) -> dict[str, Any]:
    kinds = [kind.__name__ for kind in type(error).__mro__]
    told = {name: getattr(error, name, None) for name in ("status_code", "body")}
    return {"kinds": kinds, "message": str(error), **told}


def reply(call: dict[str, Any], answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"id": call["id"], **answer}, default=str) + "\n")
    sys.stdout.flush()


def prepared(client: Any, call: dict[str, Any], created: list[Any]) -> Any:
    module, method = call["call"].split(".")
    if call["observed"]:
        call["options"]["on_run_created"] = lambda run: created.append(dict(run))
    return getattr(getattr(client, module), method)(*call["args"], **call["options"])


async def take(items: Any, most: int | None) -> list[Any]:
    """Reads this many items, or all, and closes the iterator."""
    taken = []
    async for item in items:
        taken.append(told(item))
        if len(taken) == most:
            break
    await items.aclose()
    return taken


async def carry_out(client: Any, call: dict[str, Any]) -> None:
    created: list[Any] = []
    try:
        returned = prepared(client, call, created)
        if not hasattr(returned, "__aiter__"):
            returned = await returned
        if hasattr(returned, "__aiter__"):
            returned = await take(returned, call["take"])
        reply(call, {"returned": returned, "created": created})
    except Exception as error:
        reply(call, {"raised": failure(error)})


def carry_out_sync(client: Any, call: dict[str, Any]) -> None:
    created: list[Any] = []
    try:
        returned = prepared(client, call, created)
        if hasattr(returned, "__next__"):
            items = returned
            returned = [told(item) for item in islice(items, call["take"])]
            items.close()
        reply(call, {"returned": returned, "created": created})
    except Exception as error:
        reply(call, {"raised": failure(error)})


async def main() -> None:
    loop = asyncio.get_running_loop()
    async with get_client(**options) as client, asyncio.TaskGroup() as calls:
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            calls.create_task(carry_out(client, json.loads(line, object_hook=dates)))


def main_sync() -> None:
    with get_sync_client(**options) as client, ThreadPoolExecutor(16) as calls:
        for line in sys.stdin:
            calls.submit(carry_out_sync, client, json.loads(line, object_hook=dates))


if asked["kind"] == "sync":
    main_sync()
else:
    asyncio.run(main())
