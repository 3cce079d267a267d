"""Streams a thread with the asynchronous client and prints all items of its projections."""

import asyncio
import json
import sys
from typing import Any

from langgraph_sdk import get_client

asked: dict[str, Any] = json.loads(sys.argv[1])


async def message_of(message: Any) -> dict[str, Any]:
    pieces = [piece async for piece in message.text]
    whole = await message
    return {"pieces": pieces, "node": message.node, "content": whole.content, "calls": whole.tool_calls}


async def tool_of(call: Any) -> dict[str, Any]:
    try:
        ended = {"output": await call.output}
    except RuntimeError as error:
        ended = {"error": str(error)}
    return {"name": call.name, "input": call.input, **ended}


async def graph_of(handle: Any) -> tuple[Any, dict[str, Any]]:
    """Reads subgraphs first: the client drops their events once the messages and tools of the graph were read."""
    told = {name: await READERS[name](handle) for name in ["subgraphs", "messages", "tools"]}
    return handle, {"name": handle.graph_name, "depth": len(handle.path), **told}


async def all_of(items: Any, read: Any) -> list[Any]:
    """Reads all items concurrently, because an item may wait for later events."""
    return await asyncio.gather(*[asyncio.create_task(read(item)) async for item in items])


async def subgraphs_of(source: Any) -> list[dict[str, Any]]:
    told = await all_of(source.subgraphs, graph_of)
    return [{"status": handle.status, **one} for handle, one in told]


async def extension_of(thread: Any, name: str) -> list[Any]:
    return [payload async for payload in thread.extensions[name]]


async def values_of(thread: Any) -> list[Any]:
    return [values async for values in thread.values]


async def output_of(thread: Any) -> dict[str, Any]:
    try:
        return {"values": await thread.output}
    except RuntimeError as error:
        return {"error": str(error)}


async def events_of(thread: Any) -> list[Any]:
    channels = ["values", "updates", "messages", "tools", "lifecycle", "checkpoints", "tasks", "custom", "input"]
    return [event async for event in thread.subscribe(channels)]


async def interleaved(thread: Any) -> list[Any]:
    names = ["values", "messages", "tool_calls", "subgraphs", "updates", "checkpoints", "tasks", "own"]
    return [name async for name, _ in thread.interleave_projections(names)]


async def tree_of(thread: Any) -> Any:
    return await thread.agent.get_tree(xray=True)


READERS: dict[str, Any] = {
    "messages": lambda source: all_of(source.messages, message_of),
    "tools": lambda source: all_of(source.tool_calls, tool_of),
    "subgraphs": subgraphs_of,
    "values": values_of,
    "output": output_of,
    "events": events_of,
    "interleaved": interleaved,
    "tree": tree_of,
}


async def read(thread: Any) -> dict[str, Any]:
    """Reads the requested projections concurrently, each to its end."""
    names = asked["read"]
    work = [READERS[name](thread) if name in READERS else extension_of(thread, name) for name in names]
    return dict(zip(names, await asyncio.gather(*work), strict=True))


async def answer(thread: Any, question: str, response: Any) -> dict[str, Any]:
    """Waits for a question, answers it, and returns it with its depth."""
    while not (found := [one for one in thread.interrupts if json.dumps(one["value"]) == question]):
        await asyncio.sleep(0.01)
    await thread.run.respond(response, interrupt_id=found[-1]["interrupt_id"])
    return {"value": found[-1]["value"], "depth": len(found[-1]["namespace"])}


async def main() -> dict[str, Any]:
    async with get_client(url=asked["url"], api_key=asked.get("key"), headers=asked.get("client")) as client:
        options = {"headers": asked.get("headers"), "transport": asked.get("transport", "sse")}
        opened = client.threads.stream(asked.get("thread"), assistant_id=asked["assistant"], **options)
        async with opened as thread:
            if "input" in asked:
                await thread.run.start(input=asked["input"], config=asked.get("config"), metadata=asked.get("metadata"))
            told = {"thread": thread.thread_id, **await read(thread)}
            if "answers" in asked:
                told["questions"] = [await answer(thread, *one) for one in asked["answers"]]
                told["output"] = await output_of(thread)
            return told


print(json.dumps(asyncio.run(main()), default=str))
