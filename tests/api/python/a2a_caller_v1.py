"""Makes the tests' calls with a2a-sdk 1.x and returns the client's results as JSON with the names of the wire."""
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import cache
from uuid import uuid4

import httpx
from a2a.client import (
    A2ACardResolver,
    AuthInterceptor,
    Client,
    ClientCallContext,
    ClientConfig,
    ClientFactory,
    InMemoryContextCredentialStore,
)
from a2a.types.a2a_pb2 import (
    AgentCard,
    CancelTaskRequest,
    DeleteTaskPushNotificationConfigRequest,
    GetExtendedAgentCardRequest,
    GetTaskPushNotificationConfigRequest,
    GetTaskRequest,
    ListTaskPushNotificationConfigsRequest,
    ListTasksRequest,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskPushNotificationConfig,
)
from a2a.utils.errors import JSON_RPC_ERROR_CODE_MAP
from google.protobuf.json_format import MessageToDict, ParseDict


def shown_error(error):
    """Returns an exception as JSON; `about` holds the details that the client took from the error."""
    code = JSON_RPC_ERROR_CODE_MAP.get(type(error))
    return {"type": type(error).__name__, "code": code, "message": str(error), "about": getattr(error, "data", None)}


def _part(said):
    if isinstance(said, str):
        return {"text": said}
    if "data" in said:
        return {"data": said["data"], "mediaType": "application/json"}
    content = {"raw": said["bytes"]} if "bytes" in said else {"url": said["url"]}
    return {**content, "mediaType": said["type"], "filename": said["name"]}


def _push(bearer=None, **config):
    return {**config, "authentication": {"scheme": "Bearer", "credentials": bearer}} if bearer else config


def _request(parts, *, task=None, context=None, wait=True, history=None, push=None, message_id=None):
    message = {"messageId": message_id or str(uuid4()), "role": "ROLE_USER", "parts": [_part(one) for one in parts]}
    if task:
        message["taskId"] = task
    if context:
        message["contextId"] = context
    configuration = {"returnImmediately": not wait}
    if history is not None:
        configuration["historyLength"] = history
    if push:
        configuration["taskPushNotificationConfig"] = _push(**push)
    return ParseDict({"message": message, "configuration": configuration}, SendMessageRequest())


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
        async for event in self.waiting.send_message(_request(parts, **more), context=self.context):
            return MessageToDict(event)["task"]

    async def stream(self, *parts, **more):
        async with aclosing(self.streaming.send_message(_request(parts, **more), context=self.context)) as events:
            async for event in events:
                yield MessageToDict(event)

    async def get(self, task, history=None):
        return MessageToDict(await self.waiting.get_task(GetTaskRequest(id=task, history_length=history)))

    async def list(self, **filters):
        listed = await self.waiting.list_tasks(ListTasksRequest(**filters))
        return MessageToDict(listed, always_print_fields_with_no_presence=True)

    async def cancel(self, task):
        return MessageToDict(await self.waiting.cancel_task(CancelTaskRequest(id=task)))

    async def subscribe(self, task):
        async with aclosing(self.streaming.subscribe(SubscribeToTaskRequest(id=task))) as events:
            async for event in events:
                yield MessageToDict(event)

    async def set_push(self, task, config):
        request = ParseDict({"taskId": task, **_push(**config)}, TaskPushNotificationConfig())
        return MessageToDict(await self.waiting.create_task_push_notification_config(request))

    async def get_push(self, task, name):
        request = GetTaskPushNotificationConfigRequest(task_id=task, id=name)
        return MessageToDict(await self.waiting.get_task_push_notification_config(request))

    async def list_push(self, task):
        request = ListTaskPushNotificationConfigsRequest(task_id=task)
        listed = await self.waiting.list_task_push_notification_configs(request)
        return [MessageToDict(one) for one in listed.configs]

    async def delete_push(self, task, name):
        request = DeleteTaskPushNotificationConfigRequest(task_id=task, id=name)
        return await self.waiting.delete_task_push_notification_config(request)

    async def extended(self, verifier=None):
        request = GetExtendedAgentCardRequest()
        card = await self.waiting.get_extended_agent_card(request, context=self.context, signature_verifier=verifier)
        return MessageToDict(card)


async def resolve(http, base, path=None, verifier=None):
    """Returns the card that the client's resolver reads. The resolver requests no version by itself."""
    resolver = A2ACardResolver(http, base)
    return await resolver.get_agent_card(relative_card_path=path, signature_verifier=verifier)


def card_as_json(card):
    return MessageToDict(card)


@cache
def _http():
    """Returns one HTTP client for all callers, because creating one takes 0.1 s. The default timeout of 5 s is off."""
    return httpx.AsyncClient(timeout=None)


async def connect(base, protocol, *, path=None, keys=None):
    """Returns a caller for the card's interfaces of this protocol; `keys` has an API key for each session."""
    http = _http()
    card = await resolve(http, base, path)
    kept = [one for one in card.supported_interfaces if one.protocol_version == protocol]
    chosen = AgentCard()
    chosen.CopyFrom(card)
    del chosen.supported_interfaces[:]
    chosen.supported_interfaces.extend(kept)
    store = InMemoryContextCredentialStore()
    for session, key in (keys or {}).items():
        await store.set_credentials(session, "apiKey", key)
    made = [
        ClientFactory(ClientConfig(httpx_client=http, streaming=streaming)).create(chosen, [AuthInterceptor(store)])
        for streaming in (True, False)
    ]
    return Caller(card_as_json(card), *made)

