"""Reads streams and subscriptions while the agent is working."""
import asyncio
from contextlib import asynccontextmanager

from a2a_caller import connect, events_of, main, together

ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: close\r\n\r\nopen"
# The server may hold back the last words of the first half, to mark them as the last chunk if no others come.
FIRST_HALF = "what there is to say"


class Gate:
    """An address at which a graph waits until all listeners have received the first half of its reply."""

    url: str

    def __init__(self, listeners):
        self.listeners = listeners
        self.reached = asyncio.Event()
        self.open = asyncio.Event()

    def heard(self):
        self.listeners -= 1
        if self.listeners == 0:
            self.open.set()

    async def answer(self, reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        self.reached.set()
        await self.open.wait()
        writer.write(ANSWER)
        await writer.drain()
        writer.close()


@asynccontextmanager
async def opened_gate(listeners=1):
    gate = Gate(listeners)
    server = await asyncio.start_server(gate.answer, "127.0.0.1", 0)
    gate.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    try:
        yield gate
    finally:
        gate.open.set()
        server.close()


def text_of(event):
    """Returns the reply's text in an event: a chunk, or in a task the whole reply so far."""
    told = event.get("artifactUpdate") or event.get("task") or event
    artifacts = [told["artifact"]] if "artifact" in told else told.get("artifacts", [])
    return "".join(part["text"] for artifact in artifacts for part in artifact["parts"])


async def until_heard(stream, gate):
    """Reads the events of a task whose second half comes only after the client has received the first."""
    heard, events, is_told = "", [], False
    async for event in stream:
        events.append(event)
        heard += text_of(event)
        # A client that received everything at the end would never get here.
        if FIRST_HALF in heard and not is_told:
            is_told = True
            gate.heard()
    return events


async def live(halfway):
    async with opened_gate() as gate:
        return await until_heard(halfway.stream(gate.url), gate)


async def begun(halfway):
    """Starts a task without waiting, and subscribes twice while it is working."""
    async with opened_gate(listeners=2) as gate:
        task = await halfway.send(gate.url, wait=False)
        await gate.reached.wait()
        at_work = await halfway.get(task["id"])
        both = await asyncio.gather(*(until_heard(halfway.subscribe(task["id"]), gate) for _ in range(2)))
        return {"task": task, "at_work": at_work, "subscribed": both, "found": await halfway.get(task["id"])}


async def answered(ask):
    """Keeps one subscription over a question and its answer."""
    asked = await ask.send("hello")
    events, answer = [], None
    async for event in ask.subscribe(asked["id"]):
        events.append(event)
        if answer is None:
            answer = asyncio.create_task(ask.send("yes", task=asked["id"], context=asked["contextId"]))
    return {"events": events, "answer": await answer}


async def doubtful(agent):
    """Reads the text of the run that an answer starts, by an earlier subscription."""
    async with opened_gate() as gate:
        asked = await agent.send("go")
        stream = agent.subscribe(asked["id"])
        first = await anext(stream)
        answer = asyncio.create_task(agent.send(gate.url, task=asked["id"]))
        rest = await until_heard(stream, gate)
        return {"events": [first, *rest], "answer": await answer}


async def canceled(halfway, ask):
    """Cancels a working task and an interrupted one; a subscriber receives both."""
    async with opened_gate() as gate:
        task = await halfway.send(gate.url, wait=False)
        await gate.reached.wait()
        at_work = halfway.subscribe(task["id"])
        first = await anext(at_work)
        ended = await halfway.cancel(task["id"])
        heard = [first, *await events_of(at_work)]
    waiting = await ask.send("hello")
    asking = ask.subscribe(waiting["id"])
    first = await anext(asking)
    return {
        "at_work": {"canceled": ended, "heard": heard},
        "waiting": {"canceled": await ask.cancel(waiting["id"]), "heard": [first, *await events_of(asking)]},
    }


async def left(halfway):
    """Leaves the stream of a message, and reads the rest of the task by a subscription."""
    async with opened_gate() as gate:
        stream = halfway.stream(gate.url)
        first = await anext(stream)
        await gate.reached.wait()
        await stream.aclose()
        task = (first.get("task") or first)["id"]
        rest = halfway.subscribe(task)
        await anext(rest)
        gate.open.set()
        await events_of(rest)
        return await halfway.get(task)


async def program(app, protocol):
    halfway, ask, doubter = [await connect(f"{app}/a2a/{name}", protocol) for name in ("halfway", "ask", "doubtful")]
    return await together(
        live=live(halfway),
        begun=begun(halfway),
        answered=answered(ask),
        doubtful=doubtful(doubter),
        canceled=canceled(halfway, ask),
        left=left(halfway),
    )


main(program)
