"""
Does what `thread_stream.py` does, with the synchronous client. Each projection is read from a thread of its own,
because one that is read later receives only later events.
"""

import json
import os
import sys
import time
from typing import Any

from langgraph_sdk import get_sync_client

asked: dict[str, Any] = json.loads(sys.argv[1])
CHANNELS = ["values", "updates", "messages", "tools", "lifecycle", "checkpoints", "tasks", "custom", "input"]
PROJECTIONS = ["values", "messages", "tool_calls", "subgraphs", "updates", "checkpoints", "tasks", "own"]


def message_of(message: Any) -> dict[str, Any]:
    whole = message.output
    return {"pieces": list(message.text), "node": message.node, "content": whole.content, "calls": whole.tool_calls}


def tool_of(call: Any) -> dict[str, Any]:
    try:
        ended = {"output": call.output}
    except RuntimeError as error:
        ended = {"error": str(error)}
    return {"name": call.name, "input": call.input, **ended}


def graph_of(handle: Any) -> dict[str, Any]:
    """Reads subgraphs first: the client drops their events once the messages and tools of the graph were read."""
    names = ["subgraphs", "messages", "tools"]
    told = {name: READERS[name](handle) for name in names}
    return {"status": handle.status, "name": handle.graph_name, "depth": len(handle.path), **told}


def output_of(thread: Any) -> dict[str, Any]:
    try:
        return {"values": thread.output}
    except RuntimeError as error:
        return {"error": str(error)}


READERS: dict[str, Any] = {
    "messages": lambda source: [message_of(one) for one in list(source.messages)],
    "tools": lambda source: [tool_of(one) for one in list(source.tool_calls)],
    "subgraphs": lambda source: [graph_of(one) for one in list(source.subgraphs)],
    "values": lambda thread: list(thread.values),
    "output": output_of,
    "events": lambda thread: list(thread.subscribe(CHANNELS)),
    "interleaved": lambda thread: [name for name, _ in thread.interleave_projections(PROJECTIONS)],
    "tree": lambda thread: thread.agent.get_tree(xray=True),
}


def read(thread: Any, name: str) -> Any:
    return READERS[name](thread) if name in READERS else list(thread.extensions[name])


def answer(thread: Any, question: str, response: Any) -> dict[str, Any]:
    """Waits for a question, answers it, and returns it with its depth."""
    while not (found := [one for one in thread.interrupts if json.dumps(one["value"]) == question]):
        time.sleep(0.01)
    thread.run.respond(response, interrupt_id=found[-1]["interrupt_id"])
    return {"value": found[-1]["value"], "depth": len(found[-1]["namespace"])}


def start(thread: Any) -> None:
    thread.run.start(input=asked["input"], config=asked.get("config"), metadata=asked.get("metadata"))


with get_sync_client(url=asked["url"], api_key=asked.get("key"), headers=asked.get("client")) as client:
    options = {"headers": asked.get("headers"), "transport": asked.get("transport", "sse")}
    told: dict[str, Any] = {}
    for name in asked["read"]:
        with client.threads.stream(assistant_id=asked["assistant"], **options) as thread:
            start(thread)
            told[name] = read(thread, name)
    if "answers" in asked:
        with client.threads.stream(assistant_id=asked["assistant"], **options) as thread:
            start(thread)
            told["questions"] = [answer(thread, *one) for one in asked["answers"]]
            told["output"] = output_of(thread)
    print(json.dumps(told, default=str), flush=True)
# A thread of the client may still hold a socket. Python would close it at exit, when the thread that it waits for has ended
# without a sign, and wait for ever.
os._exit(0)
