"""Fetches agent cards, verifies their signatures, and calls an agent with and without its key."""
import json
import urllib.request

import httpx
from a2a.utils.signing import create_signature_verifier
from a2a_caller import READS_V1, card_as_json, connect, error_of, events_of, main, resolve
from jwt import PyJWK


def fetched_key(kid, jku):
    """Fetches the key of a signature from the address in the signature."""
    with urllib.request.urlopen(jku) as answer:
        keys = json.load(answer)["keys"]
    return PyJWK.from_dict(next(key for key in keys if key["kid"] == kid))


verifier = create_signature_verifier(fetched_key, ["ES256"])


async def found(http, base, path=None):
    return card_as_json(await resolve(http, base, path, verifier))


async def of_another_name(http, base, path=None):
    """Verifies a card whose name was changed."""
    card = await resolve(http, base, path)
    card.name = "Somebody else"
    verifier(card)


async def keyed(base, protocol, key):
    """Calls with keys from the client's own store, by the scheme that the card names."""
    caller = await connect(base, protocol, keys={"mine": key, "wrong": "no key at all"})
    mine, wrong = caller.as_session("mine"), caller.as_session("wrong")
    return {
        "without": await error_of(caller.send("hello")),
        "wrong": await error_of(wrong.send("hello")),
        "wrong_streamed": await error_of(events_of(wrong.stream("hello"))),
        "sent": await mine.send("hello"),
        "streamed": await events_of(mine.stream("hello")),
        "extended": await error_of(mine.extended(verifier)),
        "extended_unchecked": await mine.extended(),
    }


async def program(server, protocol, places, nowhere, key):
    async with httpx.AsyncClient(timeout=None) as http:
        # The client's factory sends this header; the resolver alone requests no version.
        v1 = httpx.AsyncClient(timeout=None, headers={"A2A-Version": "1.0"})
        return {
            "cards": [await found(http, server + base, path) for base, path in places],
            "asked_for_v1": await found(v1, f"{server}/a2a/support") if READS_V1 else None,
            "nowhere": [await error_of(resolve(http, server + base, path)) for base, path in nowhere],
            "forged": await error_of(of_another_name(http, f"{server}/a2a/support")),
            "keyed": await keyed(f"{server}/a2a/support", protocol, key),
        }


main(program)
