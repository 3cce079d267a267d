"""Configures push notifications of a working task."""
from a2a_caller import connect, error_of, main


async def program(server, protocol, key, receivers):
    """Sends the first receiver with the message, sets the other two, and deletes the third."""
    first, second, third = receivers
    gated = await connect(f"{server}/a2a/gated", protocol)
    echo = await connect(f"{server}/a2a/echo", protocol)
    config = {"url": first, "token": "token of the first"}
    task = (await gated.send(key, wait=False, push=config))["id"]
    seen = {
        "task": task,
        "set": await gated.set_push(task, {"id": "mine", "url": second, "bearer": "secret"}),
        "got": await gated.get_push(task, "mine"),
        "refused": await error_of(gated.set_push(task, {"url": "ftp://example.com/"})),
        "unknown": await error_of(gated.get_push(task, "nobody's")),
        "of_another_agent": await error_of(echo.get_push(task, "mine")),
    }
    if hasattr(gated, "list_push"):
        await gated.set_push(task, {"id": "other", "url": third})
        seen["listed"] = await gated.list_push(task)
        seen["deleted"] = await gated.delete_push(task, "other")
        seen["left"] = await gated.list_push(task)
    return seen


main(program)
