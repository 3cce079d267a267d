"""The client that is installed, of either generation, behind one face."""
import asyncio
import json
import sys
from importlib.metadata import version

READS_V1 = not version("a2a-sdk").startswith("0.")

if not READS_V1:
    from a2a_caller_v03 import card_as_json, connect, resolve, shown_error
else:
    from a2a_caller_v1 import card_as_json, connect, resolve, shown_error

__all__ = ["READS_V1", "card_as_json", "connect", "error_of", "events_of", "main", "resolve", "together"]


async def error_of(call):
    """The exception of a call that has to fail."""
    try:
        answer = await call
    except Exception as error:  # noqa: BLE001: every exception of the client is shown
        return shown_error(error)
    return {"answer": answer}


async def events_of(stream):
    return [event async for event in stream]


async def together(**calls):
    """What each of the calls returned, by its name; they run at the same time."""
    return dict(zip(calls, await asyncio.gather(*calls.values()), strict=True))


def main(program):
    """Prints what the program returns for what it was asked, in JSON."""

    async def within():
        # Before the test gives up after 120 s: no program outlives its test.
        async with asyncio.timeout(110):
            return await program(**json.loads(sys.argv[1]))

    print(json.dumps(asyncio.run(within())))
