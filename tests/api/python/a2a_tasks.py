"""Sends messages of every kind and returns their tasks."""
from uuid import uuid4

from a2a_caller import connect, error_of, events_of, main, together


async def echo(agent):
    sent = await agent.send("two\nlines and ünïcödé 🙂", context=f"my context {uuid4()}")
    task = sent["id"]
    return {
        "sent": sent,
        "found": await agent.get(task),
        "without_history": await agent.get(task, history=0),
        "sent_without_history": await agent.send("hello", history=0),
        "streamed": await events_of(agent.stream("hello")),
        "ended": await error_of(agent.cancel(task)),
    }


async def at_once(agent):
    texts = [f"hello {number}" for number in range(10)]
    sent = await together(**{text: agent.send(text) for text in texts})
    streamed = await together(**{text: events_of(agent.stream(text)) for text in texts})
    return {"sent": sent, "streamed": streamed}


async def approval(agent):
    """Starts two tasks that need approval, with and without a stream."""
    asked = await agent.send("Tell Ada that the meeting is at ten")
    streamed = await events_of(agent.stream("Tell Ada that the meeting is at ten"))
    approved = await agent.send("approve", task=asked["id"], context=asked["contextId"])
    return {"asked": asked, "streamed": streamed, "approved": approved}


async def questions(ask, both):
    """Answers by text, by data that names the questions, and by the context alone."""
    asked = await ask.send("hello")
    by_stream = await events_of(ask.stream("yes", task=asked["id"]))
    again = await ask.send("hello")
    by_context = await ask.send("no", context=again["contextId"])
    two = await both.send("hello")
    interrupts = two["status"]["message"]["parts"][-1]["data"]["interrupts"]
    answers = {one["id"]: f"answer {number}" for number, one in enumerate(interrupts)}
    by_data = await both.send({"data": {"resume": answers}}, task=two["id"], context=two["contextId"])
    return {"by_stream": by_stream, "again": again, "by_context": by_context, "two": two, "by_data": by_data}


async def contexts(counts, protocol):
    first = await counts.send("one", context=str(uuid4()))
    second = await counts.send("two", context=first["contextId"])
    seen = {"first": first, "second": second}
    # The client of v0.3 has no lists, and neither has the newer one in v0.3.
    if protocol == "1.0":
        context = first["contextId"]
        page = await counts.list(context_id=context, page_size=1, include_artifacts=True)
        rest = await counts.list(context_id=context, page_token=page["nextPageToken"])
        failed = await counts.list(context_id=context, status="TASK_STATE_FAILED")
        seen["listed"] = {"page": page, "rest": rest, "failed": failed}
    return seen


PICTURE = {"bytes": "iVBORw0KGgo=", "type": "image/png", "name": "dot.png"}
PAPER = {"url": "https://example.com/paper.pdf", "type": "application/pdf", "name": "paper.pdf"}


async def parts(papers, form, topic):
    return {
        "files": await papers.send("Read this", PICTURE, PAPER),
        "streamed": await events_of(papers.stream("Read this", PICTURE)),
        "refused": await error_of(papers.send({**PICTURE, "type": "audio/mpeg"})),
        "data": await form.send({"data": {"city": "Bern", "country": "CH"}}),
        "one_text": await topic.send("cats"),
    }


async def errors(echo, ask):
    unknown = str(uuid4())
    waiting = await ask.send("hello")
    done = await echo.send("hello")
    return {
        "get": await error_of(echo.get(unknown)),
        "cancel": await error_of(echo.cancel(unknown)),
        "send": await error_of(echo.send("hello", task=unknown)),
        "stream": await error_of(events_of(echo.stream("hello", task=unknown))),
        "subscribe": await error_of(events_of(echo.subscribe(unknown))),
        "of_another_agent": await error_of(echo.get(waiting["id"])),
        "history": await error_of(echo.get(done["id"], history=-1)),
        "no_parts": await error_of(echo.send()),
        "no_parts_streamed": await error_of(events_of(echo.stream())),
        "other_context": await error_of(ask.send("yes", task=waiting["id"], context=str(uuid4()))),
        "no_pushes": await error_of(echo.set_push(done["id"], {"url": "https://example.com/"})),
        "after_its_end": await error_of(echo.send("more", task=done["id"])),
        "subscribed_after_its_end": await error_of(events_of(echo.subscribe(done["id"]))),
        "canceled": await ask.cancel(waiting["id"]),
        "canceled_twice": await error_of(ask.cancel(waiting["id"])),
    }


async def program(own, app, protocol):
    agents = {name: await connect(f"{own}/a2a/{name}", protocol) for name in ("echo", "approval", "agent")}
    names = ("words", "loop", "form", "topic", "ask", "both", "failing", "counts", "papers")
    agents |= {name: await connect(f"{app}/a2a/{name}", protocol) for name in names}
    words, loop, failing = (agents[name] for name in ("words", "loop", "failing"))
    return await together(
        echo=echo(agents["echo"]),
        at_once=at_once(agents["echo"]),
        tools=agents["agent"].send("What is 12 * 7?"),
        words=words.send("go"),
        words_streamed=events_of(words.stream("go")),
        loop_streamed=events_of(loop.stream("What is it?")),
        failed=failing.send("go"),
        failed_streamed=events_of(failing.stream("go")),
        approval=approval(agents["approval"]),
        questions=questions(agents["ask"], agents["both"]),
        contexts=contexts(agents["counts"], protocol),
        parts=parts(agents["papers"], agents["form"], agents["topic"]),
        errors=errors(agents["echo"], agents["ask"]),
    )


main(program)
