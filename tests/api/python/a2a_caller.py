"""Wraps the installed client, of either generation, in one interface."""
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
    """Returns the exception of a call that must fail."""
    try:
        answer = await call
    except Exception as error:  # noqa: BLE001: every exception of the client is shown
        return shown_error(error)
    return {"answer": answer}


async def events_of(stream):
    return [event async for event in stream]


async def together(**calls):
    """Runs the calls concurrently and returns their results by name."""
    return dict(zip(calls, await asyncio.gather(*calls.values()), strict=True))


def main(program):
    """Runs the program with the arguments in JSON and prints its result in JSON."""

    async def within():
        # The limit is below the test's own of 120 s, so that no program outlives its test.
        async with asyncio.timeout(110):
            return await program(**json.loads(sys.argv[1]))

    print(json.dumps(asyncio.run(within())))
