"""Streams that are read while the agent is at work, and subscriptions."""
import asyncio
from contextlib import asynccontextmanager

from a2a_caller import connect, events_of, main, together

ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: close\r\n\r\nopen"
# The last words of the first half may be held back, to be marked as the last ones if no others come.
FIRST_HALF = "what there is to say"


class Gate:
    """An address where a graph waits until all listeners have heard the first half of its reply."""

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
    """What an event tells of the reply: a piece, or in a task all that there is by now."""
    told = event.get("artifactUpdate") or event.get("task") or event
    artifacts = [told["artifact"]] if "artifact" in told else told.get("artifacts", [])
    return "".join(part["text"] for artifact in artifacts for part in artifact["parts"])


async def until_heard(stream, gate):
    """The events of a task whose second half comes only after the client has heard the first."""
    heard, events, is_told = "", [], False
    async for event in stream:
        events.append(event)
        heard += text_of(event)
        # A client that were told all at the end would wait for ever.
        if FIRST_HALF in heard and not is_told:
            is_told = True
            gate.heard()
    return events


async def live(halfway):
    async with opened_gate() as gate:
        return await until_heard(halfway.stream(gate.url), gate)


async def begun(halfway):
    """A task that nobody waited for, and two who subscribe to it while it is at work."""
    async with opened_gate(listeners=2) as gate:
        task = await halfway.send(gate.url, wait=False)
        await gate.reached.wait()
        at_work = await halfway.get(task["id"])
        both = await asyncio.gather(*(until_heard(halfway.subscribe(task["id"]), gate) for _ in range(2)))
        return {"task": task, "at_work": at_work, "subscribed": both, "found": await halfway.get(task["id"])}


async def answered(ask):
    """One subscription over a question and its answer."""
    asked = await ask.send("hello")
    events, answer = [], None
    async for event in ask.subscribe(asked["id"]):
        events.append(event)
        if answer is None:
            answer = asyncio.create_task(ask.send("yes", task=asked["id"], context=asked["contextId"]))
    return {"events": events, "answer": await answer}


async def doubtful(agent):
    """The text of the run that an answer starts is told live to who has subscribed."""
    async with opened_gate() as gate:
        asked = await agent.send("go")
        stream = agent.subscribe(asked["id"])
        first = await anext(stream)
        answer = asyncio.create_task(agent.send(gate.url, task=asked["id"]))
        rest = await until_heard(stream, gate)
        return {"events": [first, *rest], "answer": await answer}


async def canceled(halfway, ask):
    """A cancel at work, and one of a wait; both are heard by who has subscribed."""
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
    """The stream's client leaves; the task goes on."""
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
