"""Cards: where a client finds them, whether it can check their signatures, and what a key opens."""
import json
import urllib.request

import httpx
from a2a.utils.signing import create_signature_verifier
from a2a_caller import READS_V1, card_as_json, connect, error_of, events_of, main, resolve
from jwt import PyJWK


def fetched_key(kid, jku):
    """The key of a signature, from where the signature says that it is."""
    with urllib.request.urlopen(jku) as answer:
        keys = json.load(answer)["keys"]
    return PyJWK.from_dict(next(key for key in keys if key["kid"] == kid))


verifier = create_signature_verifier(fetched_key, ["ES256"])


async def found(http, base, path=None):
    return card_as_json(await resolve(http, base, path, verifier))


async def of_another_name(http, base, path=None):
    """The card as an attacker would change it."""
    card = await resolve(http, base, path)
    card.name = "Somebody else"
    verifier(card)


async def keyed(base, protocol, key):
    """A caller whose key comes from the client's own store, by the scheme that the card names."""
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
        # As the client's factory asks, where the resolver alone names no generation.
        v1 = httpx.AsyncClient(timeout=None, headers={"A2A-Version": "1.0"})
        return {
            "cards": [await found(http, server + base, path) for base, path in places],
            "asked_for_v1": await found(v1, f"{server}/a2a/support") if READS_V1 else None,
            "nowhere": [await error_of(resolve(http, server + base, path)) for base, path in nowhere],
            "forged": await error_of(of_another_name(http, f"{server}/a2a/support")),
            "keyed": await keyed(f"{server}/a2a/support", protocol, key),
        }


main(program)
