"""Makes the tests' calls with a2a-sdk 0.3 and returns the client's results as JSON with the names of the wire."""
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import cache
from uuid import uuid4

import httpx
from a2a.client import (
    A2ACardResolver,
    A2AClientHTTPError,
    AuthInterceptor,
    Client,
    ClientCallContext,
    ClientConfig,
    ClientFactory,
    InMemoryContextCredentialStore,
)
from a2a.client.errors import A2AClientJSONRPCError
from a2a.types import (
    GetTaskPushNotificationConfigParams,
    Message,
    MessageSendConfiguration,
    PushNotificationConfig,
    TaskIdParams,
    TaskPushNotificationConfig,
    TaskQueryParams,
)


def shown_error(error):
    """Returns an exception as JSON. The client has one exception for all JSON-RPC errors, which holds the code."""
    status = error.status_code if isinstance(error, A2AClientHTTPError) else None
    code = error.error.code if isinstance(error, A2AClientJSONRPCError) else status
    return {"type": type(error).__name__, "code": code, "message": str(error)}


def _dump(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def _part(said):
    if isinstance(said, str):
        return {"kind": "text", "text": said}
    if "data" in said:
        return {"kind": "data", "data": said["data"]}
    content = {"bytes": said["bytes"]} if "bytes" in said else {"uri": said["url"]}
    return {"kind": "file", "file": {**content, "mimeType": said["type"], "name": said["name"]}}


def _push(bearer=None, **config):
    return {**config, "authentication": {"schemes": ["Bearer"], "credentials": bearer}} if bearer else config


def _request(parts, *, task=None, context=None, wait=True, history=None, push=None, message_id=None):
    message = {
        "messageId": message_id or str(uuid4()),
        "role": "user",
        "parts": [_part(one) for one in parts],
        "taskId": task,
        "contextId": context,
    }
    configuration = {"blocking": wait}
    if history is not None:
        configuration["historyLength"] = history
    if push:
        configuration["pushNotificationConfig"] = _push(**push)
    return {
        "request": Message.model_validate(message),
        "configuration": MessageSendConfiguration.model_validate(configuration),
    }


def _event(told):
    """Returns an update as JSON. The last one also has the client's own task, as `held`."""
    task, update = told
    event = _dump(update or task)
    return {**event, "held": _dump(task)} if event.get("final") else event


@dataclass
class Caller:
    """Calls one agent with two clients: `streaming` sends with a stream, `waiting` without."""

    card: dict
    streaming: Client
    waiting: Client
    context: ClientCallContext | None = None

    def as_session(self, session):
        return replace(self, context=ClientCallContext(state={"sessionId": session}))

    async def send(self, *parts, **more):
        async for task, _ in self.waiting.send_message(**_request(parts, **more), context=self.context):
            return _dump(task)

    async def stream(self, *parts, **more):
        async with aclosing(self.streaming.send_message(**_request(parts, **more), context=self.context)) as events:
            async for told in events:
                yield _event(told)

    async def get(self, task, history=None):
        return _dump(await self.waiting.get_task(TaskQueryParams(id=task, history_length=history)))

    async def cancel(self, task):
        return _dump(await self.waiting.cancel_task(TaskIdParams(id=task)))

    async def subscribe(self, task):
        async with aclosing(self.streaming.resubscribe(TaskIdParams(id=task))) as events:
            async for told in events:
                yield _event(told)

    async def set_push(self, task, config):
        config = PushNotificationConfig.model_validate(_push(**config))
        set_one = await self.waiting.set_task_callback(
            TaskPushNotificationConfig(task_id=task, push_notification_config=config)
        )
        return _shown_push(set_one)

    async def get_push(self, task, name):
        params = GetTaskPushNotificationConfigParams(id=task, push_notification_config_id=name)
        return _shown_push(await self.waiting.get_task_callback(params))

    async def extended(self, verifier=None):
        return _dump(await self.waiting.get_card(context=self.context, signature_verifier=verifier))


def _shown_push(config):
    return {"taskId": config.task_id, **_dump(config.push_notification_config)}


async def resolve(http, base, path=None, verifier=None):
    """Returns the card that the client's resolver reads."""
    resolver = A2ACardResolver(http, base)
    return await resolver.get_agent_card(relative_card_path=path, signature_verifier=verifier)


card_as_json = _dump


@cache
def _http():
    """Returns one HTTP client for all callers, because creating one takes 0.1 s. The default timeout of 5 s is off."""
    return httpx.AsyncClient(timeout=None)


async def connect(base, protocol, *, path=None, keys=None):
    """Returns a caller for the card's interface; `keys` has an API key for each session."""
    assert protocol == "0.3"
    http = _http()
    card = await resolve(http, base, path)
    store = InMemoryContextCredentialStore()
    for session, key in (keys or {}).items():
        await store.set_credentials(session, "apiKey", key)
    made = [
        ClientFactory(ClientConfig(httpx_client=http, streaming=streaming)).create(
            card, interceptors=[AuthInterceptor(store)]
        )
        for streaming in (True, False)
    ]
    return Caller(_dump(card), *made)
